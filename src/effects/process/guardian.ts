import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import process from "node:process";
import { setImmediate } from "node:timers/promises";
import script from "../../../templates/guardian.sh" with { type: "text" };
import { kernelMark } from "../process-tree/kernel-mark.ts";
import { ownGroup } from "../process-tree/process-tree.ts";
import { selfCommand } from "./self.ts";

/** The shell of every system but Windows; it needs a tenth of what this program needs. */
const SHELL = "/bin/sh";
/** The hidden command that does the script's work where there is no shell. */
export const GUARDIAN_COMMAND = "__guardian";

/** In one call: a guardian that never stays is not worth a process each millisecond. */
const MAX_RESTARTS = 5;

/**
 * A small process beside ralph that ends the agents' processes if ralph is killed (product.md "Signals and processes"). It
 * holds the other end of a pipe, which closes however ralph ends.
 */
export type Guardian = {
  /** An agent is about to be started with this value of RALPH_RUN. Resolves once the guardian will hear it, even if ralph is killed then. */
  opening(marker: string): Promise<void>;
  /** It was started and leads this process group. */
  opened(marker: string, group: number): void;
  /** Nothing of it is left. */
  closed(marker: string): void;
};

/**
 * The guardian of one ralph. Its process is started with the first agent, and again if somebody ends it.
 * @param argv the program to start; by default the shell's script, or this program where there is no shell
 */
export function createGuardian(argv: readonly string[] = command()): Guardian {
  let child: ChildProcess | null = null;
  const open = new Map<string, number>();
  let restarts = MAX_RESTARTS;
  const say = (line: string) => child?.stdin?.write(`${line}\n`);
  const sayOpen = (marker: string, group: number) => {
    open.set(marker, group);
    say(`open ${marker} ${kernelMark(marker)} ${group}`);
  };
  const start = () => {
    // One that is started anew knows what is open before its pipe says it: ralph may be killed in between.
    const known = [...open].map(([marker, group]) => `${marker}:${kernelMark(marker)}:${group}`);
    const started = spawnGuardian([...argv, String(ownGroup()), ...known]);
    const onGone = () => {
      if (child !== started) return;
      child = null;
      if (open.size === 0 || restarts === 0) return;
      restarts -= 1;
      start();
    };
    // Without it the run goes on: the next start in this project ends what is left, as it does after a power cut.
    for (const part of [started, started?.stdin]) part?.on("error", onGone);
    started?.once("exit", onGone);
    child = started;
    for (const [marker, group] of open) sayOpen(marker, group);
  };
  return {
    async opening(marker) {
      restarts = MAX_RESTARTS;
      if (child === null) start();
      sayOpen(marker, 0);
      // Bun writes to a pipe at the end of the turn, and calls back earlier.
      await setImmediate();
    },
    opened: sayOpen,
    closed(marker) {
      open.delete(marker);
      say(`end ${marker}`);
    },
  };
}

function command(): string[] {
  if (existsSync(SHELL)) return [SHELL, "-c", script.replaceAll("\r\n", "\n"), "ralph-guardian"];
  return [...selfCommand(process.argv[1] ?? ""), GUARDIAN_COMMAND];
}

/** In a session of its own, so that neither Ctrl+C nor a signal to ralph's group reaches it. Null if it cannot start. */
function spawnGuardian([program = "", ...words]: readonly string[]): ChildProcess | null {
  // It must not carry RALPH_RUN, as ralph itself may. Windows starts no program without SystemRoot.
  const { PATH, SystemRoot } = process.env;
  try {
    const child = spawn(program, words, {
      // A folder that a process works in cannot be deleted on Windows, nor unmounted elsewhere.
      cwd: process.platform === "win32" ? (SystemRoot ?? "C:\\") : "/",
      env: { ...(PATH === undefined ? {} : { PATH }), ...(SystemRoot === undefined ? {} : { SystemRoot }) },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
      windowsHide: true,
    });
    child.unref();
    return child;
  } catch {
    return null; // the system starts no more processes: the agent's own start tells
  }
}
