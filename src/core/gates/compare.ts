import { isTestFile } from "../answer/test-file.ts";
import { countEach, without } from "../multiset.ts";
import { type Assertion, assertionsIn } from "./assertions.ts";
import { weakerCheck } from "./check-lines.ts";
import { withoutTypes } from "./code/types-left-out.ts";
import { weakerConfigs } from "./config-changes.ts";
import { LEFT_OUT, newEvasions } from "./evasions.ts";
import { hasInlineTests } from "./frozen-parts.ts";
import { longLines, withoutLongLines } from "./long-lines.ts";
import { ownLines } from "./own-lines.ts";
import { renamedKeys } from "./renames.ts";
import { lostSteps } from "./steps.ts";
import { mockedSubjects, replacedSubjects } from "./subjects.ts";
import {
  type Declaration,
  declarationsIn,
  functionsIn,
  literalsIn,
  withoutComments,
  withoutConstants,
  withoutUnused,
} from "./test-code.ts";

/** A gate file before and after; null where it does not exist. `isCheck`: all of it is a check, and none of it the work. */
export type FileChange = { path: string; before: string | null; after: string | null; isCheck?: boolean };

/** Why a gate checks less than it did; the line is that of the file it stands in, null for the whole of it. */
export type WeakerReason = { path: string; line: number | null; what: string };

export type GateChange =
  | { kind: "none" }
  /** More is checked, or the same in other words. */
  | { kind: "adds" }
  | { kind: "weaker"; reasons: WeakerReason[] };

const MOST_REASONS = 20;
const TEXT_CHARS = 120;
/** So many new assertions are compared with each that is gone. The agent controls both, and must not keep ralph busy for minutes. */
const MOST_TRIES = 100;

type Parsed = { path: string; raw: string; code: string; assertions: Assertion[]; declarations: Declaration[] };

/**
 * What a change of gate files means, by their words alone: tests in any of the usual languages, snapshots, and the configuration of
 * test tools. All files are judged together, so that what moved between them is found again. Where it cannot tell, as with an
 * expectation that changed, it says weaker and why: the frozen tests decide then (product.md "Gates that hold").
 * @param kept paths of the gate files that did not change, which tell whether tests moved as a whole; null if nobody knows
 */
export function compareGateFiles(changes: readonly FileChange[], kept: readonly string[] | null = null): GateChange {
  // A file of which no part was gate, as a source file without tests, may come and go.
  const changed = changes.filter(({ before, after }) => (before ?? "") !== (after ?? ""));
  if (changed.length === 0) return { kind: "none" };
  const tests = changed.filter(({ path }) => isCode(path));
  const others = changed.filter(({ path }) => !isCode(path));
  const worded = [...weakerTests(tests), ...weakerConfigs(others, changed, kept)];
  const known = new Set(worded.map(({ path }) => path));
  const checks = changed.filter(({ path, isCheck }) => isCheck === true && !known.has(path));
  const reasons = [...worded, ...checks.flatMap(weakerCheck)];
  return reasons.length === 0 ? { kind: "adds" } : { kind: "weaker", reasons: reasons.slice(0, MOST_REASONS) };
}

const CODE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|groovy|scala|cs|fs|rb|php|exs?|swift|c|cc|cpp|h|hpp|dart|lua|pl|t|bats|sh|bash|clj|hs|ml|zig|nim|vue|svelte)$/;
const CONFIG =
  /(?:^|\/)(?:[\w.-]+\.(?:config|conf)\.[^/]+|noxfile\.py|setup\.py|\.eslintrc\.[cm]?js|build\.gradle\.kts|mix\.exs)$/;

function isCode(path: string): boolean {
  return CODE.test(path) && !CONFIG.test(path) && (isTestFile(path) || hasInlineTests(path));
}

function parsed(path: string, whole: string): Parsed {
  const text = withoutLongLines(whole);
  const code = withoutConstants(withoutTypes(path, withoutComments(path, text)));
  return { path, raw: text, code, assertions: assertionsIn(code), declarations: declarationsIn(code) };
}

function weakerTests(changes: readonly FileChange[]): WeakerReason[] {
  const before = changes.flatMap(({ path, before: text }) => (text === null ? [] : [parsed(path, text)]));
  const after = changes.flatMap(({ path, after: text }) => (text === null ? [] : [parsed(path, text)]));
  const lost = lostAssertions(before, after);
  const pairs = after.flatMap((now) => {
    const was = before.find(({ path }) => path === now.path);
    return was === undefined ? [] : [{ was, now }];
  });
  return [
    ...lost,
    ...markedTests(before, after),
    ...(lost.length > 0 ? [] : lostTests(before, after)),
    ...(lost.length > 0 ? [] : lostLiterals(before, after)),
    ...lostSteps(before, after).map(({ path, line, last }) => ({
      path,
      line,
      what: `a step of the tests is gone or changed: ${clip(ownIn(before, { path, line, last }))}`,
    })),
    ...pairs.flatMap(swallowed),
    ...pairs.flatMap(standIns),
    ...evaded(before, after),
    ...pairs.flatMap(fewerRuns),
    ...pairs.flatMap(overwritten),
    ...changes.flatMap(longLines),
  ];
}

/** A file that is there before and after. */
type Pair = { was: Parsed; now: Parsed };

type Located = Assertion & { path: string };

function located(files: readonly Parsed[]): Located[] {
  return files.flatMap(({ path, assertions }) => assertions.map((one) => ({ ...one, path })));
}

/** Assertions that stood there and do not any more, however they are written. */
function lostAssertions(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  const [were, stand] = [located(before), located(after)];
  const keyOf = ({ key }: Located) => key;
  const gone = without(were, stand, keyOf);
  const come = without(stand, were, keyOf);
  const renamed = renamedKeys(gone.map(keyOf), come.map(keyOf));
  const [was, are] = [joined(before), joined(after)];
  const says = come.length > 0 ? come : stand;
  const saysMuch = says.some(({ weak }) => !weak);
  const awaits = countAwaits(are) > countAwaits(was);
  const table = TABLE.test(are) && was !== are ? { was: countsOf(was), are: countsOf(are) } : null;
  // Pairs are only sought within a file, and in new ones, so that a change of many files takes no time by its square.
  const old = new Set(before.map(({ path }) => path));
  const moved = come.filter(({ path }) => !old.has(path));
  const near = Map.groupBy(come, ({ path }) => path);
  const elsewhere = strongerIn(moved);
  const stronger = new Map([...old].map((path) => [path, strongerIn(near.get(path) ?? [])]));
  const stated = new Set(come.flatMap(({ key, inlined }) => [key, inlined]));
  const values = new Set(come.map((one) => one.inlined));
  const lost: Located[] = [];
  for (const [at, one] of gone.entries()) {
    if (lost.length >= MOST_REASONS) break; // no more are told
    // The same value, which has a name in one of the two.
    if (renamed.has(at) || values.has(one.key) || stated.has(one.inlined)) continue;
    if ((isInTable(one, table) && (one.weak || saysMuch)) || (awaits && NO_ERROR.test(one.key))) continue;
    if (![stronger.get(one.path), elsewhere].some((isStronger) => isStronger?.(one))) lost.push(one);
  }
  return lost.map((one) => {
    const { path, line, key } = one;
    const found = come.find(({ subject, path: other }) => subject === lostSubject(key) || other === path);
    const other = after.some((file) => file.path === path) ? found : undefined;
    const own = [ownIn(before, one), other === undefined ? "" : ownIn(after, other)] as const;
    // A value that has its name elsewhere: the lines are the same, and what they mean is not.
    const [was, now] = own[0] === own[1] ? [key, other?.key ?? ""] : own;
    return {
      path,
      line,
      what: `an assertion is gone or changed: ${clip(was)}${now === "" ? "" : `, now: ${clip(now)}`}`,
    };
  });
}

/** Lines of one of the files, as they were written. */
function ownIn(files: readonly Parsed[], { path, line, last }: { path: string; line: number; last?: number }): string {
  return ownLines(files.find((file) => file.path === path)?.raw ?? "", line, last);
}

/** A callback was given no error: with `await` nothing has to say so. */
const NO_ERROR = /^(?:eq (?:err|error) ~ (?:null|nil|undefined)|(?:assert\.)?ifError\((?:err|error)\))$/;

function countAwaits(code: string): number {
  return code.match(/\bawait\b/g)?.length ?? 0;
}

function joined(files: readonly Parsed[]): string {
  return files.map(({ code }) => code).join("\n");
}

function lostSubject(key: string): string {
  return key.replace(/^eq /, "").split(" ~ ")[0] ?? "";
}

/** Says of an assertion that is gone whether one of those that came demands as much of the same, or more. */
function strongerIn(come: readonly Located[]): (lost: Located) => boolean {
  const keys = come.map(({ key }) => key);
  const byMessage = Map.groupBy(keys, (key) => key.replace(STRING, '""'));
  const byFields = Map.groupBy(keys, withoutFields);
  const byTolerance = Map.groupBy(keys, (key) => key.replace(TOLERANCE, "$1#"));
  const thrown = keys.filter((key) => key.startsWith("throws ")).slice(0, MOST_TRIES);
  const bySide = new Map<string, string[]>();
  for (const key of keys)
    for (const side of sidesOf(key)) {
      const known = bySide.get(side);
      if (known === undefined) bySide.set(side, [key]);
      else if (known.length < MOST_TRIES) known.push(key);
    }
  const strong = come.flatMap(({ weak, key }) => (weak ? [] : key)).join("\n");
  const subjects = new Set(come.flatMap(({ weak, subject }) => (weak ? [] : subject)));
  const some = (found: readonly string[] | undefined, isIt: (lost: string, now: string) => boolean, lost: string) =>
    found?.slice(0, MOST_TRIES).some((now) => isIt(lost, now)) ?? false;
  return ({ key, weak, subject }) =>
    some(byMessage.get(key.replace(STRING, '""')), isLonger, key) ||
    some(byFields.get(withoutFields(key)), isWider, key) ||
    some(byTolerance.get(key.replace(TOLERANCE, "$1#")), isTighter, key) ||
    some(thrown, isSameError, key) ||
    sidesOf(key).some((side) => some(bySide.get(side.replace(/\.\w+$/, "")), hasField, key)) ||
    (weak && (subjects.has(subject) || (strong !== "" && strong.includes(subject))));
}

function sidesOf(key: string): string[] {
  return key.startsWith("eq ") ? key.slice(3).split(" ~ ") : [];
}

function withoutFields(key: string): string {
  return bare(key.replace(FIELD, ""));
}

const STRING = /"(?:\\.|[^"\\])*"/g;

/** The same assertion about a message, of which it now demands more. */
function isLonger(lost: string, now: string): boolean {
  if (!/[tT]hrow|[cC]ontain|[mM]atch|raises|error/.test(lost)) return false;
  const [were, are] = [lost.match(STRING) ?? [], now.match(STRING) ?? []];
  return were.length === are.length && were.every((one, at) => (are[at] ?? "").includes(one.slice(1, -1)));
}

const CAUGHT = /\b(?:e|err|error|ex|exception|caught)\.(?:message|code|name)\b/;

/** An error that was caught and looked at, or of which only the type was known. */
function isSameError(lost: string, now: string): boolean {
  if (!now.startsWith("throws ")) return false;
  if (lost.startsWith("throws ")) {
    const [[were = "", whose], [are = "", who]] = [lost.slice(7).split(" ~ "), now.slice(7).split(" ~ ")];
    return are.includes(were) && (whose === undefined || whose === who);
  }
  return CAUGHT.test(lost) && (lost.match(STRING) ?? []).some((one) => now.includes(one.slice(1, -1)));
}

/** A field that was compared alone is now one of an object that is compared whole. */
function hasField(lost: string, now: string): boolean {
  if (!lost.startsWith("eq ") || !now.startsWith("eq ")) return false;
  const [a = "", b = ""] = lost.slice(3).split(" ~ ");
  return [
    [a, b],
    [b, a],
  ].some(([value = "", field = ""]) => {
    const [, whole, name] = /^(.+)\.(\w+)$/.exec(field) ?? [];
    const [left, right] = now.slice(3).split(" ~ ");
    const object = left === whole ? right : right === whole ? left : undefined;
    return (
      whole !== undefined &&
      object !== undefined &&
      new RegExp(`[{,]"?${name}"?:`).test(object) &&
      object.includes(`:${value}`)
    );
  });
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

/** How far a number may be off, or to how many places it is compared. */
const TOLERANCE =
  /(\b(?:abs|rel|abs_tol|rel_tol|atol|rtol|delta|epsilon|tolerance|places)[=:]|toBeCloseTo\([^()]{1,200},)(\d+(?:\.\d+)?(?:e-?\d+)?)/g;

/** The same assertion, which now allows less. */
function isTighter(lost: string, now: string): boolean {
  const [were, are] = [[...lost.matchAll(TOLERANCE)], [...now.matchAll(TOLERANCE)]];
  return (
    were.length > 0 &&
    were.every(([, name = "", value], at) =>
      /^places|^toBeCloseTo/.test(name) ? Number(are[at]?.[2]) >= Number(value) : Number(are[at]?.[2]) <= Number(value),
    )
  );
}

const TABLE =
  /\.each\b|parametrize|\[(?:TestCase|InlineData|DataRow)\b|@(?:CsvSource|ValueSource|MethodSource|EnumSource|dataProvider)|DataProvider|range (?:tests|cases|tt|tcs|testCases)\b|for .{1,60} (?:in|of|:=|range) |\brstest\b|#\[case|\bcases?\b.{0,20}=|\.forEach\(|\bwith_items\b|subTest\(/;

type Counts = ReadonlyMap<string, number>;

/** Its values now stand in a table of cases, and an assertion goes through them. */
function isInTable(lost: Located, table: { was: Counts; are: Counts } | null): boolean {
  if (table === null) return false;
  const own = [...literalsIn(lost.key)].filter((literal) => literal !== '""');
  return own.length > 0 && own.every((one) => (table.are.get(one) ?? 0) >= (table.was.get(one) ?? 0));
}

/** How often each string and number stands in a text. */
function countsOf(text: string): Counts {
  const literals = text.match(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`[^`]*`|(?<![\w.])-?\d[\d_]*(?:\.\d+)?/g) ?? [];
  return countEach(
    literals.map((literal) => (/^["'`]/.test(literal) ? `"${literal.slice(1, -1)}"` : literal.replaceAll("_", ""))),
  );
}

/** Tests that ran and are now skipped, and a mark that hides all others. */
function markedTests(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  const ran = new Set(
    before.flatMap(({ declarations }) => declarations.flatMap((one) => (one.marker === null ? one.name : []))),
  );
  const only = before.some(({ declarations }) => declarations.some(({ marker }) => marker === "only"));
  /** Of several tests of a name in a file, one may never have run to its end. */
  const wasSkipped = (path: string, { name, line }: Pick<Declaration, "name" | "line">): boolean => {
    const [were, are] = [before, after].map((files) =>
      (files.find((file) => file.path === path)?.declarations ?? []).filter((one) => one.name === name),
    );
    const at = are?.findIndex((one) => one.line === line) ?? -1;
    return were?.length === are?.length && were?.[at]?.marker === "skip";
  };
  return after.flatMap(({ path, declarations }) =>
    declarations.flatMap(({ name, kind, marker, line }) => {
      if (marker === "only" && !only) return [{ path, line, what: `only "${clip(name)}" runs, and hides the others` }];
      if (marker !== "skip" || !ran.has(name)) return [];
      if (wasSkipped(path, { name, line })) return [];
      const what = `${kind === "test" ? "the test" : "the tests of"} "${clip(name)}" no longer runs to its end`;
      return [{ path, line, what }];
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
  const texts = joined(after);
  const left = literalsIn(texts);
  return before.flatMap(({ path, raw, code, declarations, assertions }) => {
    // What assertions say has been compared as such.
    const asserted = new Set(assertions.map(({ line }) => line));
    const used = withoutConstants(withoutUnused(withoutTypes(path, withoutComments(path, raw))));
    const lines = used.split("\n").filter((_, at) => !asserted.has(at + 1));
    const own = declarations.length === 0 ? code : lines.join("\n");
    const missing = [...literalsIn(own)].filter((one) => !left.has(one) && !isWording(one, texts));
    const [first] = missing;
    if (first === undefined) return [];
    const what = `a value of the tests is gone: ${clip(missing.slice(0, 3).join(", "))}`;
    return [{ path, line: lineOf(code, first), what }];
  });
}

/** Paths of modules, and sentences as messages and titles have them, change without changing what is checked. */
function isWording(literal: string, after: string): boolean {
  const text = literal.slice(1, -1);
  if (!literal.startsWith('"')) return false;
  return text === "" || /^[.@~\w-]*\//.test(text) || / .+ /.test(text) || after.includes(text);
}

/** A failure that is caught where it was not before. */
function swallowed({ was, now: { path, code, raw } }: Pair): WeakerReason[] {
  const lines = code.split("\n");
  const at = lines.findIndex(
    (line, index) =>
      SWALLOWS.test(line) &&
      /^\s*(?:\}|pass|end|nil|return|console\.|print|log|\/\/|;|\)|$)/.test(rest(line, lines[index + 1] ?? "")),
  );
  if (at < 0 || countOf(was.code) >= countOf(code)) return [];
  return [{ path, line: at + 1, what: `a failure is caught: ${clip(ownLines(raw, at + 1))}` }];
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

/** What the tests of a file are about is no longer what it was. */
function standIns({ was, now }: Pair): WeakerReason[] {
  const { path } = now;
  return [
    ...mockedSubjects(was.code, now).map(({ name, line }) => ({
      path,
      line,
      what: `what the test is about is replaced by a stand-in: ${name}`,
    })),
    ...replacedSubjects(was, now).map(({ name, line }) => ({
      path,
      line,
      what: `what the test is about is defined in the test itself: ${clip(name)}`,
    })),
  ];
}

/** Ways around assertions in files that were there, or that have the place of others. */
function evaded(before: readonly Parsed[], after: readonly Parsed[]): WeakerReason[] {
  // A new file weakens nothing, unless it has the place of another.
  const gone = before.some(({ path }) => !after.some((file) => file.path === path));
  const known = new Set(before.map(({ path }) => path));
  const kept = after.filter(({ path }) => gone || known.has(path) || CONFTEST.test(path));
  // Hooks decide about the tests of other files too.
  const counts = ({ file, what }: { file: Parsed; what: string }) => gone || known.has(file.path) || what === LEFT_OUT;
  return newEvasions(before, kept)
    .filter(counts)
    .map(({ file: { path, raw }, line, what }) => ({
      path,
      line,
      what: `${what} that was not there: ${clip(ownLines(raw, line))}`,
    }));
}

const CONFTEST = /(?:^|\/)conftest\.py$/;

const RUNS = /\b(?:numRuns|max_examples|with_cases|cases|tries|iterations|max_runs)\s*[:=(]\s*(\d[\d_]*)/g;

/** Tests with random inputs that run less often. */
function fewerRuns({ was, now: { path, code } }: Pair): WeakerReason[] {
  const runs = (text: string) => [...text.matchAll(RUNS)].map(([, n = ""]) => Number(n.replaceAll("_", "")));
  const [were, are] = [runs(was.code), runs(code)];
  const fewer = were.length === are.length && are.some((n, at) => n < (were[at] ?? 0));
  return fewer ? [{ path, line: null, what: `random inputs are tried less often: ${are.join(", ")}` }] : [];
}

/** A later function takes the name of a test, and Python then knows only that one. */
function overwritten({ was, now: { path, declarations } }: Pair): WeakerReason[] {
  if (!path.endsWith(".py")) return [];
  const known = new Set(twice(was.declarations).map(({ name }) => name));
  return twice(declarations).flatMap(({ name, line }) =>
    known.has(name) ? [] : [{ path, line, what: `another test takes the name "${clip(name)}"` }],
  );
}

function twice(declarations: readonly Declaration[]): Declaration[] {
  const seen = new Set<string>();
  let block = "";
  return declarations.filter(({ name, kind }) => {
    if (kind === "block") block = name;
    const full = `${block} ${name}`;
    const known = kind === "test" && seen.has(full);
    seen.add(full);
    return known;
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
