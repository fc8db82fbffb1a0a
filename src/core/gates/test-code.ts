import { countEach } from "../multiset.ts";
import { isInQuietFunction } from "./code/inner-functions.ts";

/** Files in which a hash begins a comment. */
const HASH =
  /\.(?:py|rb|exs?|sh|bash|bats|ya?ml|toml|cfg|ini|pl|t|feature|r|jl)$|(?:^|\/)(?:Makefile|Rakefile|Gemfile|justfile|\.rspec|\.coveragerc)$/i;

/**
 * The code of a file with its comments blanked out, line by line, so that line numbers stay.
 * @param path decides which comments there are
 */
export function withoutComments(path: string, text: string): string {
  const hash = HASH.test(path);
  const source = text.replaceAll("\r\n", "\n");
  const starts = /["'`#/]/g;
  let code = "";
  // Whether only blanks stand before, on the same line.
  let isFirst = true;
  let at = 0;
  while (at < source.length) {
    const char = source.charAt(at);
    if (char === '"' || char === "'" || char === "`") {
      const end = stringEnd(source, at, hash);
      const text = source.slice(at, end);
      // A text of several lines that is a statement of its own, as a docstring, is a comment.
      const isComment: boolean = hash && isFirst && /^("""|''')/.test(text);
      code += isComment ? text.replace(/[^\n]/g, "") : plainString(text);
      isFirst = isComment;
      at = end;
    } else if (hash ? char === "#" && !isAttribute(source, at) : source.startsWith("//", at)) {
      at = lineEnd(source, at);
    } else if (!hash && source.startsWith("/*", at)) {
      const close = source.indexOf("*/", at + 2);
      const end = close < 0 ? source.length : close + 2;
      code += source.slice(at, end).replace(/[^\n]/g, "");
      at = end;
    } else {
      // Nothing before the next of these characters can begin a string or a comment.
      starts.lastIndex = at + 1;
      const next = starts.exec(source)?.index ?? source.length;
      const passage = source.slice(at, next);
      const line = passage.lastIndexOf("\n");
      isFirst = (isFirst || line >= 0) && passage.slice(line + 1).trim() === "";
      code += passage;
      at = next;
    }
  }
  return code;
}

/**
 * A string without escapes that it does not need; one without an end has none. Patterns look for the end of a string from each quote
 * on, so that many escaped ones would take time by their square.
 */
function plainString(text: string): string {
  const quote = text.charAt(0);
  if (!text.includes("\\")) return text;
  const isOpen = text.length < 2 || !text.endsWith(quote) || /(?<!\\)(?:\\\\)*\\.$/.test(text);
  return text.replace(/\\([\s\S])/g, (all: string, char: string) =>
    isOpen ? "" : char !== quote && /["'`]/.test(char) ? char : all,
  );
}

/** `#{…}` is a value in a text or a pattern of Ruby; a hash after a word character or `$` is no comment in a shell. */
function isAttribute(source: string, at: number): boolean {
  const before = source[at - 1];
  if (source[at + 1] === "{" && before !== " " && before !== "\n") return true;
  return before !== undefined && /[\w${]/.test(before);
}

/** The end of the string that begins here; an apostrophe in the middle of a word begins none. */
function stringEnd(source: string, at: number, triple: boolean): number {
  const quote = source.charAt(at);
  if (quote === "'" && /\w/.test(source[at - 1] ?? "") && /[a-z]/i.test(source[at + 1] ?? "")) return at + 1;
  if (triple && source.startsWith(quote.repeat(3), at)) {
    const close = source.indexOf(quote.repeat(3), at + 3);
    return close < 0 ? source.length : close + 3;
  }
  for (let end = at + 1; end < source.length; end += 1) {
    const char = source.charAt(end);
    if (char === "\\") end += 1;
    else if (char === quote) return end + 1;
    else if (char === "\n" && quote !== "`") return end;
  }
  return source.length;
}

function lineEnd(source: string, at: number): number {
  const end = source.indexOf("\n", at);
  return end < 0 ? source.length : end;
}

/** A test, or a block of tests, as its file declares it. */
export type Declaration = {
  name: string;
  kind: "test" | "block";
  /** What keeps it, or all others, from running; null for nothing. */
  marker: "skip" | "only" | null;
  line: number;
};

const NAMED =
  /(?<![.\w])(?<head>(?:RSpec\.)?(?:x|f)?(?:it|test|specify|scenario|describe|context|suite|feature)|Deno\.test|t\.test|bench)(?<mods>(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*)[ (]\s*(?:(?:each|`[^`]*`)\s*\(?\s*)?(?:\{\s*name:\s*)?(?<quote>["'`])(?<name>(?:\\.|(?!\k<quote>).)*)\k<quote>/;
const FUNCTION =
  /^\s*(?:(?:async|public|private|protected|internal|static|final|pub|override|suspend|export)\s+)*(?:def|func|fn|fun|function|void|Task|async Task)\s+(?:\([^)]*\)\s*)?(?<name>`[^`]+`|\w+)/;
const CLASS = /^\s*(?:(?:public|internal|abstract|final|data|pub)\s+)*(?:class|module|mod|object)\s+(?<name>\w+)/;
/** A line of attributes or decorators, which belong to what is declared next. */
const ATTRIBUTE = /^\s*(?:@\w|#\[|\[\w[^\]]*\]\s*$|:\w+\s*$)/;
/** Whether a line belongs to what is declared below it. */
export function isAttributeLine(line: string): boolean {
  return ATTRIBUTE.test(line);
}
const TEST_ATTRIBUTE =
  /@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|Property)\b|#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck)\b|\[(?:Fact|Theory|Test|TestMethod|TestCase|DataTestMethod)\b/;
const SKIP =
  /@(?:\w+\.)*(?:skip|skipif|skipIf|skipUnless|xfail|expectedFailure|Disabled|Ignore|tag\s+:skip)\b|@tag :(?:skip|pending)|@moduletag :skip|#\[ignore|\[Ignore\b|\b(?:Skip|Ignore|IgnoreReason)\s*=\s*"|@pytest\.mark\.(?:skip|xfail)/;
/** In a body: the test ends itself. */
const SKIP_CALL =
  /\b(?:t|b|tb)\.Skip(?:f|Now)?\(|\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\bthis\.skip\(|\bmarkTest(?:Skipped|Incomplete)\(|^\s*(?:skip|pending)\b(?!\s*[:=.])|\braise (?:unittest\.)?SkipTest|\bAssume\.|\bassumeTrue\(false|\bt\.skip\(|^\s*return\s*;?\s*$|^\s*return (?:0|nil|true)\s*;?\s*$|\bAssert\.(?:Ignore|Inconclusive|Pass)\(|^\s*exit 0\s*$/;
const OPTION_SKIP = /\b(?:ignore|skip|todo):\s*(?:true|["'`])|\bonly:\s*true/;

/** No declaration has more above it. */
const LONGEST_ATTRIBUTES = 4000;

/** The tests and blocks of tests in the code of a test file, comments removed beforehand. */
export function declarationsIn(code: string): Declaration[] {
  const found: Declaration[] = [];
  let attributes = "";
  // A function below a test is no part of it.
  let isBelow = false;
  const lines = code.split("\n");
  let ends = 0;
  const isInner = (index: number) =>
    END.test(lines[index] ?? "") && ends++ < MOST_ENDS && isInQuietFunction(lines, index, found.at(-1)?.line ?? 0);
  for (const [index, line] of lines.entries()) {
    const declared = declarationAt(line, attributes, index + 1);
    isBelow = declared === null && (isBelow || (/^\S/.test(line) && FUNCTION.test(line)));
    if (declared !== null) found.push(declared);
    else if (!isBelow && SKIP_CALL.test(line) && !isInner(index)) skipCurrent(found);
    if (ATTRIBUTE.test(line) && declared === null) attributes = `${attributes}${line}\n`.slice(-LONGEST_ATTRIBUTES);
    else if (line.trim() !== "") attributes = "";
  }
  return found;
}

/** What leaves the function around it. */
const END = /^\s*(?:return\b|exit 0)/;
/** So many ends of a file are looked at. */
const MOST_ENDS = 100;

function declarationAt(line: string, attributes: string, number: number): Declaration | null {
  const named = NAMED.exec(line)?.groups;
  if (named !== undefined) {
    const { head = "", mods = "", name = "" } = named;
    const kind = /describe|context|suite|feature/.test(head) ? "block" : "test";
    return { name, kind, marker: markerOf(head, mods, `${attributes}${line}`), line: number };
  }
  const bats = /^\s*@test\s+(["'])(.*)\1/.exec(line);
  if (bats !== null) return { name: bats[2] ?? "", kind: "test", marker: null, line: number };
  const macro =
    /^\s*(?:TYPED_)?TEST(?:_F|_P)?\(\s*\w+\s*,\s*(\w+)|^\s*\w*test\w*!\(\s*(\w+)\s*,|^\s*(?:TEST_CASE|SCENARIO|SECTION)\(\s*"([^"]*)"/.exec(
      line,
    );
  if (macro !== null) return { name: macro[1] ?? macro[2] ?? macro[3] ?? "", kind: "test", marker: null, line: number };
  const written = `${attributes}${line}`;
  const name = FUNCTION.exec(line)?.groups?.name;
  // Go only runs functions whose name begins with a capital, and TestMain runs them.
  const isHelper = name !== undefined && /^(?:[a-z]|TestMain$)/.test(name) && /\btesting\.\w/.test(line);
  if (name !== undefined && !isHelper && (TEST_ATTRIBUTE.test(written) || /^`?(?:test|Test|Fuzz|Example)/.test(name)))
    return { name, kind: "test", marker: SKIP.test(written) ? "skip" : null, line: number };
  const group = CLASS.exec(line)?.groups?.name;
  if (group !== undefined && /test|spec/i.test(group))
    return { name: group, kind: "block", marker: SKIP.test(written) ? "skip" : null, line: number };
  // A method without a keyword, as in Java and C#.
  const mayBe = !ATTRIBUTE.test(line) && TEST_ATTRIBUTE.test(written);
  const method = mayBe ? /\b(\w+)\s*\([^)]*\)\s*(?:throws [\w, ]+)?\{?\s*$/.exec(line)?.[1] : undefined;
  return method === undefined
    ? null
    : { name: method, kind: "test", marker: SKIP.test(written) ? "skip" : null, line: number };
}

function markerOf(head: string, mods: string, line: string): Declaration["marker"] {
  if (/^f(?:it|describe|context|test)/.test(head) || /\.only\b/.test(mods) || /\bonly:\s*true/.test(line))
    return "only";
  if (
    /^x/.test(head) ||
    /\.(?:skip|skipIf|runIf|ignore|todo|fixme|failing|fails)\b/.test(mods) ||
    OPTION_SKIP.test(line)
  )
    return "skip";
  return SKIP.test(line) ? "skip" : null;
}

/** A skip in a body belongs to the test around it: the last one declared. */
function skipCurrent(found: Declaration[]): void {
  const current = found.at(-1);
  if (current?.kind === "test" && current.marker === null) current.marker = "skip";
}

/** The names of all functions, tests or not. */
export function functionsIn(code: string): string[] {
  return code.split("\n").flatMap((line) => FUNCTION.exec(line)?.groups?.name ?? []);
}

/** Functions that a framework calls by their names. */
const CALLED = /^(?:test|set_?up|tear_?down|before|after|init|main|pytest_)/i;

/** Helpers that only unused helpers use are sought so far. */
const DEEPEST = 8;

/** The code of a test without helpers and constants that nothing in it uses: to delete them changes nothing. */
export function withoutUnused(code: string, depth = 0): string {
  const lines = code.split("\n");
  const uses = countEach(code.match(/\w+/g) ?? []);
  const kept: string[] = [];
  let inside = false;
  for (const [at, line] of lines.entries()) {
    if (/^[^\s)}\]]/.test(line)) {
      const name =
        FUNCTION.exec(line)?.groups?.name ?? /^(?:const|let|var|static)?\s*([A-Z][A-Z0-9_]+)\b.*=/.exec(line)?.[1];
      const attribute = isAttributeLine(lines[at - 1] ?? "");
      inside =
        name !== undefined && !attribute && !/^export\b/.test(line) && !CALLED.test(name) && uses.get(name) === 1;
    }
    kept.push(inside ? "" : line);
  }
  const left = kept.join("\n");
  return left === code || depth === DEEPEST ? left : withoutUnused(left, depth + 1);
}

/** The code with constants in place of their names: to give a value a name changes nothing. */
export function withoutConstants(code: string): string {
  const constants = [
    ...code.matchAll(
      /(?<![.\w])([A-Z][A-Z0-9_]{2,})\s*(?::[^=\n]{1,30})?=\s*("[^"\n]*"|'[^'\n]*'|-?[\d._]+)\s*;?\s*$/gm,
    ),
  ];
  // The first value that a name has counts.
  const values = new Map(constants.toReversed().map(([, name = "", value = ""]) => [name, value]));
  if (values.size === 0) return code;
  const text = code.replace(/\b[A-Z][A-Z0-9_]{2,}\b(?!\s*(?::|=(?!=)))/g, (name) => values.get(name) ?? name);
  // Nobody writes long values so often.
  return text.length > 4 * code.length ? code : text;
}

/** Imports, messages of failures, places to look at and times to wait: they decide nothing about what is checked. */
const WORDING =
  /^import \([^)]{0,2000}\)|(?<=\bt\.(?:Error|Fatal|Log|Skip)f?\()"[^"\n]*"|(?<=\b(?:cy|page)\.(?:get|visit|goto|click|fill|locator|textContent|type)\()["'][^"'\n]*["']|\b(?:cy\.wait|page\.waitForTimeout|time\.sleep|Thread\.sleep)\([\d_.]+\)|(?<=\b(?:numRuns|max_examples|cases|tries|iterations)\s*[:=]\s*)\d+/gm;

/** Numbers and strings in the code of a test file, without the names of tests and what is imported. */
export function literalsIn(code: string): Set<string> {
  const literals = new Set<string>();
  for (const line of code.replace(WORDING, "").split("\n")) {
    if (
      /^\s*(?:import|from|use|using|(?:require|require_relative|require_once)[ (]["']|package|#include|export \* from)\b/.test(
        line,
      )
    )
      continue;
    if (/\brequire\(\s*["']|\bfrom\s+["']/.test(line)) continue;
    const bare = line.replace(NAMED, "");
    for (const [, a, b, c] of bare.matchAll(/"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`/g))
      literals.add(`"${a ?? b ?? c ?? ""}"`);
    for (const [number] of bare
      .replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, "")
      .matchAll(/(?<![\w.])-?\d[\d_]*(?:\.\d+)?/g))
      literals.add(number.replaceAll("_", ""));
  }
  return literals;
}
