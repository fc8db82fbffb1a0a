import process from "node:process";
import { SECOND_MS } from "../../core/durations.ts";
import { byteSize } from "../../core/text/byte-size.ts";
import { MAX_TEXT_BYTES } from "./regular-file.ts";
/** The text of a PDF's pages, or why it cannot be read. */
export type PdfText = { pages: string[] } | { problem: string };

const MAX_PAGES = 2000;
/** For the whole document; a book of 1,000 pages takes a few seconds. */
const TIMEOUT_MS = 10 * SECOND_MS;
/** Characters of all pages together, as an import takes them. */
const MAX_CHARS = MAX_TEXT_BYTES;
/** What reading may add to the memory of this process: a few packed kB can unpack to any size. */
const MAX_GROWTH_BYTES = 1 << 30;

type Piece = { str: string; transform: readonly number[]; height: number; hasEOL: boolean };

/**
 * Reads the text of a PDF, line by line as laid out. Nothing in the file is executed: no scripts, fonts or network access.
 * @param timeoutMs for the whole document
 */
export async function pdfText(bytes: Uint8Array, timeoutMs = TIMEOUT_MS): Promise<PdfText> {
  try {
    const { getDocumentProxy } = await import("unpdf");
    const allow = createAllowance(timeoutMs);
    const document = await withTimeout(
      getDocumentProxy(bytes, { useSystemFonts: false, stopAtErrors: false, verbosity: 0 }),
    );
    try {
      const pages: string[] = [];
      for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
        const page = await document.getPage(number);
        pages.push(joinPieces(await piecesOf(page.streamTextContent(), allow)).join("\n"));
        page.cleanup();
      }
      return { pages };
    } finally {
      await document.loadingTask.destroy();
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: /password/i.test(message) ? "it needs a password" : `it cannot be read: ${message}` };
  }
}

/** Reads a page piece by piece, so that what is too much is noticed before it is all in memory. */
async function piecesOf(content: ReadableStream, allow: (chars: number) => void): Promise<Piece[]> {
  const reader = content.getReader();
  const pieces: Piece[] = [];
  for (let next = await withTimeout(reader.read()); !next.done; next = await withTimeout(reader.read())) {
    const { items }: { items: (Piece | object)[] } = next.value;
    const found = items.filter((item): item is Piece => "str" in item);
    allow(found.reduce((chars, { str }) => chars + str.length + 1, 0));
    pieces.push(...found);
  }
  return pieces;
}

/** Throws once a document has used up its characters, its time or its memory. */
function createAllowance(timeoutMs: number): (chars: number) => void {
  const began = performance.now();
  const before = process.memoryUsage().rss;
  let left = MAX_CHARS;
  return (chars) => {
    left -= chars;
    if (left < 0) throw new Error(`it holds more than ${byteSize(MAX_CHARS)} of text`);
    if (performance.now() - began > timeoutMs) throw new Error("it takes too long");
    if (process.memoryUsage().rss - before > MAX_GROWTH_BYTES)
      throw new Error(`it needs more than ${byteSize(MAX_GROWTH_BYTES)} of memory`);
  };
}

/** Pieces at one height form a line; a gap of more than 1.8 lines starts a paragraph. */
function joinPieces(pieces: readonly Piece[]): string[] {
  const lines: string[] = [];
  let current = "";
  let height: number | null = null;
  for (const { str, transform, height: size, hasEOL } of pieces) {
    const y = transform[5] ?? 0;
    if (height !== null && Math.abs(y - height) > 2 && current.trim() !== "") {
      lines.push(current.trimEnd());
      current = "";
    }
    if (height !== null && height - y > Math.max(size, 8) * 1.8 && lines.at(-1) !== "") lines.push("");
    current += str;
    if (str.trim() !== "") height = y;
    if (hasEOL && current.trim() !== "") {
      lines.push(current.trimEnd());
      current = "";
    }
  }
  return current.trim() === "" ? lines : [...lines, current.trimEnd()];
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("it takes too long")), TIMEOUT_MS);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
