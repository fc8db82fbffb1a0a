import * as v from "valibot";
import { jsonIn } from "../json-value.ts";

/** A gate file when it was frozen. */
export type FrozenFile = {
  /** What identified its content and mode. */
  id: string;
  /** Null where only the id was kept. */
  content: Uint8Array | null;
};

/** Gate files by their paths. */
export type FrozenFiles = ReadonlyMap<string, FrozenFile>;

/** A run keeps so many gate files and bytes of them; of the others, the largest, only what identifies their content. */
export const MAX_KEPT_FILES = 5_000;
export const MAX_KEPT_BYTES = 50 * 1024 * 1024;

/** Names of the files in a run's folder: the gate files as frozen, and those that differed when it ended. */
export const FROZEN_FILE = "gates.json";
export const LAST_SEEN_FILE = "gates-last-seen.json";

const file = v.object({ id: v.string(), text: v.optional(v.string()), latin1: v.optional(v.string()) });
const frozenFiles = v.object({ files: v.record(v.string(), file) });
const lastSeen = v.record(v.string(), v.nullable(v.string()));

/** The gate files as one text; a file that is no UTF-8 stands there by its bytes. */
export function formatFrozen(files: FrozenFiles): string {
  const entries = [...files].map(([path, { id, content }]) => [
    path,
    { id, ...(content === null ? {} : asText(content)) },
  ]);
  return `${JSON.stringify({ files: Object.fromEntries(entries) })}\n`;
}

/** The gate files of such a text; null if it is none. */
export function parseFrozen(text: string): FrozenFiles | null {
  const read = v.safeParse(frozenFiles, jsonIn(text));
  if (!read.success) return null;
  return new Map(
    Object.entries(read.output.files).map(([path, one]): [string, FrozenFile] => [
      path,
      { id: one.id, content: asBytes(one) },
    ]),
  );
}

/** The gate files that differ from the frozen ones, with what identifies them; null for a deleted one. */
export type LastSeen = Readonly<Record<string, string | null>>;

export function parseLastSeen(text: string): LastSeen | null {
  const read = v.safeParse(lastSeen, jsonIn(text));
  return read.success ? read.output : null;
}

/** The text of a gate file, as far as it is one. */
export function textOf(content: Uint8Array): string {
  return new TextDecoder().decode(content);
}

/**
 * Whether the work of an earlier run is still judged by a gate file as that run froze it. One that changed after its end was a
 * person's to change.
 * @param seen what had changed when that run ended; null if it broke off: then nothing is known to be a person's
 * @param now what identifies the file's present content; null if it is gone
 */
export function isStillMeasure(
  path: string,
  { id }: Pick<FrozenFile, "id">,
  seen: LastSeen | null,
  now: string | null,
): boolean {
  if (seen === null) return true;
  const atEnd = seen[path] === undefined ? id : seen[path];
  return atEnd === now;
}

function asText(content: Uint8Array): { text: string } | { latin1: string } {
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content) };
  } catch {
    return { latin1: Array.from(content, (byte) => String.fromCharCode(byte)).join("") };
  }
}

function asBytes({ text, latin1 }: v.InferOutput<typeof file>): Uint8Array | null {
  if (text !== undefined) return new TextEncoder().encode(text);
  return latin1 === undefined ? null : Uint8Array.from(latin1, (char) => char.charCodeAt(0));
}
