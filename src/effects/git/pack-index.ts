/** Whether a repository's packs have an object (gitformat-pack, "Version 2 pack-*.idx files"). */
import { closeSync, fstatSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { openRegular } from "../files/regular-file.ts";

const MAGIC = 0xff744f63;
const FANOUT = 8;
const IDS = FANOUT + 256 * 4;

/** @param objects the repository's folder of that name @param width bytes of an id */
export function openPacks(objects: string, width: number): { has(id: string): boolean; close(): void } {
  const packs = indexesBelow(join(objects, "pack")).flatMap((path) => openIndex(path, width));
  return {
    has: (id) => packs.some(({ has }) => has(Buffer.from(id, "hex"))),
    close() {
      for (const { fd } of packs) closeSync(fd);
    },
  };
}

function indexesBelow(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".idx"))
      .map((name) => join(folder, name));
  } catch {
    return []; // no packs
  }
}

/** Empty for an index that is of another version, cut or gone: an object in it is written once more. */
function openIndex(path: string, width: number): { fd: number; has(id: Buffer): boolean }[] {
  let fd: number;
  try {
    fd = openRegular(path, "read");
  } catch {
    return []; // `git gc` replaced it
  }
  const head = Buffer.alloc(IDS);
  const isWhole = readSync(fd, head, 0, IDS, 0) === IDS && head.readUInt32BE(0) === MAGIC && head.readUInt32BE(4) === 2;
  const count = head.readUInt32BE(IDS - 4);
  if (!isWhole || fstatSync(fd).size < IDS + count * width) {
    closeSync(fd);
    return [];
  }
  const one = Buffer.alloc(width);
  const has = (id: Buffer): boolean => {
    const first = id[0] ?? 0;
    let low = first === 0 ? 0 : head.readUInt32BE(FANOUT + (first - 1) * 4);
    let high = head.readUInt32BE(FANOUT + first * 4);
    while (low < high) {
      const middle = (low + high) >>> 1;
      readSync(fd, one, 0, width, IDS + middle * width);
      const order = one.compare(id);
      if (order === 0) return true;
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return false;
  };
  return [{ fd, has }];
}
