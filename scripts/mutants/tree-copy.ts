import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sources } from "./generate.ts";

/** Not copied: the history, what is built or installed; `node_modules` is linked. */
const LEFT_OUT = new Set([".git", ".agents", "coverage", "dist", "node_modules"]);
const PREFIX = "ralph-mutants-";

/** A copy of the project to break: the tree itself, and a home and a folder for temporary files beside it. */
export type TreeCopy = { root: string; home: string; temporary: string };

/** A folder for all copies of one run, named by the process that may remove it. */
export function makeWorkshop(): string {
  return mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Removes what runs left behind that were killed. */
export function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (pid > 0 && !isAlive(pid)) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Copies a project into a folder of its own below the workshop. */
export function copyTree(from: string, workshop: string): TreeCopy {
  const folder = mkdtempSync(join(workshop, "copy-"));
  const copy: TreeCopy = { root: join(folder, "tree"), home: join(folder, "home"), temporary: join(folder, "tmp") };
  for (const made of Object.values(copy)) mkdirSync(made);
  for (const name of readdirSync(from))
    if (!LEFT_OUT.has(name))
      cpSync(join(from, name), join(copy.root, name), { recursive: true, verbatimSymlinks: true });
  // A junction needs no rights on Windows; elsewhere the word means nothing.
  symlinkSync(join(from, "node_modules"), join(copy.root, "node_modules"), "junction");
  return copy;
}

/** All TypeScript of a copy, sorted by path. */
export function sourcesOf({ root }: TreeCopy): Sources {
  const files = [...new Bun.Glob("{src,drivers,scripts,tests}/**/*.{ts,mjs}").scanSync(root)]
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !/^tests\/(fixtures|conformance\/data)\//.test(file))
    .sort();
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}
