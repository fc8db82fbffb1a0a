import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { LargeFile } from "../ports.ts";
import type { Git } from "./git-program.ts";
import { discoverRepository } from "./repository.ts";

/** What GitHub takes of one file; others take as much, or less. */
const LARGE_BYTES = 100 * 2 ** 20;

/**
 * The staged files that are too large for most servers, by what git has of them: a filter such as Git LFS may keep the rest elsewhere.
 * Starts git only where a file on the disk is so large.
 * @param staged paths from the root
 */
export async function largeStaged(git: Git, staged: readonly string[]): Promise<LargeFile[]> {
  const root = discoverRepository(git.dir)?.root;
  if (root === undefined) return [];
  const paths = staged.filter((path) => !path.includes("\n") && sizeOf(join(root, path)) > LARGE_BYTES);
  if (paths.length === 0) return [];
  const asked = paths.map((path) => `:0:${path}\n`).join("");
  const sizes = await git.need(["cat-file", "--batch-check=%(objectsize)"], { input: asked });
  const known = sizes.split("\n").map(Number);
  return paths.map((path, at) => ({ path, bytes: known[at] ?? 0 })).filter(({ bytes }) => bytes > LARGE_BYTES);
}

function sizeOf(path: string): number {
  try {
    const stat = lstatSync(path);
    return stat.isFile() ? stat.size : 0;
  } catch {
    return 0; // deleted meanwhile
  }
}
