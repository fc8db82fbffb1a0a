/**
 * Objects of a repository as files of their own: written under another name, then renamed, so that an object is whole or not there
 * (gitrepository-layout manual, "objects").
 */
import { createHash, randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { codeOf } from "../../core/system-error.ts";
import { readRegular, writeNewFile } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";

export type ObjectFormat = "sha1" | "sha256";
export type ObjectKind = "blob" | "tree" | "commit";
export type GitObject = { kind: string; body: Buffer };

/** As git writes them: nobody changes an object. */
const OBJECT_MODE = 0o444;
/** What git itself compresses loose objects with (core.looseCompression). */
const FAST = { level: 1 };
/** `git gc` deletes what nothing refers to and nobody wrote for two weeks; an older object is made as new as its new user. */
const FRESH_MS = 24 * 60 * 60 * 1000;

export function objectId(kind: string, body: Uint8Array, format: ObjectFormat): string {
  return createHash(format).update(`${kind} ${body.length}\0`).update(body).digest("hex");
}

/** An object that is not written yet. */
export type NewObject = { id: string; kind: ObjectKind; body: Uint8Array };

/**
 * Writes an object, unless it is there.
 * @param objects the repository's folder of that name
 * @throws the file system's error; nothing of the object is left then
 */
export function writeLoose(objects: string, { id, kind, body }: NewObject): void {
  const path = loosePath(objects, id);
  if (isFresh(path)) return;
  const content = deflateSync(Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body]), FAST);
  // In one folder, which is faster than in 256; `git gc` removes files of this name that a kill left.
  const temporary = join(objects, `tmp_obj_${randomUUID().slice(0, 8)}`);
  try {
    writeNewFile(temporary, content, OBJECT_MODE);
    moveInto(join(objects, id.slice(0, 2)), temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    // Windows replaces no file that may only be read: another process was faster with the same object.
    if (!isFresh(path)) throw error;
  }
}

/** A small file may unpack to any size; git itself reads blobs of this size at once. */
const MOST_BYTES = 512 * 1024 * 1024;

/** An object that is a file of its own; null if it is none. @throws the file system's error, or one of a damaged object */
export function readLoose(objects: string, id: string): GitObject | null {
  const path = loosePath(objects, id);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const whole = inflateSync(readRegular(path), { maxOutputLength: MOST_BYTES });
  const end = whole.indexOf(0);
  const [kind = "", size = ""] = whole.toString("latin1", 0, end).split(" ");
  const body = whole.subarray(end + 1);
  if (end < 0 || Number(size) !== body.length) throw new Error(`the object ${path} is damaged`);
  return { kind, body };
}

/** Whether an object is a file of its own; from now on it is as new as one that was just written. */
export function hasLoose(objects: string, id: string): boolean {
  return isFresh(loosePath(objects, id));
}

function loosePath(objects: string, id: string): string {
  return join(objects, id.slice(0, 2), id.slice(2));
}

function isFresh(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  // A crash of the machine may leave an empty file.
  if (stat?.isFile() !== true || stat.size === 0) return false;
  const now = new Date();
  if (now.getTime() - stat.mtimeMs > FRESH_MS) utimesSync(path, now, now);
  return true;
}

function moveInto(folder: string, from: string, to: string): void {
  try {
    renamePatiently(from, to);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    mkdirSync(folder);
    renamePatiently(from, to);
  }
}
