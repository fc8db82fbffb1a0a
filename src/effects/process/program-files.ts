import {
  closeSync,
  copyFileSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { writeWhole } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";
import type { ProgramFiles } from "../network/replace-program.ts";
import { runSync } from "./run-sync.ts";

/** The real file system. */
export const programFiles: ProgramFiles = {
  write(path, content, like) {
    const { mode } = statSync(like);
    rmSync(path, { force: true });
    const file = openSync(path, "wx", 0o755);
    try {
      // Overrides the updating user's umask: other users may run the program too.
      fchmodSync(file, mode);
      writeWhole(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  },
  duplicate(from, to) {
    rmSync(to, { force: true });
    try {
      linkSync(from, to);
    } catch {
      copyFileSync(from, to);
    }
  },
  rename: renamePatiently,
  remove: (path) => rmSync(path, { force: true }),
  exists: existsSync,
  names: readdirSync,
  sync(folder) {
    if (process.platform === "win32") return; // Windows cannot open a folder
    const descriptor = openSync(folder, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  },
};

const ANSWER_MS = 30_000;

/** A program's answer to `--version`; null if it cannot run. */
export function programVersion(path: string): string | null {
  // Windows starts no program without SystemRoot.
  const { SystemRoot = "" } = process.env;
  const options = { cwd: dirname(path), env: { SystemRoot }, timeoutMs: ANSWER_MS };
  const { exitCode, stdout } = runSync([path, "--version"], options);
  return exitCode === 0 ? stdout.trim() : null;
}
