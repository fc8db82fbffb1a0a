import { without } from "../multiset.ts";
import { statementFrom } from "./assertions.ts";
import { type Declaration, functionsIn, withoutUnused } from "./test-code.ts";

/** A test file, as far as the steps of its tests are compared. */
export type Stepped = { path: string; code: string; declarations: readonly Declaration[] };

export type LostStep = { path: string; line: number; last: number };

type Step = LostStep & { text: string; test: string | null; key: string; names: readonly string[] };

const NAME = /[A-Za-z_$][\w$]*/g;
const STRING = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g;
/** Calls that state something are compared as assertions; others prepare nothing, or only wait. */
const NO_STEP =
  /\bexpect|\bassert|\bAssert|EXPECT_|REQUIRE|CHECK\(|\.should\b|\bt\.(?:Error|Fatal|Log|Helper|Parallel|Run|Skip|(?:is|deepEqual|true|false|truthy|falsy|like|regex|snapshot|(?:notT|t)hrows(?:Async)?|not)\()|\bXCT|^\s*(?:import|from|use|using|#include|require|@|#|\}|\)|\]|it|test|describe|context|def|func|fn|fun|function|class|if|for|while|switch|with|when|except|try|catch|setup|before|after|public|private|void|let\(|subject|TEST|end)\b|console\.|print|\bsleep|\bwait|[tT]imeout|\bsuper\b|\b(?:ioutil|os|filepath)\.|^\s*[@#}\])]/;
/** The first line of a test that a macro of Rust makes, as far as its body stands below. */
const MACRO = /^\s*\w*test\w*!\(.*\{\s*$/;
const CALL = /[\w\])"'!?]\(/;
/** More are not told. */
const MOST_STEPS = 20;
/** So many new steps are compared with each that is gone. */
const MOST_TRIES = 100;
/** Where brackets may be left out. */
const COMMAND = /^\s*[\w.]+[!?]? ["':(\w]/;

/**
 * Steps of tests that are gone, or have other values, while the names of the tests stayed and nothing new took their place: a call
 * that is no longer made hides what it found.
 */
export function lostSteps(before: readonly Stepped[], after: readonly Stepped[]): LostStep[] {
  const were = before.flatMap(stepsIn);
  const are = after.flatMap(stepsIn);
  const keyOf = ({ key }: Step) => key;
  const gone = without(were, are, keyOf);
  const come = without(are, were, keyOf);
  const known = namesIn(before);
  const fresh = new Set(
    [...namesIn(after)].filter((name) => !/^(?:_|void|let|const|mut)$/.test(name) && !known.has(name)),
  );
  const kept = new Set(after.flatMap(({ declarations }) => declarations.map(({ name }) => name)));
  const renamed = before.some(({ declarations }) => declarations.some(({ name }) => !kept.has(name)));
  if (renamed) return [];
  // A new name, of a helper, a hook or a variable, may stand for any step of the tests that it is in, or that share it.
  const uses = namesByTest(after, fresh);
  if (uses.has(null)) return [];
  const same = Map.groupBy(come, ({ names }) => names.join(" "));
  const others = come.map(({ text }) => new Set(text.match(NAME)));
  const compact = (files: readonly Stepped[]) => files.map(({ code }) => code.replace(/\s+/g, "")).join("\n");
  const [was, is] = [compact(before), compact(after)];
  const lost: LostStep[] = [];
  for (const one of gone) {
    if (lost.length >= MOST_STEPS) break;
    if (uses.has(one.test)) continue;
    const now = same.get(one.names.join(" "))?.slice(0, MOST_TRIES);
    // A value that had a name stands where it is used.
    const value = /^(?:const|let|var|val)?\s*[\w$]+\s*:?=\s*([^=>].*?);?$/.exec(one.text)?.[1]?.replace(/\s+/g, "");
    if (value !== undefined && is.split(value).length >= was.split(value).length) continue;
    const isThere = now === undefined ? isAlike(one, others) : now.some((other) => isMore(one, other));
    if (!isThere) lost.push(one);
  }
  return lost;
}

/** What all tests of a file share, wherever it stands, but not what is imported. */
const SHARED = /^\s*(?:@?(?:before|after|set_?up|tear_?down|fixture)\w*|let|subject|background)\b/i;

/** The test that each line of a file belongs to; null for what tests share. */
function testsByLine({ code, declarations }: Stepped): (string | null)[] {
  const starts = new Map(declarations.map((one) => [one.line, one]));
  let current: string | null = null;
  return code.split("\n").map((line, at) => {
    const declared = starts.get(at + 1);
    if (declared !== undefined) current = declared.kind === "test" ? declared.name : null;
    else if (SHARED.test(line) || (/^\S/.test(line) && functionsIn(line).length > 0)) current = null;
    return current;
  });
}

/** Tests in which a new name stands; null among them if it is in what they share. */
function namesByTest(files: readonly Stepped[], fresh: ReadonlySet<string>): Set<string | null> {
  const uses = new Set<string | null>();
  for (const file of files) {
    const tests = testsByLine(file);
    for (const [at, line] of file.code.replace(STRING, blank).split("\n").entries())
      if (!IMPORT.test(line) && (line.match(NAME) ?? []).some((name) => fresh.has(name))) uses.add(tests[at] ?? null);
  }
  return uses;
}

/** A string of several lines leaves its lines. */
function blank(text: string): string {
  return text.replace(/[^\n]/g, "");
}

const IMPORT = /^\s*(?:import|from|use|using|require\w*|#include|package)\b|^\s*(?:const|let|var) .*\brequire\(["']/;

function stepsIn({ path, code, declarations }: Stepped): Step[] {
  const tests = testsByLine({ path, code, declarations });
  const lines = withoutUnused(code).split("\n");
  const steps: Step[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (
      NO_STEP.test(line) ||
      IMPORT.test(line) ||
      !(CALL.test(line) || (/\.(?:rb|exs?|bats)$/.test(path) && COMMAND.test(line)))
    )
      continue;
    const [whole, last] = MACRO.test(line) ? [line, at] : statementFrom(lines, at, 0);
    const text = whole.trim();
    const key = text
      .replace(/(["'])node:(?=[\w/]+\1)/g, "$1")
      .replace(/\s+/g, "")
      .replace(/['`]/g, '"')
      .replace(/[;,]+$|,(?=[)\]}])/g, "")
      // Where an end-to-end test looks is no value of it.
      .replace(/(\b(?:cy|page|screen)\.\w+\()"[^"]*"/g, "$1");
    steps.push({
      path,
      line: at + 1,
      last: last + 1,
      text,
      key,
      test: tests[at] ?? null,
      names: text.replace(STRING, "").match(NAME) ?? [],
    });
    at = last;
  }
  return steps;
}

function namesIn(files: readonly Stepped[]): Set<string> {
  return new Set(files.flatMap(({ code }) => code.replace(STRING, "").match(NAME) ?? []));
}

/** Another form of the same: all its names are there, in another order or with others. */
function isAlike(lost: Step, come: readonly ReadonlySet<string>[]): boolean {
  return come.some((names) => lost.names.every((name) => names.has(name)));
}

/** The same call with more in a list. */
function isMore(lost: Step, now: Step): boolean {
  const values = (step: Step) => step.text.match(/"[^"]*"|'[^']*'|-?\d[\d._]*/g) ?? [];
  const plain = (step: Step) => step.key.replace(/"[^"]*"|-?\d[\d._]*|,/g, "");
  return plain(lost) === plain(now) && values(now).length > values(lost).length;
}
