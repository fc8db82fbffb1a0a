import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, watch } from "node:fs";
import { join } from "node:path";
import { type ControlCommand, formatControl, parseControl } from "../../core/control-command.ts";
import { RalphError } from "../../core/errors.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";

/**
 * Commands to a run are files in this folder below `.ralph`, private to the owner. Files work over ssh and on every platform.
 */
export const CONTROL_DIR = "control";

const COMMAND_FILE = /^\d{15}-\d+-[0-9a-f]+\.json$/;
/** Without file events (some network mounts) a command is found within this time. */
const POLL_MS = 1000;
const MAX_FILE_BYTES = 64 * 1024;

/**
 * Listens for commands to one run, in the order given. Removes commands left for an earlier run.
 * @param isOver true once the run accepts no more commands: later files stay, so their sender sees that they were not taken
 * @returns a function that stops listening
 * @throws RalphError `environment` if the folder cannot be used, or others could write to it
 */
export function listenForControl(
  dir: string,
  run: string,
  onCommand: (command: ControlCommand) => void,
  isOver: () => boolean = () => false,
): () => void {
  openFolder(dir);
  const look = () => {
    for (const name of commandFiles(dir)) {
      if (isOver()) return;
      const text = takeFile(join(dir, name));
      const command = text === null ? null : parseControl(text, run);
      if (command !== null) onCommand(command);
    }
  };
  look();
  const timer = setInterval(look, POLL_MS);
  timer.unref();
  const stopWatching = watchFolder(dir, look);
  return () => {
    clearInterval(timer);
    stopWatching();
  };
}

/** A sent command: `taken` says whether the run has read it, `takeBack` withdraws it. */
export type SentCommand = { taken(): boolean; takeBack(): void };

/** Whether the run listens yet; it starts shortly after the run does. */
export function isListening(dir: string): boolean {
  return existsSync(dir);
}

/**
 * Sends a command to a run.
 * @param now epoch ms
 * @throws RalphError `environment` if the folder belongs to another user or the disk is full
 */
export function sendControl(dir: string, run: string, command: ControlCommand, now: number): SentCommand {
  const name = `${String(now).padStart(15, "0")}-${process.pid}-${randomBytes(4).toString("hex")}.json`;
  const path = join(dir, name);
  try {
    writeFileAtomic(path, formatControl(run, command));
  } catch (cause) {
    throw new RalphError("environment", `The run cannot take commands from here: ${(cause as Error).message}`, {
      hint: "Only the user who started the run may steer it.",
      cause,
    });
  }
  return { taken: () => !existsSync(path), takeBack: () => rmSync(path, { force: true }) };
}

function openFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const stat = lstatSync(dir);
    if (!stat.isDirectory()) throw new Error("it is not a folder");
    if (process.getuid !== undefined && stat.uid !== process.getuid()) throw new Error("it belongs to another user");
    if (process.getuid !== undefined && (stat.mode & 0o077) !== 0) chmodSync(dir, 0o700);
  } catch (cause) {
    throw new RalphError("environment", `${dir} cannot take commands: ${(cause as Error).message}`, { cause });
  }
}

/** A folder that vanished together with `.ralph` holds no commands; the loop ends that run. */
function commandFiles(dir: string): string[] {
  try {
    return readdirSync(dir)
      .filter((name) => COMMAND_FILE.test(name))
      .sort();
  } catch {
    return [];
  }
}

/** Reads and removes a file; null if it is gone, too large or not a regular file. */
function takeFile(path: string): string | null {
  try {
    const stat = lstatSync(path);
    const text = stat.isFile() && stat.size <= MAX_FILE_BYTES ? readFileSync(path, "utf8") : null;
    rmSync(path, { force: true, recursive: stat.isDirectory() });
    return text;
  } catch {
    return null; // being written or removed right now: the next look finds it
  }
}

/** File events only reduce the delay; polling once a second is enough without them. */
function watchFolder(dir: string, look: () => void): () => void {
  try {
    const watcher = watch(dir, { persistent: false }, look);
    watcher.on("error", () => watcher.close());
    return () => watcher.close();
  } catch {
    return () => {};
  }
}
