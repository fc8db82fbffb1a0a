import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { settledVersionOf } from "../files/file-version.ts";
import { makePrivateFolder, PRIVATE_FILE } from "../files/private.ts";
import { MAX_TEXT_BYTES, readRegular } from "../files/regular-file.ts";
import { statThere } from "../files/stat-there.ts";
import { forceMkdir, forceWriteFile } from "./displace.ts";

/** Backups of the files that a run needs, to restore deleted ones (product.md "Files"). */
export type FileBackups = {
  /**
   * Restores files that are gone or no longer regular files, as they were at the last call of this, else at the start.
   * @returns their paths
   * @throws the file system's error
   */
  restore(): string[];
};

type Kept = { path: string; content: Buffer; version: string | null };

/**
 * Keeps the content of `paths` in memory, and as it is now in `runDir`.
 * @param paths absolute paths of the existing prompt, plan, agent file and settings
 * @param now epoch ms, of the clock that stamps files
 */
export function backUpFiles(paths: readonly string[], runDir: string, now: () => number = Date.now): FileBackups {
  // The version first: what is written between the two shows in the next.
  const kept = paths.map(
    (path): Kept => ({ path, version: settledVersionOf(path, now()), content: readRegular(path) }),
  );
  const folder = join(runDir, "kept");
  makePrivateFolder(folder);
  // Written directly: the folder is new and belongs to this run, and nothing reads it while the run lives.
  for (const { path, content } of kept) writeFileSync(join(folder, basename(path)), content, { mode: PRIVATE_FILE });
  return {
    restore() {
      const lost: string[] = [];
      for (const file of kept) {
        if (statThere(file.path)?.isFile() === true) {
          follow(file, now());
          continue;
        }
        forceMkdir(dirname(file.path));
        forceWriteFile(file.path, file.content);
        lost.push(file.path);
      }
      return lost;
    },
  };
}

/** Without this a plan that is deleted after hours would come back without a box that was ticked in them, and its work be paid for again. */
function follow(file: Kept, now: number): void {
  const version = settledVersionOf(file.path, now);
  if (version !== null && version === file.version) return;
  try {
    const content = readRegular(file.path, MAX_TEXT_BYTES);
    // Emptied is as good as lost.
    if (content.length > 0) Object.assign(file, { content, version });
  } catch {
    // It cannot be read right now: whoever needs it next tells.
  }
}
