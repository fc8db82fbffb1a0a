import { messageOf } from "../../core/system-error.ts";
import { byteSize } from "../../core/text/byte-size.ts";
import { MAX_TEXT_BYTES } from "./regular-file.ts";

/** The text of a PDF's pages, or why it cannot be read. */
export type PdfText = { pages: string[] } | { problem: string };

const MAX_PAGES = 2000;
/** Characters of all pages together, as an import takes them. */
const MAX_CHARS = MAX_TEXT_BYTES;

type Piece = { str: string; transform: readonly number[]; height: number; hasEOL: boolean };

/**
 * Reads the text of a PDF, line by line as laid out. Nothing in the file is executed: no scripts, fonts or network access.
 * The library unpacks whole streams at once, however large: only pdf-text.ts, which can end that, calls this.
 */
export async function pdfPages(bytes: Uint8Array): Promise<PdfText> {
  try {
    const { getDocumentProxy } = await import("unpdf");
    const document = await getDocumentProxy(bytes, { useSystemFonts: false, stopAtErrors: false, verbosity: 0 });
    const allow = createAllowance();
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
      const page = await document.getPage(number);
      pages.push(joinPieces(await piecesOf(page.streamTextContent(), allow)).join("\n"));
      page.cleanup();
    }
    return { pages };
  } catch (error) {
    const message = messageOf(error);
    return { problem: /password/i.test(message) ? "it needs a password" : `it cannot be read: ${message}` };
  }
}

/** Reads a page piece by piece, so that what is too much is noticed before it is all in memory. */
async function piecesOf(content: ReadableStream, allow: (chars: number) => void): Promise<Piece[]> {
  const reader = content.getReader();
  const pieces: Piece[] = [];
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { items }: { items: (Piece | object)[] } = next.value;
    const found = items.filter((item): item is Piece => "str" in item);
    allow(found.reduce((chars, { str }) => chars + str.length + 1, 0));
    pieces.push(...found);
  }
  return pieces;
}

/** Throws once a document has used up its characters. */
function createAllowance(): (chars: number) => void {
  let left = MAX_CHARS;
  return (chars) => {
    left -= chars;
    if (left < 0) throw new Error(`it holds more than ${byteSize(MAX_CHARS)} of text`);
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
