import {
  chmodSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { isWithin } from "../../core/sandbox/policy.ts";
import { codeOf } from "../../core/system-error.ts";
import { realPath } from "../files/path-kind.ts";
import { makePrivateFolder } from "../files/private.ts";

/** Rights of its owner by which a folder is looked into, and by which it is changed and moved. */
const LOOK = 0o500;
const CHANGE = 0o700;

/** What an agent finds read-only in a git folder, or set aside as a whole. What is new in it, somebody outside has made: a tool that links hooks. */
const OUT_OF_REACH: readonly string[] = ["hooks", "modules"];

export type StrayOptions = {
  /** What git or an agent outside would obey, of which nothing is there, or a link: no mount can stand on it. */
  paths: readonly string[];
  /** Where nothing but a folder may come to be: a file there would lead git elsewhere. */
  onlyFolders: readonly string[];
  /** Where git looks for repositories now, by what the agent may change: one that it made there would lead git anywhere. */
  submodules(): readonly string[];
  /** Git folders that the agent may change: git outside would read, append to and overwrite whatever a link in one leads to. */
  gitFolders: readonly string[];
  /** Folders in which the agent may write; whatever lies in none of them, it cannot have made. */
  roots: readonly string[];
  /** Folder for what the agent made there. */
  keep: string;
  project: string;
};

/**
 * Looks, before a call, what stands where nothing of the agent's may stay.
 * @returns sets aside what it made there, and puts links back; call it when the agent is gone. It gives what was done. A link on
 * the way that the agent laid is moved itself: what it leads to may be anybody's.
 */
export function watchStrays({
  paths,
  onlyFolders,
  submodules,
  gitFolders,
  roots,
  keep,
  project,
}: StrayOptions): () => string[] {
  const watched = [...onlyFolders, ...paths].flatMap((path) => {
    const [root] = roots.filter((one) => isWithin(path, one)).sort((a, b) => b.length - a.length);
    const was = linkAt(path);
    return root === undefined || (was === null && isThere(path)) ? [] : [{ path, root, was }];
  });
  const links = new Map(watched.flatMap(({ path, root }) => linksOn(path, root)));
  const known = new Set(submodules().filter(isThere));
  const gitLinks = () => gitFolders.flatMap((folder) => linksBelow(folder));
  const knownLinks = new Map(gitLinks());
  let moved = 0;

  /** Nothing is told of what is gone: the ralph of another worker looks into the same repository. */
  function setAside(path: string): string[] {
    makePrivateFolder(keep);
    moved += 1;
    const copy = join(keep, `${basename(path)}.${moved}-${Date.now()}`);
    try {
      for (const folder of [dirname(path), path]) allow(folder, CHANGE);
      renameSync(path, copy);
    } catch (error) {
      if (isThere(path)) throw error;
      return [];
    }
    return [`${relative(project, path)} (removed; it is kept in ${relative(project, copy)})`];
  }

  function look({ path, root, was }: (typeof watched)[number]): string[] {
    const laid = linksOn(path, root).find(([link, target]) => links.get(link) !== target);
    const done = laid === undefined ? [] : setAside(laid[0]);
    const above = realPath(dirname(path));
    // By a link of the user's, where the agent has nothing to write.
    if (above !== null && !roots.some((one) => isWithin(above, one))) return done;
    const mayStay = onlyFolders.includes(path) && lookAt(path)?.isDirectory() === true;
    if (isThere(path) && !mayStay && (was === null || linkAt(path) !== was)) done.push(...setAside(path));
    if (was !== null && !isThere(path)) {
      mkdirSync(dirname(path), { recursive: true });
      symlinkSync(was, path);
    }
    return done;
  }

  /** By a link git looks into none. */
  const lookInto = () =>
    submodules().filter((path) => !known.has(path) && isThere(path) && realPath(dirname(path)) === dirname(path));
  const laid = () => gitLinks().filter(([path, target]) => knownLinks.get(path) !== target);
  return () => [
    ...laid().flatMap(([path]) => setAside(path)),
    ...watched.flatMap(look),
    ...lookInto().flatMap(setAside),
  ];
}

/**
 * The links in a git folder that git would follow, with their targets, and folders that cannot be looked into; git writes none of the files
 * twice that are kept by their hash.
 */
function linksBelow(folder: string, above: readonly string[] = []): [string, string][] {
  const at = join(folder, ...above);
  const entries = entriesOf(at);
  if (entries === null) return [[at, ""]];
  const isByHash = above.at(-1) === "objects" && !above.includes("refs") && !above.includes("logs");
  return entries.flatMap((entry): [string, string][] => {
    const path = join(at, entry.name);
    if (entry.isSymbolicLink()) {
      const target = linkAt(path);
      return target === null || isBranch(entry.name, target) ? [] : [[path, target]];
    }
    if (!entry.isDirectory() || (isByHash && /^[\da-f]{2}$/.test(entry.name))) return [];
    if (above.length === 0 && OUT_OF_REACH.includes(entry.name)) return [];
    return linksBelow(folder, [...above, entry.name]);
  });
}

/** Git takes such a link for the name of a branch, and makes them with core.preferSymlinkRefs. */
function isBranch(name: string, target: string): boolean {
  return name === "HEAD" && target.startsWith("refs/") && !target.includes("..");
}

/**
 * What lies in a folder, though the agent took away its owner's rights: git needs only some of them. Null if that cannot be told; nothing in
 * one that is gone, as other workers' git makes and removes folders all the time.
 */
function entriesOf(folder: string): Dirent[] | null {
  try {
    const stat = lookAt(folder);
    if (stat?.isDirectory() === false) return null;
    allow(folder, LOOK);
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    return codeOf(error) === "ENOENT" ? [] : null;
  }
}

/** Gives a folder rights of its owner that it lacks, and no others: git-annex has folders that nobody may write to. */
function allow(folder: string, rights: number): void {
  const stat = lookAt(folder);
  if (stat?.isDirectory() && (stat.mode & rights) !== rights) chmodSync(folder, (stat.mode & 0o7777) | rights);
}

/** The links among the folders below a root that lead to a path, and the path itself, with their targets; up to the first that leads nowhere. */
function linksOn(path: string, root: string): [string, string][] {
  const parts = relative(root, path).split(sep);
  return parts.flatMap((_, at): [string, string][] => {
    const step = join(root, ...parts.slice(0, at + 1));
    const target = linkAt(step);
    return target === null ? [] : [[step, target]];
  });
}

function linkAt(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null; // it is none, or is gone
  }
}

function isThere(path: string): boolean {
  return lookAt(path) !== undefined;
}

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // below a file, or a circle of links: nothing can be there
  }
}
