/** Parses `.git/index`, versions 2 to 4 (gitformat-index manual). */
import { decodeName } from "./names.ts";

/**
 * One entry, a view of the bytes that it was read from: an index may have 100,000 entries, and most are only asked for their
 * path. A split index replaces entries, so `path` can differ from the name in the bytes.
 */
export type IndexEntry = { readonly path: string; readonly bytes: Buffer; readonly at: number; readonly flags: number };

export type IndexFile = {
  entries: IndexEntry[];
  /** The payload of the `link` extension: this index amends a shared one. */
  link: Buffer | null;
  /** Nothing changed since git last wrote the whole index as a tree, as each commit and checkout does (extension `TREE`). */
  isWritten: boolean;
};

export const ASSUME_VALID = 1 << 15;
export const STAGE = 0x3000;
export const SKIP_WORKTREE = 1 << 30;
export const INTENT_TO_ADD = 1 << 29;
const EXTENDED = 1 << 14;
const STAT_BYTES = 40;

export const GITLINK = 0o160000;
export const SPARSE_FOLDER = 0o040000;

/** Seconds and nanoseconds as the file system reported them when git last looked. */
export const mtimeOf = ({ bytes, at }: IndexEntry) => ({
  s: bytes.readUInt32BE(at + 8),
  ns: bytes.readUInt32BE(at + 12),
});
export const ctimeOf = ({ bytes, at }: IndexEntry) => ({ s: bytes.readUInt32BE(at), ns: bytes.readUInt32BE(at + 4) });
export const inodeOf = ({ bytes, at }: IndexEntry): number => bytes.readUInt32BE(at + 20);
export const modeOf = ({ bytes, at }: IndexEntry): number => bytes.readUInt32BE(at + 24);
/** Modulo 2^32. */
export const sizeOf = ({ bytes, at }: IndexEntry): number => bytes.readUInt32BE(at + 36);
/** @param width bytes of an object id: 20 (sha1) or 32 (sha256) */
export const oidOf = ({ bytes, at }: IndexEntry, width: number): string =>
  bytes.toString("hex", at + STAT_BYTES, at + STAT_BYTES + width);

/** Parses a complete index. @param width bytes of an object id; throws a RangeError or Error if the bytes are not an index */
export function parseIndex(bytes: Buffer, width: number): IndexFile {
  if (bytes.toString("latin1", 0, 4) !== "DIRC") throw new Error("not a git index");
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw new Error(`git index of version ${version}`);
  const count = bytes.readUInt32BE(8);
  const entries: IndexEntry[] = [];
  const path = createPathReader(bytes, version);
  let at = 12;
  for (let left = count; left > 0; left -= 1) {
    let flags = bytes.readUInt16BE(at + STAT_BYTES + width);
    let nameAt = at + STAT_BYTES + width + 2;
    if (flags & EXTENDED) {
      flags |= bytes.readUInt16BE(nameAt) << 16;
      nameAt += 2;
    }
    const name = path(nameAt);
    entries.push({ path: name, bytes, at, flags });
    at = version === 4 ? path.end() + 1 : at + ((path.end() - at + 8) & ~7);
  }
  const end = bytes.length - width;
  const tree = extension(bytes, at, end, "TREE");
  // The root has an empty path; its entry count is negative after the first change.
  const isWritten = tree !== null && tree[0] === 0 && tree[1] !== "-".charCodeAt(0);
  return { entries, link: extension(bytes, at, end, "link"), isWritten };
}

/** Longer than any path that a system opens. Of a damaged index each name could be as long as all before it together. */
const MAX_PATH_BYTES = 64 * 1024;

/** A name without an end would send the reader back to the beginning, for as many entries as the index claims to have. */
function endOfName(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  if (end === -1) throw new Error("damaged git index");
  return end;
}

type PathReader = { (at: number): string /** Offset of the NUL behind the path read last. */; end(): number };

/** Versions 2 and 3 store each path in full; version 4 stores only the difference from the previous path. */
function createPathReader(bytes: Buffer, version: number): PathReader {
  let end = 0;
  const plain = (at: number): string => {
    end = endOfName(bytes, at);
    return decodeName(bytes, at, end);
  };
  let previous = Buffer.alloc(0);
  const compressed = (at: number): string => {
    let from = at;
    let byte = bytes.readUInt8(from++);
    let strip = byte & 0x7f;
    while (byte & 0x80) {
      byte = bytes.readUInt8(from++);
      strip = ((strip + 1) << 7) | (byte & 0x7f);
    }
    end = endOfName(bytes, from);
    if (strip > previous.length) throw new Error("damaged git index");
    previous = Buffer.concat([previous.subarray(0, previous.length - strip), bytes.subarray(from, end)]);
    if (previous.length > MAX_PATH_BYTES) throw new Error("damaged git index");
    return decodeName(previous, 0, previous.length);
  };
  return Object.assign(version === 4 ? compressed : plain, { end: () => end });
}

function extension(bytes: Buffer, from: number, to: number, wanted: string): Buffer | null {
  let at = from;
  while (at + 8 <= to) {
    const size = bytes.readUInt32BE(at + 4);
    if (bytes.toString("latin1", at, at + 4) === wanted) return bytes.subarray(at + 8, at + 8 + size);
    at += 8 + size;
  }
  return null;
}
