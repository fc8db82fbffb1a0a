import { MINUTE_MS } from "../../core/durations.ts";
/** The text of a PDF's pages, or why it cannot be read. */
export type PdfText = { pages: string[] } | { problem: string };

const MAX_PAGES = 2000;
const TIMEOUT_MS = MINUTE_MS;

type Piece = { str: string; transform: readonly number[]; height: number; hasEOL: boolean };

/**
 * Reads the text of a PDF, line by line as laid out. Nothing in the file is executed: no scripts, fonts or network access.
 */
export async function pdfText(bytes: Uint8Array): Promise<PdfText> {
  try {
    const { getDocumentProxy } = await import("unpdf");
    const document = await withTimeout(
      getDocumentProxy(bytes, { useSystemFonts: false, stopAtErrors: false, verbosity: 0 }),
    );
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES); number += 1) {
      const page = await document.getPage(number);
      const { items } = await withTimeout(page.getTextContent());
      pages.push(joinPieces(items.filter((item): item is typeof item & Piece => "str" in item)).join("\n"));
      page.cleanup();
    }
    await document.loadingTask.destroy();
    return { pages };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: /password/i.test(message) ? "it needs a password" : `it cannot be read: ${message}` };
  }
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
