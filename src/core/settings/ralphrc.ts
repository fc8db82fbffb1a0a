import type { EnvVars } from "../env-vars.ts";
import { MAX_VALUE_CHARS, readShellValue, TOO_LONG } from "./shell-value.ts";

export type Assignment = { key: string; value: string; line: number };

/** A refused line; `right` is its correction, if one can be derived. */
export type RalphrcProblem = { line: number; reason: string; right: string | null };

export type Ralphrc = { assignments: Assignment[]; problems: RalphrcProblem[] };

export type RalphrcOptions = {
  /** The first source for `$NAME`; lines above are the second. */
  env: EnvVars;
  /** The list separator of a key, to correct shell arrays. */
  separatorOf?: (key: string) => string;
};

type Line = Omit<Assignment, "line"> | Omit<RalphrcProblem, "line"> | null;

const ASSIGNMENT = /^(?:export\s+)?([A-Za-z_]\w*)=(.*)$/;
/** A second setting behind the first, as a shell would take it. */
const ANOTHER = /;\s+(?:export\s+)?[A-Za-z_]\w*=\S*$/;
/** Why a line with a second setting is refused. */
export const SECOND_SETTING = "one line holds one setting";
const SPACED = /^(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/;

/**
 * Reads a settings file in the shell's assignment subset: one `KEY=value` per line, `export`, quotes, comments after
 * blanks, expansion from the environment and from earlier lines, CRLF, BOM. Pure and total: parses, never executes
 * (product.md "Configuration" and ".ralphrc").
 */
export function parseRalphrc(text: string, options: RalphrcOptions): Ralphrc {
  const result: Ralphrc = { assignments: [], problems: [] };
  const earlier = new Map<string, string>();
  const lookup = (name: string) => (Object.hasOwn(options.env, name) && options.env[name]) || earlier.get(name);
  text.split("\n").forEach((source, index) => {
    // Trimming removes a BOM and the CR of CRLF as well.
    const parsed = parseLine(source.trim(), lookup, options.separatorOf ?? (() => ","));
    if (parsed === null) return;
    const line = index + 1;
    if ("reason" in parsed) {
      result.problems.push({ line, ...parsed });
      return;
    }
    result.assignments.push({ line, ...parsed });
    earlier.set(parsed.key, parsed.value);
  });
  return result;
}

function parseLine(
  line: string,
  lookup: (name: string) => string | undefined,
  separatorOf: (key: string) => string,
): Line {
  if (line === "" || line.startsWith("#")) return null;
  if (line.length > MAX_VALUE_CHARS) return { reason: TOO_LONG, right: null };
  const [, key, text] = ASSIGNMENT.exec(line) ?? [];
  if (key === undefined || text === undefined) return refuseLine(line);
  if (text.startsWith("(")) {
    return { reason: "an array is shell code; a list is one value", right: correctArray(key, text, separatorOf(key)) };
  }
  if (/^\s/.test(text) && !/^\s+#/.test(text)) return refuseLine(line);
  const read = readShellValue(text, lookup);
  if ("reason" in read) {
    const right = correctValue(key, text);
    return right === null && ANOTHER.test(text) ? { reason: SECOND_SETTING, right } : { reason: read.reason, right };
  }
  const rest = text.slice(read.end);
  if (/^\s*(#|$)/.test(rest)) return { key, value: read.value };
  if (ASSIGNMENT.test(rest.trim())) return { reason: SECOND_SETTING, right: null };
  return { reason: "a value with blanks needs quotes", right: `${key}=${quote(text)}` };
}

function refuseLine(line: string): Line {
  const [, key, value] = SPACED.exec(line) ?? [];
  if (key === undefined || value === undefined) {
    return { reason: "only lines of the form KEY=value are read; shell code is not run", right: null };
  }
  return {
    reason: "no blanks are allowed around =",
    right: `${key}=${/[\s;&|<>()\\]/.test(value) ? quote(value) : value}`,
  };
}

/**
 * The value in quotes: the correction for an operator meant as text, as in `a;b` or `C:\bin`; null before a command.
 */
function correctValue(key: string, text: string): string | null {
  return /["'`$]|[;&|]\s/.test(text) ? null : `${key}=${quote(text)}`;
}

function correctArray(key: string, text: string, separator: string): string | null {
  const inner = /^\(((?:[^()"'$`\\]|"[^"$`\\]*"|'[^']*')*)\)\s*(?:#.*)?$/.exec(text)?.[1];
  if (inner === undefined) return null;
  const items = [...inner.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  return `${key}=${quote(items.join(separator))}`;
}

/** Quotes a text, without its comment, for the parser to return it unchanged. Quoted text stays. */
function quote(text: string): string {
  const whole = text.replace(/\s+#.*$/, "").trim();
  const value = withinQuotes(whole) ?? whole;
  if (/^"[^"$`\\]*"$|^'[^']*'$/.test(value)) return value;
  return /["$`\\]/.test(value) && !value.includes("'") ? `'${value}'` : `"${value.replace(/["$`\\]/g, "\\$&")}"`;
}

/** What stands in double quotes that hold others, as a person means `"say "hi you" now"`; null for anything else. */
function withinQuotes(value: string): string | null {
  const inner = /^"([^\\]*)"$/.exec(value)?.[1];
  return inner !== undefined && /^[^"]*[\s=(]"/.test(inner) ? inner : null;
}
