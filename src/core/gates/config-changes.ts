import type { FileChange, WeakerReason } from "./compare.ts";
import { withoutComments } from "./test-code.ts";

/** Folders that nobody tests: to leave them out hides nothing. */
const OUTPUT =
  /^(?:\*\*\/|\.?\/)?(?:node_modules|dist|build|out|coverage|target|vendor|tmp|temp|\.\w+|__pycache__|venv|env|bin|obj|generated|docs?|examples?|public|static|assets|migrations|\*\.d\.ts)\b/;

/** What lets a command pass, or lets it look at less. */
const LENIENT: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\|\|\s*(?:true\b|:|exit 0|echo\b)/, "a failure is ignored"],
  [/;\s*(?:true|exit 0)\b|\bexit 0\b|\bset \+e\b/, "a failure is ignored"],
  [/--passWithNoTests\b|--pass-with-no-tests\b|passWithNoTests:\s*true/, "no tests at all would pass"],
  [
    /--(?:exit-zero|no-fail|allow-failure|forceExit-ok|warn-only|no-error-on-unmatched-pattern|no-errors)\b/,
    "a failure is ignored",
  ],
  [
    /continue-on-error:\s*true|allow_failure:\s*true|ignoreFailures\s*=\s*true|testFailureIgnore>\s*true|failOnError:\s*false|<skipTests>\s*true|-DskipTests|-x test\b/,
    "a failure is ignored",
  ],
  [
    /--(?:testPathIgnorePatterns|ignore|ignore-glob|exclude\w*|deselect|skip|skipTest|modulePathIgnorePatterns|grep|fgrep|invert|testNamePattern|test-name-pattern|test-skip-pattern)\b/,
    "some tests are left out",
  ],
  [/(?:^|\s)-(?:k|t|m|g)\s+\S/, "some tests are left out"],
  [/\bif:\s*false\b|\bwhen:\s*never\b/, "a step never runs"],
  [/--no-(?:verify|coverage|lint|typecheck)\b|--max-warnings[= ](?!0\b)\d/, "a check is switched off"],
];

const EXCLUDES = /ignore|exclude|omit|skip|deselect|coveragePathIgnore/i;
const LOWER_IS_WEAKER =
  /branches|functions|lines|statements|threshold|fail[_-]under|minimum|min[_-]?coverage|target:|--cov-fail-under|--check-coverage/i;
const STRICT =
  /strict|noImplicit\w*|noUnused\w*|noUnchecked\w*|checkJs|error|warn|--strict|isolatedModules|exactOptional\w*|forbid\w*|bail|check_untyped_defs|disallow_\w+|failOn\w*|all/i;

/** The reasons why configuration, a script, a snapshot or test data checks less than before. */
export function weakerConfig({ path, before, after }: FileChange): WeakerReason[] {
  if (before === null) return [];
  if (after === null) return [{ path, line: null, what: "the file was deleted" }];
  if (isSnapshot(path)) return weakerSnapshot(path, before, after);
  if (isManifest(path)) return weakerManifest(path, before, after);
  return isData(path) ? weakerData(path, before, after) : weakerLines(path, before, after);
}

function isSnapshot(path: string): boolean {
  return /\.snap$|(?:^|\/)__snapshots__\//.test(path);
}

function isManifest(path: string): boolean {
  return /(?:^|\/)(?:package|deno|composer)\.jsonc?$/.test(path);
}

function isData(path: string): boolean {
  return (
    /(?:^|\/)(?:fixtures?|testdata|__fixtures__|golden|expected|snapshots?)\//i.test(path) ||
    /\.(?:golden|approved\.\w+|expected)$/.test(path)
  );
}

const ENTRY = /^exports\[`((?:\\.|[^`\\])*)`\] = `((?:\\.|[^`\\])*)`;/gm;

function weakerSnapshot(path: string, before: string, after: string): WeakerReason[] {
  const entries = (text: string) =>
    new Map([...text.matchAll(ENTRY)].map(([, name = "", value = ""]) => [name, value]));
  const [were, are] = [entries(before), entries(after)];
  if (were.size === 0) return weakerData(path, before, after);
  return [...were].flatMap(([name, value]) => {
    if (are.get(name) === value) return [];
    return [{ path, line: null, what: `the snapshot "${name.slice(0, 80)}" ${are.has(name) ? "changed" : "is gone"}` }];
  });
}

/** Data that tests read or expect: lines may come, none may go. */
function weakerData(path: string, before: string, after: string): WeakerReason[] {
  const missing = missingLines(before, after).filter(({ text }) => /\w/.test(text));
  const [first] = missing;
  return first === undefined
    ? []
    : [{ path, line: first.line, what: `test data changed: ${first.text.trim().slice(0, 100)}` }];
}

type Line = { text: string; line: number };

/** Lines of `a` that `b` does not have, blanks and commas apart. */
function missingLines(a: string, b: string): Line[] {
  const same = (text: string) => text.trim().replace(/[,;]$/, "").replace(/\s+/g, " ").replaceAll("'", '"');
  const counts = new Map<string, number>();
  for (const text of b.split("\n")) counts.set(same(text), (counts.get(same(text)) ?? 0) + 1);
  return a.split("\n").flatMap((text, index) => {
    const key = same(text);
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return key === "" || left > 0 ? [] : [{ text, line: index + 1 }];
  });
}

/** The gate part of a manifest, as JSON: its scripts and the settings of test tools. */
function weakerManifest(path: string, before: string, after: string): WeakerReason[] {
  const [were, are] = [scriptsOf(before), scriptsOf(after)];
  if (were === null || are === null) return weakerLines(path, before, after);
  const present = Object.values(are).join("\n");
  const scripts = Object.entries(were).flatMap(([name, text]) => {
    const now = are[name];
    if (now === undefined) return [{ path, line: null, what: `the script "${name}" is gone` }];
    return now === text
      ? []
      : weakerCommand(text, now, present).map((what) => ({ path, line: null, what: `script "${name}": ${what}` }));
  });
  return [...scripts, ...weakerLines(path, withoutScripts(before), withoutScripts(after))];
}

function scriptsOf(text: string): Record<string, string> | null {
  try {
    const json = JSON.parse(text) as { scripts?: Record<string, unknown>; tasks?: Record<string, unknown> };
    const entries = Object.entries(json.scripts ?? json.tasks ?? {});
    return Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
  } catch {
    return null; // JSON with comments: line by line
  }
}

function withoutScripts(text: string): string {
  const { scripts: _, tasks: __, ...rest } = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(rest, null, 2);
}

const KINDS: readonly (readonly [kind: string, programs: RegExp])[] = [
  [
    "tests",
    /\b(?:jest|vitest|mocha|ava|tap|tape|jasmine|karma|cypress|playwright|uvu|node (?:\S+ )*--test|bun test|deno test|pytest|unittest|phpunit|pest|go test|cargo (?:test|nextest)|rspec|mix test|dotnet test|ctest|bats|wdio|web-test-runner|react-scripts test|ng test|(?:npm|pnpm|yarn|make|just|task|composer) (?:run )?test)\b/,
  ],
  ["types", /\b(?:tsc|tsgo|vue-tsc|svelte-check|mypy|pyright|flow)\b/],
  ["lint", /\b(?:eslint|biome|oxlint|ruff|flake8|pylint|standard|xo|clippy|golangci-lint|rubocop|phpstan|psalm)\b/],
  ["format", /\b(?:prettier|dprint|black|gofmt|cargo fmt)\b/],
  ["coverage", /\b(?:c8|nyc|--coverage|--cov)\b/],
];

/** Why a command checks less than the one that it replaces. */
function weakerCommand(before: string, after: string, present: string): string[] {
  const lenient = LENIENT.flatMap(([pattern, what]) =>
    pattern.test(after) && !pattern.test(before) ? [`${what}: ${after}`] : [],
  );
  if (lenient.length > 0) return lenient;
  const lost = KINDS.flatMap(([kind, programs]) =>
    programs.test(before) && !programs.test(present) ? [`the ${kind} no longer run: ${after}`] : [],
  );
  if (lost.length > 0) return lost;
  const unknown =
    !KINDS.some(([, programs]) => programs.test(before)) &&
    !present.includes(before.trim()) &&
    /^\s*(?:echo|true|:|exit|printf)\b/.test(after);
  if (unknown) return [`it only prints now: ${after}`];
  return narrowed(before, after) ? [`it looks at less: ${after}`] : [];
}

/** Paths that the test runner is given where it took all, or one that lies below the one before. */
function narrowed(before: string, after: string): boolean {
  const runner = KINDS[0]?.[1];
  if (runner === undefined || !runner.test(before) || !runner.test(after)) return false;
  const paths = (command: string) => {
    const at = runner.exec(command);
    const rest = at === null ? "" : (command.slice(at.index + at[0].length).split(/&&|\|\||;/)[0] ?? "");
    return rest
      .split(/\s+/)
      .filter((word) => /[/*]|\.\w+$/.test(word) && !word.startsWith("-") && !/config|setup|reporter/.test(word));
  };
  const sameRunner = runner.exec(before)?.[0] === runner.exec(after)?.[0];
  const [were, are] = [paths(before), paths(after)];
  if (!sameRunner || are.length === 0) return false;
  if (were.length === 0) return true;
  const covers = (a: string, b: string) => b === a || b.startsWith(a.replace(/\/?(?:\*.*)?$/, "/"));
  return !were.every((path) => are.some((one) => covers(one, path)));
}

/** Configuration line by line: what was strict and is not, what is left out, what is ignored. */
function weakerLines(path: string, beforeText: string, afterText: string): WeakerReason[] {
  const [before, after] = [withoutComments(path, beforeText), withoutComments(path, afterText)];
  const gone = missingLines(before, after);
  const come = missingLines(after, before);
  const reasons: WeakerReason[] = [];
  for (const { text, line } of come) {
    const what = LENIENT.find(([pattern]) => pattern.test(text) && !gone.some((one) => pattern.test(one.text)))?.[1];
    if (what !== undefined && !isOutputOnly(text))
      reasons.push({ path, line, what: `${what}: ${text.trim().slice(0, 100)}` });
    else if (isExclusion(text, line, after, gone))
      reasons.push({ path, line, what: `some tests are left out: ${text.trim().slice(0, 100)}` });
  }
  for (const { text, line } of gone) {
    const now = come.find((one) => keyOf(one.text) === keyOf(text));
    const what = weakerValue(text, now?.text ?? null);
    if (what !== null)
      reasons.push({ path, line: now?.line ?? line, what: `${what}: ${(now?.text ?? text).trim().slice(0, 100)}` });
  }
  return reasons;
}

function keyOf(text: string): string {
  return (
    /^\s*["']?([\w./@*-]+)["']?\s*[:=>]/.exec(text)?.[1] ??
    /^\s*<([\w.]+)>/.exec(text)?.[1] ??
    text.trim().split(/\s+/)[0] ??
    ""
  );
}

function weakerValue(was: string, now: string | null): string | null {
  const key = keyOf(was);
  const [a, b] = [numberIn(was), now === null ? null : numberIn(now)];
  if (a !== null && LOWER_IS_WEAKER.test(was)) {
    if (now === null) return "a threshold is gone";
    if (b !== null && b < a) return "a threshold is lower";
  }
  if (now === null) {
    if (/\b(?:run|script|command):/.test(was) || /^\s*-\s*run:/.test(was))
      return KINDS.some(([, programs]) => programs.test(was)) ? "a check is gone" : null;
    if (/^\t|^ {2,}\S/.test(was) && KINDS.some(([, programs]) => programs.test(was))) return "a check is gone";
    return /["']?error["']?|:\s*true\b|=\s*true\b/.test(was) && STRICT.test(key) ? "a check is gone" : null;
  }
  const off = /["'](?:off|warn|ignore|none)["']|:\s*(?:0|off|warn)\b|:\s*false\b|=\s*false\b|\bfalse\b/;
  const on = /["'](?:error|warn)["']|:\s*(?:2|1|error)\b|:\s*true\b|=\s*true\b|\btrue\b/;
  if (on.test(was) && off.test(now) && !(/["']warn["']/.test(was) && /["']warn["']/.test(now)))
    return "a check is switched off";
  if (KINDS.some(([, programs]) => programs.test(was))) return weakerCommand(was, now, now)[0] ?? null;
  if (/include|testMatch|testRegex|testpaths|spec\b|files/i.test(key) && now.trim().length < was.trim().length)
    return "it looks at less";
  return null;
}

function numberIn(text: string): number | null {
  const found = /(-?\d+(?:\.\d+)?)\s*%?[,;]?\s*$/.exec(text.trim()) ?? /[=:>]\s*(-?\d+(?:\.\d+)?)/.exec(text);
  return found === null ? null : Number(found[1]);
}

/** A new entry in a list of what is left out. */
function isExclusion(text: string, line: number, after: string, gone: readonly Line[]): boolean {
  const own = entriesOf(text);
  if (own.length === 0) return false;
  const known = new Set(gone.flatMap((one) => entriesOf(one.text)));
  const fresh = own.filter((entry) => !known.has(entry) && !OUTPUT.test(entry));
  if (fresh.length === 0) return false;
  if (EXCLUDES.test(text)) return true;
  // An entry of a list that was opened above.
  const above = after
    .split("\n")
    .slice(Math.max(0, line - 12), line - 1)
    .reverse();
  for (const one of above) {
    if (EXCLUDES.test(one) && /[[({:=]\s*$|[[(]/.test(one)) return true;
    if (/^\s*[\])}]|[:=]\s*\S/.test(one) && !/^\s*["'-]/.test(one)) return false;
  }
  return false;
}

function entriesOf(text: string): string[] {
  const quoted = [...text.matchAll(/["']([^"']+)["']/g)].map(([, entry = ""]) => entry);
  const key = keyOf(text);
  const entries = quoted.filter((entry) => entry !== key);
  if (entries.length > 0) return entries;
  const bare = /^\s*(?:-\s+)?([\w*./-]+\/?[\w*./-]*)\s*$/.exec(text)?.[1];
  if (bare !== undefined && /[/*.]/.test(bare)) return [bare];
  const value = EXCLUDES.test(key) ? (text.split(/[:=]/)[1] ?? "").trim() : "";
  return value === "" ? [] : value.split(/[\s,]+/).filter((entry) => entry !== "");
}

function isOutputOnly(text: string): boolean {
  const entries = entriesOf(text);
  return entries.length > 0 && entries.every((entry) => OUTPUT.test(entry));
}
