import { Buffer } from "node:buffer";

/** Most bytes of one UTF-16 unit in UTF-8. */
const UNIT_BYTES = 3;
/** Kept between two writes; a larger one is given back. */
const KEPT_BYTES = 1 << 20;

export type LineBuffer = {
  /** The values as lines of JSON. The bytes hold until the next call. */
  of(values: readonly unknown[]): Buffer;
};

/** Makes lines in the same memory again and again: new memory for each write of a flood would cost more than making its lines. */
export function createLineBuffer(): LineBuffer {
  let kept: Buffer = Buffer.allocUnsafeSlow(1 << 16);
  return {
    of(values) {
      let bytes: Buffer = kept;
      let end = 0;
      for (const value of values) {
        const line = JSON.stringify(value);
        const need = end + line.length * UNIT_BYTES + 1;
        if (need > bytes.length) bytes = grown(bytes, end, need);
        end += bytes.write(line, end, "utf8");
        bytes[end] = 0x0a;
        end += 1;
      }
      if (bytes.length <= KEPT_BYTES) kept = bytes;
      return bytes.subarray(0, end);
    },
  };
}

function grown(bytes: Buffer, end: number, need: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(2 * need);
  bytes.copy(larger, 0, 0, end);
  return larger;
}
