/** Refs as files (gitrepository-layout manual, "refs", "packed-refs"). */
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { renameOver } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import { appendRegular, readRegular, writeNewFile } from "../files/regular-file.ts";
import { readBytes, readText } from "./read.ts";
import { packedRef, readPackedRefs } from "./refs.ts";

/**
 * Writes a ref that only ralph writes. It is written under a name that git takes for a lock, and no one's: git's own would be left by a
 * kill, and block the next writer.
 * @param dir the repository's common folder
 * @param name such as `refs/ralph/RUN/3`
 * @throws the file system's error; the ref is as it was then
 */
export function writeRef(dir: string, name: string, id: string): void {
  const path = join(dir, name);
  const temporary = `${path}.${randomUUID().slice(0, 8)}.lock`;
  requireFolders(dir, dirname(name));
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  try {
    writeNewFile(temporary, `${id}\n`, SHARED_FILE);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  renameOver(temporary, path);
}

/** The id of a ref, loose or packed; null if there is none. */
export function readRef(dir: string, name: string): string | null {
  return readText(join(dir, name))?.trim() ?? packedRef(readPackedRefs(dir), name);
}

/** The names of all refs that begin so, sorted. @param prefix ending in "/" */
export function listRefs(dir: string, prefix: string): string[] {
  const loose = filesBelow(join(dir, prefix)).map((path) => prefix + path);
  return [...new Set([...loose, ...packedNames(dir).filter((name) => name.startsWith(prefix))])].sort();
}

/** Deletes all refs that begin with one of these, wherever they are kept. @param prefixes each ends in "/" @throws the file system's error */
export function deleteRefs(dir: string, prefixes: readonly string[]): void {
  for (const prefix of prefixes) requireFolders(dir, prefix.slice(0, -1));
  const isDropped = beginsWithOneOf(prefixes);
  // Once for all of them: the file has a line for each ref of years, and would be written anew for each run.
  if (packedNames(dir).some(isDropped)) dropPacked(join(dir, "packed-refs"), isDropped);
  for (const prefix of prefixes) dropLoose(dir, prefix);
}

/** By the folders of a name, of which there are few: of prefixes there may be thousands. */
function beginsWithOneOf(prefixes: readonly string[]): (name: string) => boolean {
  const wanted = new Set(prefixes);
  return (name) => {
    for (let end = name.indexOf("/"); end !== -1; end = name.indexOf("/", end + 1))
      if (wanted.has(name.slice(0, end + 1))) return true;
    return false;
  };
}

function dropLoose(dir: string, prefix: string): void {
  rmSync(join(dir, prefix), { recursive: true, force: true });
  for (let folder = dirname(join(dir, prefix)); folder !== join(dir, "refs"); folder = dirname(folder)) {
    if (!existsSync(folder) || readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
}

/** Git's lock of the file is taken before it is read: another program may be writing it. */
function dropPacked(packed: string, isDropped: (name: string) => boolean): void {
  const lock = `${packed}.lock`;
  writeNewFile(lock, "", SHARED_FILE);
  try {
    const text = withoutRefs(readRegular(packed).toString("latin1"), isDropped);
    appendRegular(lock, Buffer.from(text, "latin1"));
    renameOver(lock, packed);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  }
}

/** @throws Error where a link stands in place of a folder of refs: it could lead anywhere */
function requireFolders(dir: string, name: string): void {
  const parts = name.split("/");
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const folder = join(dir, ...parts.slice(0, depth));
    const stat = lstatSync(folder, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) throw new Error(`${folder} is no folder`);
  }
}

/** A line that begins with `^` tells more of the one before it. */
function withoutRefs(text: string, isDropped: (name: string) => boolean): string {
  let isLeftOut = false;
  const kept = text.split("\n").filter((line) => {
    if (!line.startsWith("^")) isLeftOut = !line.startsWith("#") && isDropped(line.slice(line.indexOf(" ") + 1));
    return !isLeftOut;
  });
  return kept.join("\n");
}

/** One character a byte: names of branches may be no UTF-8. */
function packedNames(dir: string): string[] {
  const text = readBytes(join(dir, "packed-refs"))?.toString("latin1") ?? "";
  const lines = text.split(/\r?\n/).filter((line) => /^[0-9a-f]{40,64} /.test(line));
  return lines.map((line) => line.slice(line.indexOf(" ") + 1));
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? filesBelow(join(folder, entry.name)).map((path) => `${entry.name}/${path}`)
        : entry.name.endsWith(".lock")
          ? []
          : [entry.name],
    );
  } catch {
    return []; // no such folder
  }
}
