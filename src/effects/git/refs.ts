/** Reads HEAD and refs in git's `files` format without git: 0.02 to 0.4 ms. */
import { join } from "node:path";
import { readBytes, readText } from "./read.ts";
import type { Repository } from "./repository.ts";

export type Head = {
  /** Id of the commit; null on a branch without commits. */
  oid: string | null;
  /** Short name of the branch; null when HEAD is detached. */
  branch: string | null;
};

const OID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** Git itself follows this many symbolic refs. */
const MAX_DEPTH = 5;

export function readHead(repository: Repository): Head {
  const value = readText(join(repository.gitDir, "HEAD"))?.trim() ?? "";
  const name = symbolicTarget(value);
  return name === null ? { oid: oidFrom(value), branch: null } : follow(repository, name, MAX_DEPTH);
}

export function shortBranch(ref: string): string {
  return ref.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : ref;
}

function symbolicTarget(value: string): string | null {
  return value.startsWith("ref:") ? value.slice("ref:".length).trim() : null;
}

/** Looks for a ref in this working tree (refs/bisect, refs/worktree), then in the shared folder, then in packed-refs. */
function follow(repository: Repository, name: string, depth: number): Head {
  const branch = shortBranch(name);
  if (depth === 0 || !isSafe(name)) return { oid: null, branch };
  const loose = readText(join(repository.gitDir, name)) ?? readText(join(repository.commonDir, name));
  if (loose === null) return { oid: packedRef(readPackedRefs(repository.commonDir), name), branch };
  const target = symbolicTarget(loose.trim());
  return target === null ? { oid: oidFrom(loose.trim()), branch } : follow(repository, target, depth - 1);
}

function oidFrom(text: string): string | null {
  return OID.test(text) ? text : null;
}

/** A ref name from the repository must not lead outside it. */
function isSafe(name: string): boolean {
  return name.startsWith("refs/") && !name.split(/[/\\]/).includes("..");
}

/** The text of packed-refs, "" without one: a line a ref, and a repository may have a million. @param dir its common folder */
export function readPackedRefs(dir: string): string {
  return readBytes(join(dir, "packed-refs"))?.toString("utf8") ?? "";
}

/**
 * Finds `oid name` in the text of packed-refs; searches instead of parsing because it may have tens of thousands of lines.
 */
export function packedRef(text: string, name: string): string | null {
  const lines = `\n${text}\n`;
  const end = lines.search(new RegExp(` ${name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\r?\\n`));
  if (end < 0) return null;
  return oidFrom(lines.slice(lines.lastIndexOf("\n", end) + 1, end));
}
