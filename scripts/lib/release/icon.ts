import { crc32, deflateSync } from "node:zlib";

const SIZES = [16, 32, 48, 256];
const INK = [0xf5, 0xa6, 0x23] as const;
const GROUND = [0x1f, 0x24, 0x30] as const;
/** Points of a pixel that are looked at in each direction, for smooth edges. */
const SAMPLES = 4;

/** The program's icon as an .ico file: a loop with an arrow head. Drawn, so that no picture lies in the repository. */
export function icon(): Buffer {
  const images = SIZES.map((size) => ({ size, png: png(size, picture(size)) }));
  const head = Buffer.alloc(6 + 16 * images.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(images.length, 4);
  let offset = head.length;
  for (const [index, { size, png: content }] of images.entries()) {
    const at = 6 + 16 * index;
    head.writeUInt8(size % 256, at); // 0 stands for 256
    head.writeUInt8(size % 256, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(content.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += content.length;
  }
  return Buffer.concat([head, ...images.map(({ png: content }) => content)]);
}

/** RGBA rows, each behind PNG's filter byte. */
function picture(size: number): Buffer {
  const rows = Buffer.alloc(size * (1 + size * 4));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const ink = share(x, y, size, isInk);
      const ground = share(x, y, size, isGround);
      const at = y * (1 + size * 4) + 1 + x * 4;
      for (const channel of [0, 1, 2]) {
        rows[at + channel] = Math.round((INK[channel] ?? 0) * ink + (GROUND[channel] ?? 0) * (1 - ink));
      }
      rows[at + 3] = Math.round(255 * ground);
    }
  }
  return rows;
}

/** How much of a pixel lies in a shape; shapes know points from -1 to 1. */
function share(x: number, y: number, size: number, inside: (x: number, y: number) => boolean): number {
  let hits = 0;
  for (let i = 0; i < SAMPLES * SAMPLES; i++) {
    const [dx, dy] = [(i % SAMPLES) + 0.5, Math.floor(i / SAMPLES) + 0.5].map((part) => part / SAMPLES);
    if (inside(((x + (dx ?? 0)) / size) * 2 - 1, ((y + (dy ?? 0)) / size) * 2 - 1)) hits++;
  }
  return hits / (SAMPLES * SAMPLES);
}

function isGround(x: number, y: number): boolean {
  const [dx, dy] = [Math.max(Math.abs(x) - 0.6, 0), Math.max(Math.abs(y) - 0.6, 0)];
  return dx * dx + dy * dy <= 0.4 * 0.4;
}

function isInk(x: number, y: number): boolean {
  const radius = Math.hypot(x, y);
  const isRing = radius >= 0.42 && radius <= 0.64 && !(x > 0 && y < 0 && y > -0.42);
  const isHead = y >= -0.34 && y <= 0.02 && Math.abs(x - 0.53) <= (0.02 - y) * 0.83;
  return isRing || isHead;
}

function png(size: number, rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 6, 0, 0, 0], 8); // 8 bits a channel, RGBA
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
