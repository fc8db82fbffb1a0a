import type { BytesMask } from "../../core/secrets/mask.ts";
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
 * a private key on several lines is waited for. All other bytes stay as they are: only lines that hold a word of a secret are looked at.
 */
export function maskedFile(file: OutputFile, { mask, words, mayGoOn, isSuspect }: BytesMask): OutputFile {
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

  /** Writes whole lines, or with `isEnd` what there is. */
  function write(bytes: Buffer, isEnd: boolean): void {
    const find = words.in(bytes);
    let done = 0;
    for (let at = find(0); at !== -1; at = find(done)) {
      const start = bytes.lastIndexOf(NEWLINE, at) + 1;
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline === -1 ? bytes.length : newline;
      const line = bytes.toString("latin1", start, end);
      if (start > done) file.append(bytes.subarray(done, start));
      if (mayGoOn(line)) {
        writeAll(bytes.subarray(start), isEnd);
        return;
      }
      append(line, bytes.subarray(start, end));
      done = end;
    }
    if (done < bytes.length) file.append(bytes.subarray(done));
  }

  /** Writes lines of which one may hold the beginning of a secret that goes on in the next. */
  function writeAll(bytes: Buffer, isEnd: boolean): void {
    const text = bytes.toString("latin1");
    const end = isEnd ? text.length : endOfSafe(text);
    if (end > 0) append(text.slice(0, end), bytes.subarray(0, end));
    hold(bytes.subarray(end));
  }

  function append(text: string, bytes: Buffer): void {
    const masked = mask(text);
    file.append(masked === text ? bytes : Buffer.from(masked, "latin1"));
  }

  return {
    append(bytes, whole = null) {
      const end = bytes.lastIndexOf(NEWLINE) + 1;
      if (end > 0) {
        // Only the first line is joined to what was held: copying the whole chunk would cost as much as reading it.
        const isJoined = heldBytes > 0;
        const first = bytes.indexOf(NEWLINE) + 1;
        const head = take(bytes.subarray(0, first));
        const parts = isJoined ? [head, bytes.subarray(first, end)] : [bytes.subarray(0, end)];
        const isClean = whole !== null && words.in(head)(0) === -1 && !whole.texts.some(isSuspect);
        for (const part of parts) {
          if (isClean) file.append(part);
          else if (part.length > 0) write(take(part), false);
        }
        hold(bytes.subarray(end));
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
