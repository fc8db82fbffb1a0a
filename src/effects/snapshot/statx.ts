/**
 * `statx` of the C library, which fills in the same words of memory for each file: they are compared with those of the last look, and
 * no object is made while they are the same. That takes 1.1 us a file, `lstatSync` 1.6 to 2.1 (measured with 1,000 files).
 *
 * `node:` has no call for it, so this file may use what Bun adds (AGENTS.md, rule 5). Elsewhere there is `lstat`.
 */
import { closeSync, constants, openSync } from "node:fs";
import process from "node:process";
import { encodePath } from "../git/names.ts";
import type { FileStat } from "./listing.ts";

/** The files of one folder, and what each was like at its last look. */
export type LookedFiles = {
  /** As bytes with a zero at the end. */
  readonly names: readonly Uint8Array[];
  /** KEPT of each file. */
  readonly words: Uint32Array;
};

/** The file is as it was at its last look. */
export const SAME = Symbol("same");

export type FolderLook = {
  /**
   * Looks at the nth file.
   * @param mayBeSame whether SAME is an answer
   * @returns null if nothing can be said: `lstat` says why
   */
  at(nth: number, mayBeSame: boolean): FileStat | typeof SAME | null;
  close(): void;
};

/** Looks at the files of one folder; null if it cannot be opened. */
export type Statx = (folder: string | Buffer, files: LookedFiles) => FolderLook | null;

/** Files at which nobody looked yet. */
export function lookedFiles(names: readonly string[]): LookedFiles {
  return { names: names.map(zeroTerminated), words: new Uint32Array(names.length * KEPT.length) };
}

function zeroTerminated(name: string): Uint8Array {
  const bytes = encodePath(name);
  return typeof bytes === "string" ? Buffer.from(`${bytes}\0`) : Buffer.concat([bytes, Buffer.alloc(1)]);
}

/** Of linux/stat.h and linux/fcntl.h, the same on all processors. */
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_NO_AUTOMOUNT = 0x800;
const TYPE_MODE_INO_SIZE_TIMES = 0x3c3;
/** `struct statx` in words of 32 bits; numbers of 64 take two, the low one first on all processors that ralph is built for. */
const STRUCT_WORDS = 64;
const [MODE, INO, SIZE, CTIME, MTIME] = [7, 8, 10, 24, 28];
const KEPT = [MODE, INO, INO + 1, SIZE, SIZE + 1, CTIME, CTIME + 1, CTIME + 2, MTIME, MTIME + 1, MTIME + 2];
const FORMAT = 0o170000;
const FOLDER = 0o040000;
const LINK = 0o120000;

/** Null where the runtime or the system has no such call. */
export function openStatx(): Statx | null {
  const statx = process.platform === "linux" && process.versions.bun !== undefined ? openCall() : null;
  if (statx === null) return null;
  const found = new Uint32Array(STRUCT_WORDS);
  return (folder, { names, words }) => {
    const descriptor = openFolder(folder);
    if (descriptor === null) return null;
    const isAsBefore = (nth: number): boolean => {
      const from = nth * KEPT.length;
      let isSame = true;
      for (let at = 0; at < KEPT.length; at += 1) {
        const word = found[KEPT[at] ?? 0] ?? 0;
        if (words[from + at] === word) continue;
        words[from + at] = word;
        isSame = false;
      }
      return isSame;
    };
    return {
      at(nth, mayBeSame) {
        const name = names[nth];
        const flags = AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;
        if (name === undefined || statx(descriptor, name, flags, TYPE_MODE_INO_SIZE_TIMES, found) !== 0) {
          words.fill(0, nth * KEPT.length, (nth + 1) * KEPT.length);
          return null;
        }
        return isAsBefore(nth) && mayBeSame ? SAME : statFrom(found);
      },
      close: () => closeSync(descriptor),
    };
  };
}

function openFolder(folder: string | Buffer): number | null {
  try {
    return openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return null; // `lstat` of each file says what is the matter
  }
}

function statFrom(found: Uint32Array): FileStat {
  const word = (at: number) => found[at] ?? 0;
  const long = (at: number) => word(at) + word(at + 1) * 2 ** 32;
  // Seconds may be negative.
  const ms = (at: number) => (word(at) + (word(at + 1) | 0) * 2 ** 32) * 1_000 + word(at + 2) / 1_000_000;
  const mode = word(MODE) & 0xffff;
  return {
    mode,
    ino: long(INO),
    size: long(SIZE),
    ctimeMs: ms(CTIME),
    mtimeMs: ms(MTIME),
    isDirectory: () => (mode & FORMAT) === FOLDER,
    isSymbolicLink: () => (mode & FORMAT) === LINK,
  };
}

/** Memory is passed as it is, never by its address: small arrays move. */
type Call = (folder: number, name: Uint8Array, flags: number, mask: number, found: Uint32Array) => number;
type BunFfi = {
  dlopen(path: string, symbols: { statx: { args: string[]; returns: string } }): { symbols: { statx: Call } };
};

function openCall(): Call | null {
  try {
    const { dlopen } = process.getBuiltinModule("bun:ffi") as unknown as BunFfi;
    // The C library's name on glibc; musl takes it for its own.
    return dlopen("libc.so.6", { statx: { args: ["int", "ptr", "int", "u32", "ptr"], returns: "int" } }).symbols.statx;
  } catch {
    return null; // a system without this library or call, or one that forbids to run generated code
  }
}
