import { countEach, without } from "../multiset.ts";
import { isInQuietFunction } from "./code/inner-functions.ts";
import { type Declaration, functionsIn, isAttributeLine } from "./test-code.ts";

/** A passage with which a test can pass although what it looks at is wrong. */
export type Evasion = { what: string; line: number };

const ASSERTS = /\bexpect\b|\bassert|\bt\.(?:Error|Fatal)|\bAssert\.|\bEXPECT_|\bREQUIRE\b|\bXCTAssert/;
/** What ends a test as failed is no way around it. */
const FAILS = /\bthrow\b|\braise\b|\bpanic\b|\bfail\w*\(|\bt\.(?:Error|Fatal|Fail)|\bflunk\b/;

/** What code says that decides which tests run at all. */
export const LEFT_OUT = "what is left out of the run";

/** What languages and browsers bring, and tests replace where it is missing or never the same twice. */
const PLATFORM =
  "(?:\\w*Element|Range|Window|Storage|Document|Node|Text|Event\\w*|Date|Math|JSON|Intl|Object|Array|String|Number|Promise|URL\\w*|XMLHttpRequest|\\w*Observer)";
const OWN_CLASS = `(?!${PLATFORM}\\.)[A-Z]\\w*`;
const ANEW = new RegExp(
  String.raw`\b${OWN_CLASS}\.prototype\.\w+\s*=(?!=)|^\s*${OWN_CLASS}\.\w+\s*=\s*(?:lambda\b|(?:async )?(?:function\b|\w+ ?=>|\([^()]*\)\s*=>))`,
);

const EVASIONS: readonly (readonly [what: string, pattern: RegExp])[] = [
  // Whether it is looked at
  ["a condition", /^\s*(?:\}?\s*(?:else|elsif|elif)\s+)?(?:if|unless|guard)\b|^\s*(?:continue|break)\b/],
  ["an assertion behind a condition", /(?:&&|\|\||\?)\s*(?:await )?(?:expect|assert\w*)[(.]|\bassert\b.*\bor True\b/],
  ["an assertion that is always true", /^\s*assert \(.+, ?f?["'][^"']*["']\)\s*$/],
  ["an assertion after the test", /\b(?:setTimeout|setImmediate|queueMicrotask|nextTick)\((?:async )?\(\) ?=> ?\{\s*$/],
  [
    "an assertion that nobody awaits",
    /^\s*(?:expect\(.*\)\.(?:resolves|rejects)\b|assert\.(?:rejects|doesNotReject)\(|expect\((?:page|locator)\b.*\)\.to)/,
  ],
  ["an assumption", /\b(?:fc\.pre|assume\w*|prop_assume!?|Assume\.\w+|Assumptions\.\w+)\(/],
  [
    "fewer cases",
    /\b(?:for|each|forEach)\b.*(?:\.(?:slice|filter|take|first|sample)\(|\[:?-?\d*:\d*\]|\.Skip\(|\.Take\()|\b(?:of|in) (?:\[\]|\(\))\s*[):]|\.each\(\[\]\)|\bparametrize\(.*, ?[[(][\])]\)|\brange \[\][\w.]+\{\}/,
  ],
  ["the answer as what is wanted", /\b(?:want|expected|exp)\w*\s*=\s*(?:got|actual|result|received|out)\b/],
  // Whether it runs
  [
    "a skip",
    /\.skip\w*\(|->skip\w*\(|\bskipTest\(|\bpytest\.(?:skip|importorskip|xfail)\(|\bt\.Skip|(?:^|[{;]\s*)(?:skip|pending)(?:\s+["'(]|\s*\}|\s*$)|@moduletag\s+:?skip|\b(?:XCTSkip\w*|GTEST_SKIP)\(|\bSkipTest\b|\bmarkTest\w+\(|\bself\.skip\b/,
  ],
  [
    "a mark that keeps it from running",
    /#!?\[cfg\((?!test\))|^\s*#if(?:def|ndef)?\b|\[Explicit\b|, ?Explicit\b|\bDISABLED_|@(?:IgnoreIf|IgnoreRest|PendingFeature|Requires|DisabledIf\w*|DisabledOn\w*|EnabledIf\w*|EnabledOn\w*|Disabled|Ignore)\b|\[(?:\.\w*|!mayfail|!shouldfail)\]|^\s*(?:it|test|describe|context|specify)\b.*\b(?:if|unless|skip|pending):|__test__\s*=\s*False|\bpytest\.mark\.(?:skip|xfail)/,
  ],
  [
    "a mark that turns it round",
    /#\[should_panic|\bXCTExpectFailure\(|\bwithKnownIssue\b|expectNotToPerformAssertions|\bfixme\(/,
  ],
  [
    LEFT_OUT,
    /\bexclude:|filter_run_excluding|ExUnit\.configure|\bcollect_ignore|\bpytest_(?:collection_modifyitems|ignore_collect|runtest_\w+|pyfunc_call|report_teststatus)\b|\bsession\.exitstatus\s*=(?!=)/,
  ],
  [
    "retries",
    /\bretr(?:y|ies)\w*\s*[:=(]\s*[1-9]|\bretryTimes\(|\bmark\.flaky\b|@(?:Flaky|RetryingTest|Retry)\b|\.retries\(/,
  ],
  [
    "an end of the run",
    /\bprocess\.exit(?:Code)?\b|\b(?:os|sys)\.(?:_exit|Exit)\((?:0)\)|\bSystem\.exit\(0|^\s*exit!? 0?\s*$|\babort_on_exception\b/,
  ],
  [
    "a handler that hides failures",
    /\bon\(\s*["'](?:fail|uncaught:exception|uncaughtException|unhandledRejection)["']|\bpass:\s*true\b|\brecover\(\)|catch_unwind|\brescue nil\b/,
  ],
  [
    "a failure that is caught",
    /\bsuppress\(|\.catch\(\s*(?:\(\w*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void 0)|\bcatch\s*\(\s*(?:final )?(?:AssertionE\w+|Throwable)\b|\bexcept\s+(?:AssertionError|BaseException)\b/,
  ],
  // What it looks at
  [
    "a stand-in",
    /\bmock(?:Return|Resolved|Rejected|Implementation)\w*\(|\.spyOn\(|\bmonkeypatch\.(?!(?:set|del)env\b|chdir\b)\w+\(|\bpatch(?:\.\w+)?\(|\band_return\b|\bthenReturn\(|\b(?:Mockito\.)?mock\(|\breceive\(|\bsinon\.\w+\(|(?:\.|->)(?:doMock|stub\w*|willReturn|returns|create(?:Mock|Stub))\(|\bmock\.method\(/,
  ],
  ["a method that is written anew", ANEW],
  ["a value in place of a failure", /\bunwrap_or\w*\(|\.orElse\w*\(|\.getOrElse\w*\(/],
  ["one value for any", /\bst\.just\(|\bfc\.constant(?:From)?\(|\bGen\.const|\bexpect\.any(?:thing)?\(|\bmock\.ANY\b/],
  [
    "a function of the test framework of its own",
    /^\s*(?:const|let|var|function|def)\s+(?:it|test|expect|describe|assert)\b(?!.*(?:require\(|import\(|\.extend\())|\b(?:globalThis|global|window)\.(?:it|test|expect|describe|assert)\s*=(?!=)|\bmacro_rules!\s*(?:debug_)?assert/,
  ],
];

/** A function inside of a test. */
const INNER =
  /^\s+(?:async )?(?:def|function|fn|func)\s+(\w+)|^\s+(?:const|let|val|var)\s+(\w+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>|^\s+(?:[\w<>,.?][\w<>,.? ]*\s)?(\w+)\s*:?=\s*(?:\([^()]*\)\s*->|\w+\s*->|->|lambda\b|(?:move )?\|[^|]*\||func\s*\()/;

/** A decorator of an object that the test made or was given, such as `@app.route("/")`: what it stands above is called by that. */
const DECORATOR = /^\s*@(\w+)\.\w/;

function isCalled(line: string, code: string): boolean {
  const object = DECORATOR.exec(line)?.[1];
  return object !== undefined && new RegExp(`\\b${object} *=(?!=)|\\bdef \\w+\\([^)\n]*\\b${object}\\b`).test(code);
}

/** Words of a comment that a tool obeys. */
const DIRECTIVES: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["a file that is only built with a tag", /^\/\/(?:go:build| \+build)\b/],
  ["types that nobody checks", /@ts-nocheck\b|#\s*mypy:\s*ignore-errors|^#\s*type:\s*ignore\s*$/],
];

/** A test file, as far as ways around its assertions are sought in it. */
export type Searched = { raw: string; code: string; declarations: readonly Declaration[] };

/**
 * Ways around assertions that there were not before. Those of new tests weaken none, unless others are gone: then it may be an old
 * one with a new name.
 */
export function newEvasions<File extends Searched>(
  before: readonly File[],
  after: readonly File[],
): (Evasion & { file: File })[] {
  const known = new Set(namesOf(before));
  const left = new Set(namesOf(after));
  const excused = [...known].every((name) => left.has(name)) ? known : null;
  const helpers = new Set(before.flatMap(({ code }) => functionsIn(code)));
  const old = new Set(before.flatMap(({ code }) => code.split("\n").map((line) => line.trim())));
  const were = before.flatMap((file) => evasionsIn(file, { known: null, helpers, old }));
  const are = after.flatMap((file) =>
    evasionsIn(file, { known: excused, helpers, old }).map((one) => ({ ...one, file })),
  );
  return without(are, were, ({ what }) => what);
}

function namesOf(files: readonly Searched[]): string[] {
  return files.flatMap(({ declarations }) => declarations.map(({ name }) => name));
}

type Known = {
  /** Names of tests to look at; null for all of them. */
  known: ReadonlySet<string> | null;
  /** Functions that were there: a new one below a test is no part of it. */
  helpers: ReadonlySet<string>;
  /** Lines that were there. */
  old: ReadonlySet<string>;
};

function evasionsIn({ raw, code, declarations }: Searched, { known, helpers, old }: Known): Evasion[] {
  const lines = code.split("\n");
  const uses = countEach(code.match(/\w+/g) ?? []);
  const starts = new Map(declarations.map((one) => [startOf(one, lines), one]));
  const found: Evasion[] = [];
  let current: Declaration | null = null;
  for (const [index, text] of lines.entries()) {
    current = starts.get(index + 1) ?? current;
    const own = /^\S/.test(text) && !starts.has(index + 1) ? functionsIn(text)[0] : undefined;
    if (own !== undefined && !helpers.has(own) && !declarations.some(({ line }) => line === index + 1)) current = null;
    if (known !== null && current !== null && !known.has(current.name)) continue;
    const inner = current?.kind === "test" ? INNER.exec(text) : null;
    const name = inner?.slice(1).find((group) => group !== undefined);
    if (name !== undefined && !starts.has(index + 1) && uses.get(name) === 1 && !isCalled(lines[index - 1] ?? "", code))
      found.push({ what: "a function that nobody calls", line: index + 1 });
    for (const [what, pattern] of EVASIONS) {
      if (!pattern.test(text)) continue;
      if (what === "a condition" && (current?.kind !== "test" || FAILS.test(`${text}\n${lines[index + 1] ?? ""}`)))
        continue;
      if (what === "a condition" && guardsNew(lines, index, current?.line ?? 0, old)) continue;
      if (what === "an assertion after the test" && !ASSERTS.test(lines[index + 1] ?? "")) continue;
      found.push({ what, line: index + 1 });
    }
  }
  for (const [index, text] of raw.split("\n").entries())
    for (const [what, pattern] of DIRECTIVES) if (pattern.test(text)) found.push({ what, line: index + 1 });
  return found;
}

/** A name that gets another value, or a function of another one. */
const CHANGES = /^\s*[\w.$[\]"']+\s*(?:[-+*/|&]|\?\?)?=(?!=)|\bassign\(|\b(?:setattr|defineProperty)\b/;
const LEAVES = /\b(?:return|continue|break|exit|skip|pass)\b/;

/** Lines below a condition that are looked at. */
const MOST_BELOW = 40;

/** Whether a new condition in a function that states nothing has only new lines below it, none of which leaves it or changes what is there. */
function guardsNew(lines: readonly string[], at: number, begin: number, old: ReadonlySet<string>): boolean {
  const condition = lines[at] ?? "";
  const indent = condition.search(/\S/);
  const below = lines.slice(at + 1, at + 1 + MOST_BELOW);
  const end = below.findIndex((line) => line.trim() !== "" && line.search(/\S/) <= indent);
  if (
    end < 1 ||
    LEAVES.test(condition) ||
    old.has(condition.trim()) ||
    /\b(?:else|elif|elsif)\b/.test(below[end] ?? "")
  )
    return false;
  const block = below.slice(0, end).filter((line) => /\w/.test(line));
  const isNew = block.every((line) => !old.has(line.trim()) && !LEAVES.test(line) && !CHANGES.test(line));
  return isNew && isInQuietFunction(lines, at, begin);
}

/** The first line of a declaration, with the attributes above it. */
function startOf({ line }: Declaration, lines: readonly string[]): number {
  let start = line;
  while (start > 1 && isAttributeLine(lines[start - 2] ?? "")) start -= 1;
  return start;
}
