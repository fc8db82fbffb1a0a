import { sha256Of } from "../files/sha256.ts";
import type { Repository } from "./repository.ts";

const DIGITS = 8;

/**
 * Tells apart the projects that share a repository, as its folders and its working trees, where they give names to refs.
 * @param prefix the project's path from the root of its checkout; "" for the root
 * @returns null for a project that has its repository for itself
 */
export function projectMark({ gitDir, commonDir }: Repository, prefix: string): string | null {
  if (prefix === "" && gitDir === commonDir) return null;
  return sha256Of(`${gitDir}\0${prefix}`).slice(0, DIGITS);
}
