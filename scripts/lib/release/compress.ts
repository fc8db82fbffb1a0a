import { constants, crc32, deflateRawSync, zstdCompressSync } from "node:zlib";

/** 1980-01-01, the earliest date of zip. The real time would make every build different. */
const DOS_DATE = 0x21;
const DEFLATED = 8;
const VERSION_NEEDED = 20;
const MADE_ON_UNIX = 3 << 8;
const EXECUTABLE = 0o100755;

/** Compresses a file with zstd. @param level 1 to 19: quick to small */
export function zst(content: Uint8Array, level: number): Buffer {
  return zstdCompressSync(content, {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
  });
}

/** A file deflated once, for both `.gz` and `.zip`. */
export type Deflated = { body: Buffer; size: number; sum: number };

export function deflated(content: Uint8Array, level: number): Deflated {
  return { body: deflateRawSync(content, { level: Math.min(level, 9) }), size: content.length, sum: crc32(content) };
}

/** gzip (RFC 1952) without a name and a time. */
export function gz({ body, size, sum }: Deflated): Buffer {
  const tail = Buffer.alloc(8);
  tail.writeUInt32LE(sum, 0);
  tail.writeUInt32LE(size, 4);
  return Buffer.concat([Buffer.from([0x1f, 0x8b, DEFLATED, 0, 0, 0, 0, 0, 2, 255]), body, tail]);
}

/** A zip archive (APPNOTE 6.3) of one program, smaller than 4 GB. */
export function zip(name: string, { body, size, sum }: Deflated): Buffer {
  const file = Buffer.from(name, "latin1");
  const facts = Buffer.alloc(26);
  facts.writeUInt16LE(VERSION_NEEDED, 0);
  facts.writeUInt16LE(DEFLATED, 4);
  facts.writeUInt16LE(DOS_DATE, 8);
  facts.writeUInt32LE(sum, 10);
  facts.writeUInt32LE(body.length, 14);
  facts.writeUInt32LE(size, 18);
  facts.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([signature(0x04034b50), facts, file]);

  const made = Buffer.alloc(2);
  made.writeUInt16LE(MADE_ON_UNIX | VERSION_NEEDED);
  const more = Buffer.alloc(14);
  more.writeUInt32LE((EXECUTABLE << 16) >>> 0, 6);
  const entry = Buffer.concat([signature(0x02014b50), made, facts, more, file]);

  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length + body.length, 12);
  return Buffer.concat([local, body, entry, signature(0x06054b50), end]);
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
