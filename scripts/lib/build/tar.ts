import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/**
 * The files of a `.tgz` by name. Supports plain files with names of at most 255 bytes, which covers all npm packages.
 */
export function readTgz(tgz: Uint8Array): Map<string, Buffer> {
  const tar = gunzipSync(tgz);
  const files = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const header = tar.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const size = Number.parseInt(text(header, 124, 12), 8);
    const prefix = text(header, 345, 155);
    const kind = String.fromCharCode(header[156] ?? 0);
    const name = prefix === "" ? text(header, 0, 100) : `${prefix}/${text(header, 0, 100)}`;
    if (kind === "0" || kind === "\0") files.set(name, tar.subarray(at + BLOCK, at + BLOCK + size));
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function text(header: Buffer, at: number, length: number): string {
  const field = header.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString("utf8", 0, end === -1 ? length : end).trim();
}
