import { dirname, join } from "node:path";
import { RalphError } from "../../core/errors.ts";

/** What replacing a program needs of the file system; each call is one step that may be the last before a power cut. */
export type ProgramFiles = {
  /** Writes a new file with the permissions of another one, and returns when it is on the disk. */
  write(path: string, content: Uint8Array, like: string): void;
  /** A second name for a file, or a copy of it where there are no such names. */
  duplicate(from: string, to: string): void;
  rename(from: string, to: string): void;
  /** Removes a file if it is there. */
  remove(path: string): void;
  exists(path: string): boolean;
  names(folder: string): string[];
  /** Returns when the names in a folder are on the disk. */
  sync(folder: string): void;
};

export type Replacement = {
  /** The program, with links resolved. */
  path: string;
  content: Uint8Array;
  /** What the new program has to answer to `--version`. */
  version: string;
  platform: NodeJS.Platform;
  pid: number;
  files: ProgramFiles;
  /** A program's answer to `--version`; null if it does not run. */
  ask(path: string): string | null;
  isAlive(pid: number): boolean;
};

const LEFTOVER = /^\.ralph-(\d+)\.(?:new|old)(?:\.exe)?$/;

/**
 * Replaces a program by a newer one. The old or the new one stands complete under its name after every step; the old is
 * kept until the new one has answered from its place. Windows renames no file over a running program: there the old one
 * is moved aside first, and for that instant stands under the other name.
 * @throws RalphError `environment`, with the old program in its place
 */
export function replaceProgram(replacement: Replacement): void {
  const { path, content, version, platform, pid, files, ask } = replacement;
  const folder = dirname(path);
  const ending = platform === "win32" ? ".exe" : "";
  const fresh = join(folder, `.ralph-${pid}.new${ending}`);
  const old = join(folder, `.ralph-${pid}.old${ending}`);
  try {
    removeLeftovers(replacement);
    files.write(fresh, content, path);
    mustAnswer(ask, fresh, version);
    if (platform === "win32") files.rename(path, old);
    else files.duplicate(path, old);
    files.rename(fresh, path);
    files.sync(folder);
    mustAnswer(ask, path, version);
  } catch (cause) {
    undo(files, { path, fresh, old });
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("environment", `${path} could not be replaced: ${(cause as Error).message}`, {
      hint: "The old program is in its place. Check that its folder is writable and has room, then try again.",
      cause,
    });
  }
  attempt(() => files.remove(old));
}

function mustAnswer(ask: Replacement["ask"], path: string, version: string): void {
  const answer = ask(path);
  if (answer === version) return;
  const said = answer === null ? "does not run here" : `says it is ${JSON.stringify(answer)}`;
  throw new RalphError("environment", `The new program ${said}; it should be ${version}.`, {
    hint: "The old program is in its place. Please report this.",
  });
}

/** Puts the old program back, as far as that is still needed. */
function undo(files: ProgramFiles, { path, fresh, old }: { path: string; fresh: string; old: string }): void {
  attempt(() => {
    if (!files.exists(old)) return;
    files.rename(old, path);
    // Where both are names of one file still, POSIX renames nothing.
    files.remove(old);
  });
  attempt(() => files.remove(fresh));
}

/** What an update left that was killed, or that could not remove the program that ran it (Windows). */
function removeLeftovers({ path, files, isAlive }: Replacement): void {
  const folder = dirname(path);
  for (const name of files.names(folder)) {
    const pid = LEFTOVER.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) attempt(() => files.remove(join(folder, name)));
  }
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // The next update tries again.
  }
}
