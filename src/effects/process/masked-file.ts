import type { Mask } from "../../core/secrets/mask.ts";
import type { OutputFile } from "./output-file.ts";

const NEWLINE = 0x0a;
/** A line of this length is written before its end, up to a character that is in no token. */
const MOST_HELD = 1 << 20;
/** A private key is not longer; what only looks like the beginning of one is not held back for ever. */
const MOST_KEY = 1 << 14;
const KEY = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?![\s\S]*-----END )/;
const OUTSIDE_TOKENS = /[\s"',;<>(){}\\][^\s"',;<>(){}\\]*$/;

/**
 * Writes what is appended without its secrets, in whole lines: a secret that arrives in two pieces is one again in its line, and
 * a private key on several lines is waited for. All other bytes stay as they are.
 * @param mask for bytes as Latin-1
 */
export function maskedFile(file: OutputFile, mask: Mask): OutputFile {
  let held: Buffer[] = [];
  let heldBytes = 0;

  function hold(chunk: Buffer): void {
    if (chunk.length === 0) return;
    // A copy, because the reader may reuse the chunk's buffer.
    held.push(Buffer.from(chunk));
    heldBytes += chunk.length;
  }

  function take(last: Buffer): Buffer {
    const all = held.length === 0 ? last : Buffer.concat([...held, last]);
    held = [];
    heldBytes = 0;
    return all;
  }

  function write(bytes: Buffer, isEnd: boolean): void {
    const text = bytes.toString("latin1");
    const end = isEnd ? text.length : endOfSafe(text);
    const safe = text.slice(0, end);
    const masked = mask(safe);
    if (end > 0) file.append(masked === safe ? bytes.subarray(0, end) : Buffer.from(masked, "latin1"));
    hold(bytes.subarray(end));
  }

  return {
    append(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const last = bytes.lastIndexOf(NEWLINE);
      if (last !== -1) {
        const rest = bytes.subarray(last + 1);
        write(take(bytes.subarray(0, last + 1)), false);
        hold(rest);
      } else if (heldBytes + bytes.length < MOST_HELD) hold(bytes);
      else {
        const all = take(bytes);
        const cut = OUTSIDE_TOKENS.exec(all.toString("latin1", all.length - MOST_KEY))?.index;
        const end = cut === undefined ? all.length : all.length - MOST_KEY + cut + 1;
        write(all.subarray(0, end), true);
        hold(all.subarray(end));
      }
    },
    keptBytes: file.keptBytes,
    close() {
      try {
        if (heldBytes > 0) write(take(Buffer.alloc(0)), true);
      } finally {
        file.close();
      }
    },
  };
}

/** Where a private key begins that has not ended yet; the end of the text if there is none. */
function endOfSafe(text: string): number {
  const from = Math.max(0, text.length - MOST_KEY);
  const begin = KEY.exec(text.slice(from))?.index;
  return begin === undefined ? text.length : from + begin;
}
