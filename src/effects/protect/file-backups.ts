import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isFile } from "../project/project-paths.ts";
import { forceMkdir, forceWriteFile } from "./displace.ts";

/** Copies of the files that a run needs, to put back what vanishes (product.md, "Files"). */
export type FileBackups = {
  /** Puts back what is gone, or is no file any more; the paths that were. */
  restore(): string[];
};

/**
 * Keeps the content of `paths` in memory and below `runDir`.
 * @param paths absolute paths of prompt, plan, agent file and settings, as far as they exist
 */
export function backUpFiles(paths: readonly string[], runDir: string): FileBackups {
  const kept = paths.map((path) => ({ path, content: readFileSync(path) }));
  const folder = join(runDir, "kept");
  mkdirSync(folder, { recursive: true });
  // In place: the folder is this run's own and new, and nobody reads it while the run lives.
  for (const { path, content } of kept) writeFileSync(join(folder, basename(path)), content);
  return {
    restore() {
      const lost = kept.filter(({ path }) => !isFile(path));
      for (const { path, content } of lost) {
        forceMkdir(dirname(path));
        forceWriteFile(path, content);
      }
      return lost.map(({ path }) => path);
    },
  };
}
