import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { replaceFile } from "./whole-file.ts";

/** Copies of the files that a run needs, to put back what vanishes (product.md, "Files"). */
export type Keepsakes = {
  /** Puts back what is gone; the paths that were. */
  restore(): string[];
};

/**
 * Keeps the content of `paths` in memory and below `runDir`.
 * @param paths absolute paths of prompt, plan, agent file and settings, as far as they exist
 */
export function keepCopies(paths: readonly string[], runDir: string): Keepsakes {
  const kept = paths.map((path) => ({ path, content: readFileSync(path) }));
  const folder = join(runDir, "kept");
  mkdirSync(folder, { recursive: true });
  // In place: the folder is this run's own and new, and nobody reads it while the run lives.
  for (const { path, content } of kept) writeFileSync(join(folder, basename(path)), content);
  return {
    restore() {
      const lost = kept.filter(({ path }) => !existsSync(path));
      for (const { path, content } of lost) {
        mkdirSync(dirname(path), { recursive: true });
        replaceFile(path, content);
      }
      return lost.map(({ path }) => path);
    },
  };
}
