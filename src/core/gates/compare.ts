import { isTestFile } from "../answer/test-file.ts";
import { type Assertion, assertionsIn } from "./assertions.ts";
import { weakerConfig } from "./config-changes.ts";
import { renamedKeys } from "./renames.ts";
import {
  type Declaration,
  declarationsIn,
  functionsIn,
  literalsIn,
  withoutComments,
  withoutConstants,
} from "./test-code.ts";

/** A gate file before and after; null where it does not exist. */
export type FileChange = { path: string; before: string | null; after: string | null };

/** Why a gate checks less than it did; the line is that of the file it stands in, null for the whole of it. */
export type WeakerReason = { path: string; line: number | null; what: string };

export type GateChange =
  | { kind: "none" }
  /** More is checked, or the same in other words. */
  | { kind: "adds" }
  | { kind: "weaker"; reasons: WeakerReason[] };

const MOST_REASONS = 20;
const TEXT_CHARS = 120;

type Parsed = { path: string; code: string; assertions: Assertion[]; declarations: Declaration[] };

/**
 * What a change of gate files means, by their words alone: tests in any of the usual languages, snapshots, and the configuration of
 * test tools. All files are judged together, so that what moved between them is found again. Where it cannot tell, as with an
 * expectation that changed, it says weaker and why: the frozen tests decide then (product.md "Gates that hold").
 */
export function compareGateFiles(changes: readonly FileChange[]): GateChange {
  const changed = changes.filter(({ before, after }) => before !== after);
  if (changed.length === 0) return { kind: "none" };
  const tests = changed.filter(({ path }) => isCode(path));
  const others = changed.filter(({ path }) => !isCode(path));
  const reasons = [...weakerTests(tests), ...others.flatMap(weakerConfig)];
  return reasons.length === 0 ? { kind: "adds" } : { kind: "weaker", reasons: reasons.slice(0, MOST_REASONS) };
}

const CODE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|groovy|scala|cs|fs|rb|php|exs?|swift|c|cc|cpp|h|hpp|dart|lua|pl|t|bats|sh|bash|clj|hs|ml|zig|nim|vue|svelte)$/;
const CONFIG =
  /(?:^|\/)(?:[\w.-]+\.(?:config|conf)\.[^/]+|noxfile\.py|setup\.py|\.eslintrc\.[cm]?js|build\.gradle\.kts|mix\.exs)$/;

function isCode(path: string): boolean {
  return CODE.test(path) && !CONFIG.test(path) && isTestFile(path);
}

function parsed(path: string, text: string): Parsed {
  const code = withoutConstants(withoutComments(path, text));
  return { path, code, assertions: assertionsIn(code), declarations: declarationsIn(code) };
}

function weakerTests(changes: readonly FileChange[]): WeakerReason[] {
  const before = changes.flatMap(({ path, before: text }) => (text === null ? [] : [parsed(path, text)]));
  const after = changes.flatMap(({ path, after: text }) => (text === null ? [] : [parsed(path, text)]));
  const lost = lostAssertions(before, after);
  return [
    ...lost,
    ...markedTests(before, after),
    ...(lost.length > 0 ? [] : lostTests(before, after)),
    ...(lost.length > 0 ? [] : lostLiterals(before, after)),
    ...swallowed(before, after),
    ...mockedSubjects(before, after),
  ];
}

type Located = Assertion & { path: string };

function located(files: readonly Parsed[]): Located[] {
  return files.flatMap(({ path, assertions }) => assertions.map((one) => ({ ...one, path })));
}

/** Assertions that stood there and do not any more, however they are written. */
function lostAssertions(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  const gone = without(located(before), located(after));
  const come = without(located(after), located(before));
  const renamed = renamedKeys(
    gone.map(({ key }) => key),
    come.map(({ key }) => key),
  );
  const text = after.map(({ code }) => code).join("\n");
  const lost = gone.filter((one, at) => !renamed.has(at) && !isStronger(one, come) && !isInTable(one, text, before));
  return lost.map(({ path, line, key }) => {
    const other = come.find((one) => one.subject === lostSubject(key) || one.path === path);
    const was = clip(key);
    const now = other === undefined || !after.some((file) => file.path === path) ? "" : `, now: ${clip(other.key)}`;
    return { path, line, what: `an assertion is gone or changed: ${was}${now}` };
  });
}

function lostSubject(key: string): string {
  return key.replace(/^eq /, "").split(" ~ ")[0] ?? "";
}

/** The items of `a` that are not in `b`, each as often as it is missing. */
function without(a: readonly Located[], b: readonly Located[]): Located[] {
  const counts = new Map<string, number>();
  for (const { key } of b) counts.set(key, (counts.get(key) ?? 0) + 1);
  return a.filter(({ key }) => {
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left <= 0;
  });
}

/** Something that said little about a value is now said exactly. */
function isStronger(lost: Located, come: readonly Located[]): boolean {
  if (come.some((one) => isLonger(lost.key, one.key) || isWider(lost.key, one.key))) return true;
  return lost.weak && come.some((one) => !one.weak && (one.subject === lost.subject || one.key.includes(lost.subject)));
}

const STRING = /"(?:\\.|[^"\\])*"/g;

/** The same assertion about a message, of which it now demands more. */
function isLonger(lost: string, now: string): boolean {
  if (!/[tT]hrow|[cC]ontain|[mM]atch|raises|error/.test(lost)) return false;
  const [were, are] = [lost.match(STRING) ?? [], now.match(STRING) ?? []];
  if (were.length !== are.length || lost.replace(STRING, '""') !== now.replace(STRING, '""')) return false;
  return were.every((one, at) => (are[at] ?? "").includes(one.slice(1, -1)));
}

const FIELD = /,?\b\w+:(?:"(?:\\.|[^"\\])*"|[\w.]+)(?=[,}])/g;

/** The same assertion, about an input that has more fields. */
function isWider(lost: string, now: string): boolean {
  const known = new Set((lost.match(FIELD) ?? []).map(bare));
  return (
    now.length > lost.length &&
    bare(now.replace(FIELD, (field) => (known.has(bare(field)) ? field : ""))) === bare(lost)
  );
}

function bare(text: string): string {
  return text.replace(/(^|\{),/g, "$1");
}

const TABLE =
  /\.each\b|parametrize|\[(?:TestCase|InlineData|DataRow)\b|@(?:CsvSource|ValueSource|MethodSource|EnumSource|dataProvider)|DataProvider|range (?:tests|cases|tt|tcs|testCases)\b|for .{1,60} (?:in|of|:=|range) |\brstest\b|#\[case|\bcases?\b.{0,20}=|\.forEach\(|\bwith_items\b|subTest\(/;

/** Its values now stand in a table of cases, and an assertion goes through them. */
function isInTable(lost: Located, after: string, before: readonly Parsed[]): boolean {
  if (!TABLE.test(after) || before.every(({ code }) => code === after)) return false;
  const known = literalsIn(after);
  const own = [...literalsIn(lost.key)];
  return own.length > 0 && own.every((literal) => known.has(literal)) && assertionsIn(after).length > 0;
}

/** Tests that ran and are now skipped, and a mark that hides all others. */
function markedTests(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  const ran = new Set(
    before.flatMap(({ declarations }) => declarations.flatMap((one) => (one.marker === null ? one.name : []))),
  );
  const only = before.some(({ declarations }) => declarations.some(({ marker }) => marker === "only"));
  return after.flatMap(({ path, declarations }) =>
    declarations.flatMap(({ name, kind, marker, line }) => {
      if (marker === "only" && !only) return [{ path, line, what: `only "${clip(name)}" runs, and hides the others` }];
      if (marker !== "skip" || !ran.has(name)) return [];
      return [
        {
          path,
          line,
          what: `${kind === "test" ? "the test" : "the tests of"} "${clip(name)}" no longer runs to its end`,
        },
      ];
    }),
  );
}

/** Tests without assertions of their own, such as those that only must not crash, are lost with their declaration. */
function lostTests(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  const names = (files: readonly Parsed[]) =>
    files.flatMap(({ declarations }) => declarations.filter(({ kind }) => kind === "test"));
  const [were, are] = [names(before), names(after)];
  if (are.length >= were.length) return [];
  const left = new Set(are.map(({ name }) => name));
  const helpers = new Set(
    after.flatMap(({ code }) =>
      functionsIn(code)
        .filter((name) => !left.has(name))
        .map(stem),
    ),
  );
  return before.flatMap(({ path, declarations, assertions }) =>
    declarations.flatMap(({ name, kind, line }, at) => {
      if (kind !== "test" || left.has(name)) return [];
      if (helpers.has(stem(name))) return [{ path, line, what: `the test "${clip(name)}" is no longer run as one` }];
      const end = declarations[at + 1]?.line ?? Number.POSITIVE_INFINITY;
      const says = assertions.some((one) => one.line >= line && one.line < end);
      return says ? [] : [{ path, line, what: `the test "${clip(name)}" is gone` }];
    }),
  );
}

/** A name without what makes it a test's. */
function stem(name: string): string {
  return name
    .toLowerCase()
    .replace(/^(?:x|_|no|skip|check|disabled|test)*_?/, "")
    .replaceAll("_", "");
}

/** Values that the tests used, as inputs or expectations, and that now stand nowhere in them. */
function lostLiterals(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  const left = literalsIn(after.map(({ code }) => code).join("\n"));
  const texts = after.map(({ code }) => code).join("\n");
  return before.flatMap(({ path, code }) => {
    const missing = [...literalsIn(code)].filter((one) => !left.has(one) && !isWording(one, texts));
    return missing.length === 0
      ? []
      : [
          {
            path,
            line: lineOf(code, missing[0] ?? ""),
            what: `a value of the tests is gone: ${clip(missing.slice(0, 3).join(", "))}`,
          },
        ];
  });
}

/** Paths of modules, and sentences as messages and titles have them, change without changing what is checked. */
function isWording(literal: string, after: string): boolean {
  const text = literal.slice(1, -1);
  if (!literal.startsWith('"')) return false;
  return text === "" || /^[.@~\w-]*\//.test(text) || / .+ /.test(text) || after.includes(text);
}

/** A failure that is caught where it was not before. */
function swallowed(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  return after.flatMap(({ path, code }) => {
    const was = before.find((file) => file.path === path);
    if (was === undefined) return [];
    const lines = code.split("\n");
    const at = lines.findIndex(
      (line, index) =>
        SWALLOWS.test(line) &&
        /^\s*(?:\}|pass|end|nil|return|console\.|print|log|\/\/|;|\)|$)/.test(rest(line, lines[index + 1] ?? "")),
    );
    return at < 0 || countOf(was.code) >= countOf(code)
      ? []
      : [{ path, line: at + 1, what: `a failure is caught: ${clip((lines[at] ?? "").trim())}` }];
  });
}

const SWALLOWS = /\bcatch\b|\bexcept\b[^:]*:|\brescue\b|contextlib\.suppress|\|\| true\b|\|\| :\s*$|\bset \+e\b/;

function rest(line: string, next: string): string {
  const own = line
    .replace(/^.*(?:catch\s*(?:\([^)]*\))?\s*\{?|except[^:]*:|rescue\b.*|suppress.*|\|\| true|\|\| :|set \+e)/, "")
    .trim();
  return own === "" ? next : own;
}

function countOf(code: string): number {
  return code.split("\n").filter((line) => SWALLOWS.test(line)).length;
}

/** The module that a test is named after, replaced by a stand-in in that very test. */
function mockedSubjects(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  return after.flatMap(({ path, code }) => {
    const was = before.find((file) => file.path === path);
    const subject = /([^/]+?)[._-](?:test|spec)\.[^/]+$/.exec(path)?.[1] ?? /(?:^|\/)test_([^/]+)\.py$/.exec(path)?.[1];
    if (was === undefined || subject === undefined) return [];
    const mock = new RegExp(
      `(?:mock|patch|doMock|stub)\\w*\\(\\s*["'\`][^"'\`]*\\b${subject.replace(/[^\w]/g, "\\$&")}\\b`,
    );
    return mock.test(code) && !mock.test(was.code)
      ? [
          {
            path,
            line: code.split("\n").findIndex((line) => mock.test(line)) + 1,
            what: `what the test is about is replaced by a stand-in: ${subject}`,
          },
        ]
      : [];
  });
}

function lineOf(code: string, literal: string): number | null {
  const text = literal.startsWith('"') ? literal.slice(1, -1) : literal;
  const at = code.split("\n").findIndex((line) => line.includes(text));
  return at < 0 ? null : at + 1;
}

function clip(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > TEXT_CHARS ? `${line.slice(0, TEXT_CHARS - 1)}…` : line;
}
