import { createHash } from "node:crypto";
import { posix } from "node:path";
import { operators } from "./operators/all.ts";
import { places } from "./syntax.ts";

/** One change of one file. */
export type Mutant = {
  /** The same as long as the file's name and the changed line stay, wherever in the tree and in the file they stand. */
  id: string;
  /** Relative to the project, with forward slashes. */
  file: string;
  /** Counted from 1. */
  line: number;
  operator: string;
  start: number;
  end: number;
  before: string;
  after: string;
};

/** Sources by path, relative to the project, with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

/** Hex digits that stand for the parts. */
export const hash = (...parts: readonly (string | number)[]) =>
  createHash("sha256").update(parts.join("\0")).digest("hex");

/** All mutants of the sources, in the order in which they stand. */
export function mutantsOf(sources: Sources): Mutant[] {
  const seen = new Map<string, number>();
  return [...sources].flatMap(([file, source]) =>
    changesOf(file, source).map(({ key, ...change }) => {
      const nth = seen.get(key) ?? 0;
      seen.set(key, nth + 1);
      return { id: `${posix.basename(file, ".ts")}-${hash(key, nth).slice(0, 8)}`, file, ...change };
    }),
  );
}

/** The source with the mistake in it. */
export function mutated(source: string, { start, end, after }: Pick<Mutant, "start" | "end" | "after">): string {
  return source.slice(0, start) + after + source.slice(end);
}

function changesOf(file: string, source: string) {
  const found: (Omit<Mutant, "id" | "file"> & { key: string })[] = [];
  for (const place of places(file, source))
    for (const { name: operator, edits } of operators)
      for (const { start, end, after } of edits(place)) {
        const lineStart = source.lastIndexOf("\n", start - 1) + 1;
        const text = source.slice(lineStart).split("\n", 1)[0] ?? "";
        const indent = text.length - text.trimStart().length;
        const key = hash(posix.basename(file), text.trim(), start - lineStart - indent, operator, after);
        const line = source.slice(0, start).split("\n").length;
        found.push({ key, line, operator, start, end, before: source.slice(start, end), after });
      }
  return found;
}
