import { inflateRawSync } from "node:zlib";
import { codeOf } from "../../core/system-error.ts";

/** The bytes of a file in a ZIP archive, or why they cannot be read. */
export type ZipRead = { bytes: Uint8Array } | { problem: string };

const END = 0x06054b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
/** The longest comment that an archive can end with. */
const MAX_COMMENT = 0xffff;
const MAX_ENTRIES = 10_000;

/**
 * Reads one file of an in-memory ZIP archive by its exact name. Only the central directory at the end counts. Nothing is
 * written, so a crafted name cannot escape a folder.
 * @param maxBytes limit of the unpacked size; unpacking stops there, whatever size the archive states
 */
export function readZipFile(archive: Uint8Array, name: string, maxBytes: number): ZipRead {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endRecord(view);
  if (end === null) return { problem: "it is not a ZIP archive" };
  let at = view.getUint32(end + 16, true);
  const count = Math.min(view.getUint16(end + 10, true), MAX_ENTRIES);
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > archive.length || view.getUint32(at, true) !== ENTRY) return { problem: "its directory is damaged" };
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    const entryName = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength));
    if (entryName === name) return unpack(archive, view, at, maxBytes);
    at += 46 + nameLength + extra + comment;
  }
  return { problem: `it holds no ${name}` };
}

function unpack(archive: Uint8Array, view: DataView, entry: number, maxBytes: number): ZipRead {
  const flags = view.getUint16(entry + 8, true);
  const method = view.getUint16(entry + 10, true);
  const packed = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  if ((flags & 1) !== 0) return { problem: "it is encrypted" };
  if (local + 30 > archive.length || view.getUint32(local, true) !== LOCAL) return { problem: "it is damaged" };
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const bytes = archive.subarray(start, start + packed);
  if (bytes.length < packed) return { problem: "it is cut off" };
  if (method === 0) return bytes.length > maxBytes ? tooLarge(maxBytes) : { bytes };
  if (method !== 8) return { problem: `it uses an unsupported compression method (${method})` };
  try {
    return { bytes: inflateRawSync(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const code = codeOf(error);
    return code === "ERR_BUFFER_TOO_LARGE" ? tooLarge(maxBytes) : { problem: "it is damaged" };
  }
}

function tooLarge(maxBytes: number): ZipRead {
  return { problem: `it unpacks to more than ${maxBytes >> 20} MB` };
}

function endRecord(view: DataView): number | null {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - MAX_COMMENT); at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  return null;
}
