import { jsonIn } from "../core/json-value.ts";
import { asObject } from "./detect/files.ts";

/** The record of ralph's own files: for each path the hash of what ralph wrote. */
export const SCAFFOLD_RECORD_FILE = ".ralph/.setup.json";

export type ScaffoldRecord = Readonly<Record<string, string>>;

/** SHA-256 of a text, in hex. */
export type Digest = (text: string) => string;

/** Reads the record. A missing or broken one is empty, and every file counts as edited. */
export function readScaffoldRecord(text: string | null): ScaffoldRecord {
  const files = asObject(asObject(jsonIn(text ?? ""))?.files) ?? {};
  return Object.fromEntries(
    Object.entries(files).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

export function formatScaffoldRecord(version: string, files: ScaffoldRecord): string {
  const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  return `${JSON.stringify({ version, files: sorted }, null, 2)}\n`;
}

/** The hash of a text, independent of line ends, which git may change. */
export function shippedHash(digest: Digest, text: string): string {
  return digest(text.replaceAll("\r\n", "\n"));
}
