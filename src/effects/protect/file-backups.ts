import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makePrivateFolder, PRIVATE_FILE } from "../files/private.ts";
import { readRegular } from "../files/regular-file.ts";
import { statThere } from "../files/stat-there.ts";
import { forceMkdir, forceWriteFile } from "./displace.ts";

/** Backups of the files that a run needs, to restore deleted ones (product.md "Files"). */
export type FileBackups = {
  /** Restores files that are gone or no longer regular files. @returns their paths @throws the file system's error */
  restore(): string[];
};

/**
 * Keeps the content of `paths` in memory and in `runDir`.
 * @param paths absolute paths of the existing prompt, plan, agent file and settings
 */
export function backUpFiles(paths: readonly string[], runDir: string): FileBackups {
  const kept = paths.map((path) => ({ path, content: readRegular(path) }));
  const folder = join(runDir, "kept");
  makePrivateFolder(folder);
  // Written directly: the folder is new and belongs to this run, and nothing reads it while the run lives.
  for (const { path, content } of kept) writeFileSync(join(folder, basename(path)), content, { mode: PRIVATE_FILE });
  return {
    restore() {
      const lost = kept.filter(({ path }) => statThere(path)?.isFile() !== true);
      for (const { path, content } of lost) {
        forceMkdir(dirname(path));
        forceWriteFile(path, content);
      }
      return lost.map(({ path }) => path);
    },
  };
}
