import { basename, extname } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { containsPath } from "../../effects/files/contains-path.ts";
import { pdfText } from "../../effects/files/pdf-text.ts";
import { readRegular } from "../../effects/files/regular-file.ts";
import { slashPath } from "../../effects/files/slash-path.ts";
import { readZipFile } from "../../effects/files/zip.ts";
import type { SourceDocument } from "../../setup/import/formats/convert-document.ts";
import { docxMarkdown } from "../../setup/import/formats/docx-markdown.ts";
import { jsonMarkdown } from "../../setup/import/formats/json-markdown.ts";
import { plainMarkdown } from "../../setup/import/formats/plain-markdown.ts";
import { withoutRunningHeads } from "../../setup/import/formats/running-heads.ts";
import { ROUGH_PDF, roughJson, roughText } from "../../setup/import/read/roughness.ts";
import { safeStat } from "../import/safe-stat.ts";

const MAX_FILE_BYTES = 64 << 20;
/** A longer text is not a description of a project: a book of 1,000 pages has two or three MB. */
export const MAX_TEXT_BYTES = 8 << 20;
/** Each cell costs far more than its characters; a tracker's export of 10,000 rows has 200,000. */
const MAX_CELLS = 500_000;
/** Control characters are removed: a terminal that shows the specs must not obey them, nor an agent that reads them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a file that others read
const CONTROLS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g;
const TEXT = new Set([".md", ".markdown", ".mdx", ".txt", ".text", ""]);

/**
 * Reads a document as Markdown. Neither changes the file nor runs anything in it.
 * @param path absolute
 * @param shown the path as shown to the user
 * @throws RalphError `usage` for a file that is not a document, `environment` for a missing or unreadable one
 */
export async function readDocument(path: string, shown: string): Promise<SourceDocument> {
  const bytes = readBytes(path, shown);
  const kind = extname(path).toLowerCase();
  const { text, rough } = await extractText(bytes, kind, shown);
  if (Buffer.byteLength(text) > MAX_TEXT_BYTES)
    throw unreadable(
      shown,
      `it holds more than ${MAX_TEXT_BYTES >> 20} MB of text`,
      "Import the part that says what to build.",
    );
  if (text.split("|", MAX_CELLS + 1).length > MAX_CELLS)
    throw unreadable(shown, `its tables have more than ${MAX_CELLS} cells`, "Import the part that says what to build.");
  if (text.trim() === "")
    throw unreadable(shown, "it holds no text", kind === ".pdf" ? "Pages that are pictures need OCR first." : null);
  return { name: shown.split(/[/\\]/).at(-1) ?? shown, text: text.replace(CONTROLS, ""), rough };
}

/**
 * What tells a document from others in a project: its path there, since each folder of `specs/` may have a `spec.md`; the name of
 * one that lies elsewhere, or of the project itself.
 * @param path absolute
 */
export function documentName(project: string, path: string): string {
  return (containsPath(project, path) && slashPath(project, path)) || basename(path);
}

function readBytes(path: string, shown: string): Buffer {
  const stat = safeStat(path, { follows: true });
  if (stat === undefined && /^https?:\/\//i.test(shown))
    throw new RalphError("usage", `${shown} is an address, and no page is fetched.`, {
      hint: "Save it as a file, and name that.",
    });
  if (stat === undefined)
    throw new RalphError("environment", `${shown} does not exist.`, { hint: "Name an existing file." });
  if (!stat.isFile()) throw unreadable(shown, "it is no file", null);
  if (stat.size > MAX_FILE_BYTES)
    throw unreadable(shown, `it is larger than ${MAX_FILE_BYTES >> 20} MB`, "Import the part that says what to build.");
  try {
    return readRegular(path, MAX_FILE_BYTES);
  } catch (cause) {
    throw new RalphError("environment", `${shown} cannot be read: ${reasonOf(cause)}`, { cause });
  }
}

/** The text, and why rules read it only roughly. */
type Extracted = { text: string; rough: string | null };

async function extractText(bytes: Buffer, kind: string, shown: string): Promise<Extracted> {
  if (kind === ".pdf") {
    const read = await pdfText(new Uint8Array(bytes));
    if ("problem" in read) throw unreadable(shown, read.problem, null);
    return { text: plainMarkdown(withoutRunningHeads(read.pages).join("\n\n")), rough: ROUGH_PDF };
  }
  if (kind === ".docx") {
    const read = readZipFile(bytes, "word/document.xml", 4 * MAX_TEXT_BYTES);
    if ("problem" in read) throw unreadable(shown, read.problem, "Save it again in Word or LibreOffice, or as .txt.");
    const numbering = readZipFile(bytes, "word/numbering.xml", MAX_TEXT_BYTES);
    const decoder = new TextDecoder();
    return judged(
      docxMarkdown(decoder.decode(read.bytes), "bytes" in numbering ? decoder.decode(numbering.bytes) : ""),
    );
  }
  if (kind === ".json") return jsonText(utf8(bytes, shown), shown);
  if (TEXT.has(kind)) return judged(kind.startsWith(".m") ? utf8(bytes, shown) : plainMarkdown(utf8(bytes, shown)));
  throw new RalphError("usage", `ralph does not read ${kind} files.`, {
    hint: "It reads .md, .txt, .json, .pdf and .docx.",
  });
}

function judged(text: string): Extracted {
  return { text, rough: roughText(text) };
}

function utf8(bytes: Buffer, shown: string): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // bytes that are not text are reported below
  }
  throw unreadable(shown, "it is no text in UTF-8", "Save it as UTF-8.");
}

function jsonText(text: string, shown: string): Extracted {
  try {
    const value: unknown = JSON.parse(text);
    const rough = roughJson(value);
    if (rough === null) return { text: jsonMarkdown(value, shown), rough };
    // Word for word, for an agent to read: headings of another tool's bookkeeping would become tasks.
    return { text: `# ${shown}\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n`, rough };
  } catch (cause) {
    if (cause instanceof RangeError) throw unreadable(shown, "its parts stand too deep within each other", null);
    throw unreadable(shown, `it is no JSON: ${(cause as Error).message}`, null);
  }
}

/** @param why another program's message, which may end with a full stop */
function unreadable(shown: string, why: string, hint: string | null): RalphError {
  return new RalphError("usage", `${shown} cannot be imported: ${why.replace(/[.\s]+$/, "")}.`, { hint });
}
