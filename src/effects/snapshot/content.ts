/** Content ids as git computes them: the hash of `blob <size>\0` and the bytes. */

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from "node:fs";
import { readRegular } from "../files/regular-file.ts";
import { type ObjectFormat, objectId } from "../git/loose-objects.ts";

/** Larger files are identified by size and time only. */
export const MAX_HASHED_BYTES = 64 * 1024 * 1024;
/** Most bytes that one snapshot reads: a folder full of data must not delay the loop. */
export const MAX_READ_BYTES = 512 * 1024 * 1024;

const CHUNK_BYTES = 64 * 1024;

export type Hasher = {
  /** Id of a file's bytes; null if it is unreadable or too large. */
  file(path: string | Buffer, size: number): string | null;
  /** Id of a symbolic link's target; null if it is unreadable. */
  link(path: string | Buffer): string | null;
  /** Whether `oid` is the file as git stores it: with LF line ends, or as a Git LFS pointer. */
  isStoredAs(oid: string, path: string | Buffer, size: number): boolean;
  readonly emptyBlob: string;
};

/** A hasher for one snapshot. @param algorithm git's object format, `sha1` or `sha256` */
export function createHasher(algorithm: ObjectFormat): Hasher {
  // Allocated on first use: most snapshots read nothing.
  let chunk: Buffer | null = null;
  let left = MAX_READ_BYTES;
  const idOf = (bytes: Buffer): string => objectId("blob", bytes, algorithm);
  const take = (size: number): boolean => {
    if (size > MAX_HASHED_BYTES || size > left) return false;
    left -= size;
    return true;
  };
  return {
    emptyBlob: idOf(Buffer.alloc(0)),
    file(path, size) {
      if (!take(size)) return null;
      chunk ??= Buffer.allocUnsafe(CHUNK_BYTES);
      return hashFile(path, algorithm, chunk);
    },
    link(path) {
      try {
        return idOf(readlinkSync(path, { encoding: "buffer" }));
      } catch {
        return null;
      }
    },
    isStoredAs(oid, path, size) {
      if (!take(size)) return false;
      try {
        const bytes = readRegular(path, MAX_HASHED_BYTES);
        return idOf(withoutCarriageReturns(bytes)) === oid || idOf(lfsPointer(bytes)) === oid;
      } catch {
        return false;
      }
    },
  };
}

/** Does not follow a link or wait for a pipe's writer, should one be there by now. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function hashFile(path: string | Buffer, algorithm: string, chunk: Buffer): string | null {
  let file: number;
  try {
    file = openSync(path, FLAGS);
  } catch {
    return null;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return null;
    const hash = createHash(algorithm).update(`blob ${stat.size}\0`);
    for (let left = stat.size; left > 0; ) {
      const read = readSync(file, chunk, 0, Math.min(chunk.length, left), null);
      if (read === 0) break;
      hash.update(chunk.subarray(0, read));
      left -= read;
    }
    return hash.digest("hex");
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

function withoutCarriageReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
function lfsPointer(bytes: Buffer): Buffer {
  const oid = createHash("sha256").update(bytes).digest("hex");
  return Buffer.from(`version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${bytes.length}\n`);
}
