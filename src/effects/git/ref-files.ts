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
  const packed = packedLines(dir).map((line) => line.slice(line.indexOf(" ") + 1));
  return [...new Set([...loose, ...packed.filter((name) => name.startsWith(prefix))])].sort();
}

/** Deletes all refs that begin so, wherever they are kept. @param prefix ending in "/" @throws the file system's error */
export function deleteRefs(dir: string, prefix: string): void {
  requireFolders(dir, prefix.slice(0, -1));
  if (packedLines(dir).some((line) => line.includes(` ${prefix}`))) dropPacked(join(dir, "packed-refs"), prefix);
  rmSync(join(dir, prefix), { recursive: true, force: true });
  for (let folder = dirname(join(dir, prefix)); folder !== join(dir, "refs"); folder = dirname(folder)) {
    if (!existsSync(folder) || readdirSync(folder).length > 0) return;
    rmdirSync(folder);
  }
}

/** Git's lock of the file is taken before it is read: another program may be writing it. */
function dropPacked(packed: string, prefix: string): void {
  const lock = `${packed}.lock`;
  writeNewFile(lock, "", SHARED_FILE);
  try {
    const text = withoutRefs(readRegular(packed).toString("latin1"), prefix);
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
function withoutRefs(text: string, prefix: string): string {
  let isDropped = false;
  const kept = text.split("\n").filter((line) => {
    if (!line.startsWith("^"))
      isDropped = !line.startsWith("#") && line.slice(line.indexOf(" ") + 1).startsWith(prefix);
    return !isDropped;
  });
  return kept.join("\n");
}

/** One character a byte: names of branches may be no UTF-8. */
function packedLines(dir: string): string[] {
  const text = readBytes(join(dir, "packed-refs"))?.toString("latin1") ?? "";
  return text.split(/\r?\n/).filter((line) => /^[0-9a-f]{40,64} /.test(line));
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
