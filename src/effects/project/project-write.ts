import { copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { reasonOf, writeHint } from "../../core/system-error.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { containsPath } from "../files/contains-path.ts";
import { SHARED_FILE } from "../files/private.ts";
import { renamePatiently } from "../files/rename.ts";

/** One change to a project's files. Paths are relative to its root, with forward slashes. */
export type FileChange =
  | {
      kind: "write";
      path: string;
      content: string;
      backup: boolean;
      executable?: boolean | undefined;
      /** A link stays, and the file of the project that it leads to is written; one out of the project is replaced. */
      follows?: boolean | undefined;
    }
  | { kind: "move"; path: string; to: string }
  | { kind: "remove"; path: string; backup: boolean }
  /** `from`, a backup, takes the place of `path`. */
  | { kind: "restore"; path: string; from: string; backup: boolean };

/**
 * Applies changes: first backups, then each file atomically. It follows no folder link out of the project, moves nothing onto
 * an existing file, and removes folders that moves left empty. If a write fails, it removes the project folder if it was new.
 * @param backups folder for old versions, below the root
 * @throws RalphError `environment` if a file cannot be written
 */
export function applyChanges(root: string, changes: readonly FileChange[], backups: string): void {
  const isNew = !existsSync(root);
  try {
    mkdirSync(root, { recursive: true });
    for (const change of changes) requireFree(root, change);
    for (const change of changes) backUp(root, change, backups);
    for (const change of changes) {
      const target = targetOf(root, change);
      if (change.kind === "write") writeFileAtomic(target, change.content, modeOf(target, change.executable === true));
      else if (change.kind === "remove") rmSync(target);
      else move(root, change.kind === "move" ? change.path : change.from, target);
    }
  } catch (cause) {
    if (isNew) rmSync(root, { recursive: true, force: true });
    if (cause instanceof RalphError) throw cause;
    throw new RalphError("environment", `${root} cannot be written: ${reasonOf(cause)}`, {
      hint: writeHint(cause, "Make the folder writable for you, and try again."),
      cause,
    });
  }
}

function targetOf(root: string, change: FileChange): string {
  const target = preparePath(root, change.kind === "move" ? change.to : change.path);
  return isFollowed(root, change) ? realpathSync(target) : target;
}

function isFollowed(root: string, change: FileChange): boolean {
  const path = join(root, change.path);
  return (
    change.kind === "write" &&
    change.follows === true &&
    existsSync(path) &&
    containsPath(realpathSync(root), realpathSync(path))
  );
}

/** A file that only its user may read stays one. */
function modeOf(path: string, executable: boolean): number {
  if (executable) return 0o777;
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? stat.mode & 0o777 : SHARED_FILE;
}

function requireFree(root: string, change: FileChange): void {
  if (change.kind !== "move" || lstatSync(join(root, change.to), { throwIfNoEntry: false }) === undefined) return;
  throw new RalphError("environment", `${change.path} cannot move: ${change.to} already exists.`, {
    hint: "Nothing was changed. Look at both, and try again.",
  });
}

function move(root: string, path: string, target: string): void {
  renamePatiently(join(root, path), target);
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch {
      return; // not empty
    }
  }
}

function backUp(root: string, change: FileChange, backups: string): void {
  const source = join(root, change.path);
  const stat = lstatSync(source, { throwIfNoEntry: false });
  if ((change.kind !== "move" && !change.backup) || stat === undefined) return;
  const target = preparePath(root, `${backups}/${change.path}`);
  if (stat.isFile() || isFollowed(root, change)) copyFileSync(source, target);
  else cpSync(source, target, { recursive: true, verbatimSymlinks: true });
}

/** The absolute path of a new file, after creating its folder; existing parents must lie inside the project. */
function preparePath(root: string, path: string): string {
  const target = join(root, ...path.split("/"));
  const folder = dirname(target);
  let existing = folder;
  while (!existsSync(existing) && lstatSync(existing, { throwIfNoEntry: false }) === undefined)
    existing = dirname(existing);
  const real = existsSync(existing) ? realpathSync(existing) : existing;
  if (!containsPath(realpathSync(root), real)) {
    throw new RalphError(
      "environment",
      `${existing} is a link that leads outside the project${real === existing ? "" : `, to ${real}`}.`,
      { hint: "Replace it with a real folder." },
    );
  }
  mkdirSync(folder, { recursive: true });
  return target;
}
