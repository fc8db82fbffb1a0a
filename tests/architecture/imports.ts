import { posix } from "node:path";
import { mask } from "./mask.ts";

/** One import or re-export of a file. */
export type Import = {
  specifier: string;
  /** The imported file, relative to the project; null for packages and `node:` modules. */
  target: string | null;
  typeOnly: boolean;
};

// For masked code, where a specifier is a pair of quotes around blanks; `d` gives their position.
const statement =
  /(?<![\w.$])(?:import|export)\s*(type\b(?!\s*(?:from\b|,)))?\s*((?:[\w*$\s,]|\{[^}]*\})*?)\s*\bfrom\s*["']( +)["']/dg;
const bare = /(?<![\w.$])import\s*["']( +)["']/dg;
const dynamic = /(?<![\w.$])import\s*\(\s*["']( +)["']/dg;
/** A type written as `import("./x.ts").Name`; the text before it tells it from a dynamic import. */
const inType = /[:<|&]\s*$|\btype\s+\w+\s*=\s*$/;

const allNamesAreTypes = (clause: string) =>
  /^\{[^}]*\}$/.test(clause) &&
  clause
    .slice(1, -1)
    .split(",")
    .filter((name) => name.trim() !== "")
    .every((name) => /^\s*type\s/.test(name));

/** All imports of a source, unordered. @param path of the file, relative to the project, forward slashes */
export function importsOf(path: string, source: string): Import[] {
  const code = mask(source);
  const found: Import[] = [];
  const add = (span: [number, number] | undefined, typeOnly: boolean) => {
    if (span === undefined) return;
    const specifier = source.slice(...span);
    const local = specifier.startsWith(".");
    const target = local ? posix.normalize(posix.join(posix.dirname(path), specifier)) : null;
    found.push({ specifier, target, typeOnly });
  };
  for (const match of code.matchAll(statement)) {
    const [, type, names = ""] = match;
    add(match.indices?.[3], type !== undefined || allNamesAreTypes(names.trim()));
  }
  for (const match of code.matchAll(bare)) add(match.indices?.[1], false);
  for (const match of code.matchAll(dynamic)) add(match.indices?.[1], inType.test(code.slice(0, match.index)));
  return found;
}
