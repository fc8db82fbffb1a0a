import { createHash } from "node:crypto";

/** Constants of a 64-bit Mach-O file (mach-o/loader.h). */
const MAGIC = 0xfeedfacf;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
/** Constants of a signature (cs_blobs.h), whose numbers are big-endian. */
const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const PAGE = 4_096;
const PAGE_BITS = 12;
const HASH = 32;
const SHA256 = 2;
const FLAG_ADHOC = 0x2;
/** Bytes of a code directory before its identifier, and of the enclosing blob. */
const HEAD = 88;
const SUPER_HEAD = 20;
/** Segments take whole pages in memory; this is the largest page of any Mac. */
const SEGMENT_UNIT = 16_384;

export type MachO = {
  cpu: "x64" | "arm64" | "other";
  /** The place of the signature and its load command; null for an unsigned program. */
  signature: { offset: number; size: number; command: number } | null;
  /** The segment with the program's code. */
  text: { offset: number; size: number };
  /** Load command of the last segment, which contains the signature. */
  linkEdit: number;
};

const PROCESSORS: Readonly<Record<number, MachO["cpu"]>> = { 16777223: "x64", 16777228: "arm64" };

/** Reads the headers. @throws Error for anything but a 64-bit Mach-O program */
export function readMachO(bytes: Buffer): MachO {
  if (bytes.readUInt32LE(0) !== MAGIC) throw new Error("it is no 64-bit Mach-O file");
  const found: MachO = {
    cpu: PROCESSORS[bytes.readUInt32LE(4)] ?? "other",
    signature: null,
    text: { offset: 0, size: 0 },
    linkEdit: 0,
  };
  let at = 32;
  for (let command = 0; command < bytes.readUInt32LE(16); command++) {
    const kind = bytes.readUInt32LE(at);
    if (kind === LC_CODE_SIGNATURE)
      found.signature = { offset: bytes.readUInt32LE(at + 8), size: bytes.readUInt32LE(at + 12), command: at };
    if (kind === LC_SEGMENT_64 && nameAt(bytes, at) === "__TEXT")
      found.text = { offset: Number(bytes.readBigUInt64LE(at + 40)), size: Number(bytes.readBigUInt64LE(at + 48)) };
    if (kind === LC_SEGMENT_64 && nameAt(bytes, at) === "__LINKEDIT") found.linkEdit = at;
    at += bytes.readUInt32LE(at + 4);
  }
  return found;
}

export type SignatureReport = { isAdHoc: boolean; identifier: string; pages: number; badPages: number };

/** Hashes every page again and compares; null without a SHA-256 signature. */
export function checkSignature(bytes: Buffer): SignatureReport | null {
  const { signature } = readMachO(bytes);
  if (signature === null || bytes.readUInt32BE(signature.offset) !== SUPER_BLOB) return null;
  for (let index = 0; index < bytes.readUInt32BE(signature.offset + 8); index++) {
    const at = signature.offset + bytes.readUInt32BE(signature.offset + 12 + index * 8 + 4);
    if (bytes.readUInt32BE(at) !== CODE_DIRECTORY || bytes[at + 37] !== SHA256) continue;
    const flags = bytes.readUInt32BE(at + 12);
    const hashes = at + bytes.readUInt32BE(at + 16);
    const name = at + bytes.readUInt32BE(at + 20);
    const pages = bytes.readUInt32BE(at + 28);
    const limit = bytes.readUInt32BE(at + 32);
    const pageSize = 1 << (bytes[at + 39] ?? 0);
    let badPages = Math.abs(pages - Math.ceil(limit / pageSize));
    for (let page = 0; page < pages; page++) {
      const wanted = bytes.subarray(hashes + page * HASH, hashes + (page + 1) * HASH);
      const content = bytes.subarray(page * pageSize, Math.min((page + 1) * pageSize, limit));
      if (!sha256(content).equals(wanted)) badPages++;
    }
    const identifier = bytes.toString("latin1", name, bytes.indexOf(0, name));
    return { isAdHoc: (flags & FLAG_ADHOC) !== 0, identifier, pages, badPages };
  }
  return null;
}

/**
 * Replaces the program's final signature by an ad-hoc one, as `codesign --sign -` does, but on any machine. Bun's
 * runtime for Intel Macs is signed by its makers, and macOS kills a program whose pages do not match its signature.
 * @throws Error if it has no signature to replace
 */
export function signedAdHoc(program: Buffer, identifier: string): Buffer {
  const { signature, text, linkEdit } = readMachO(program);
  if (signature === null || linkEdit === 0) throw new Error("it has no signature to replace");
  const { offset, command } = signature;
  const name = Buffer.from(`${identifier}\0`, "latin1");
  const pages = Math.ceil(offset / PAGE);
  const size = SUPER_HEAD + HEAD + name.length + pages * HASH;
  const signed = Buffer.concat([program.subarray(0, offset), Buffer.alloc(size)]);

  // The headers come first, because the hashes cover them.
  const linkEditSize = offset + size - Number(signed.readBigUInt64LE(linkEdit + 40));
  signed.writeUInt32LE(size, command + 12);
  signed.writeBigUInt64LE(BigInt(linkEditSize), linkEdit + 48);
  signed.writeBigUInt64LE(BigInt(Math.ceil(linkEditSize / SEGMENT_UNIT) * SEGMENT_UNIT), linkEdit + 32);

  const blob = signed.subarray(offset);
  blob.writeUInt32BE(SUPER_BLOB, 0);
  blob.writeUInt32BE(size, 4);
  blob.writeUInt32BE(1, 8);
  blob.writeUInt32BE(SUPER_HEAD, 16);
  const directory = blob.subarray(SUPER_HEAD);
  directory.writeUInt32BE(CODE_DIRECTORY, 0);
  directory.writeUInt32BE(directory.length, 4);
  directory.writeUInt32BE(0x20400, 8); // the first version with the executable segment
  directory.writeUInt32BE(FLAG_ADHOC, 12);
  directory.writeUInt32BE(HEAD + name.length, 16);
  directory.writeUInt32BE(HEAD, 20);
  directory.writeUInt32BE(pages, 28);
  directory.writeUInt32BE(offset, 32);
  directory.set([HASH, SHA256, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(BigInt(text.offset), 64);
  directory.writeBigUInt64BE(BigInt(text.size), 72);
  directory.writeBigUInt64BE(1n, 80); // a main program
  directory.set(name, HEAD);
  for (let page = 0; page < pages; page++) {
    const content = signed.subarray(page * PAGE, Math.min((page + 1) * PAGE, offset));
    directory.set(sha256(content), HEAD + name.length + page * HASH);
  }
  return signed;
}

function nameAt(bytes: Buffer, segment: number): string {
  return bytes.toString("latin1", segment + 8, segment + 24).replace(/\0.*$/s, "");
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
