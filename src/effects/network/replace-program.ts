import { dirname, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";

/** The file system calls that replacing a program needs; after each one the power may fail. */
export type ProgramFiles = {
  /** Writes a new file with the permissions of another; returns once it is on the disk. */
  write(path: string, content: Uint8Array, like: string): void;
  /** Makes a hard link, or a copy where hard links do not exist. */
  duplicate(from: string, to: string): void;
  rename(from: string, to: string): void;
  /** Removes a file if it exists. */
  remove(path: string): void;
  exists(path: string): boolean;
  names(folder: string): string[];
  /** Returns once the names in a folder are on the disk. */
  sync(folder: string): void;
};

export type Replacement = {
  /** The program, with links resolved. */
  path: string;
  content: Uint8Array;
  /** The answer to `--version` that the new program must give. */
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
 * Replaces a program with a newer one. After every step a complete old or new program has the name; the old one is kept until
 * the new one has answered from its place. Windows cannot rename over a running program: there the old one is moved aside
 * first and is briefly missing under its name.
 * @throws RalphError `environment`, with the old program back in its place
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
    requireVersion(ask, fresh, version);
    if (platform === "win32") files.rename(path, old);
    else files.duplicate(path, old);
    files.rename(fresh, path);
    files.sync(folder);
    requireVersion(ask, path, version);
  } catch (cause) {
    undo(files, { path, fresh, old });
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("environment", `${path} could not be replaced: ${reasonOf(cause)}`, {
      hint: "The old program is in its place. Check that its folder is writable and has room, then try again.",
      cause,
    });
  }
  attempt(() => files.remove(old));
}

function requireVersion(ask: Replacement["ask"], path: string, version: string): void {
  const answer = ask(path);
  if (answer === version) return;
  const problem = answer === null ? "does not run here" : `says it is ${JSON.stringify(answer)}`;
  throw new RalphError("environment", `The new program ${problem}; it should be ${version}.`, {
    hint: "The old program is in its place. Please report this.",
  });
}

/** Restores the old program if necessary. */
function undo(files: ProgramFiles, { path, fresh, old }: { path: string; fresh: string; old: string }): void {
  attempt(() => {
    if (!files.exists(old)) return;
    files.rename(old, path);
    // While both names belong to one file, POSIX rename does nothing.
    files.remove(old);
  });
  attempt(() => files.remove(fresh));
}

/** Removes what a killed update left, or (on Windows) one that could not remove its own running program. */
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
