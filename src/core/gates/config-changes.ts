import { isTooDeep } from "../json-value.ts";
import { without } from "../multiset.ts";
import { goesOn, lostKinds, lostOption, narrowed, weakerCommand, withoutPrinted } from "./commands.ts";
import type { FileChange, WeakerReason } from "./compare.ts";
import { isStandIn } from "./config/aliases.ts";
import { type Moves, movesAround, takenByOthers } from "./config/moves.ts";
import { newPicks } from "./config/picks.ts";
import { lostTasks, replacedTargets } from "./config/task-files.ts";
import { areNewer } from "./config/versions.ts";
import { JSON_KEYS } from "./frozen-parts.ts";
import { INSTEAD, LENIENT, STRICT_PARTS } from "./lenient.ts";
import { longLines, withoutLongLines } from "./long-lines.ts";
import { ownLines } from "./own-lines.ts";
import { settingLines } from "./setting-lines.ts";
import { withoutComments } from "./test-code.ts";

/** So many lines with the same key are compared with each that is gone. */
const MOST_TRIES = 100;
const TEXT_CHARS = 100;
/** More reasons of one file are not told. */
const MOST_REASONS = 20;

/** Folders that nobody tests: to leave them out hides nothing. */
const OUTPUT =
  /^(?:\*\*\/|\.?\/)?(?:node_modules|dist|build|out|coverage|target|vendor|tmp|temp|\.\w+|__pycache__|venv|env|bin|obj|generated|docs?|examples?|public|static|assets|migrations|\*\.d\.ts)\b/;

const EXCLUDES = /ignore|exclude|omit|skip|deselect|coveragePathIgnore|^disable$|^\s*(?:- )?["']?disable["']?\s*[:=]/i;
/** Lists of paths, and of what else is looked at or looks. */
const PATHS =
  /include|testMatch|testRegex|testpaths|spec\b|specPattern|files|testsuites?|testDir|\broots?\b|projects|collectCoverageFrom/i;
const INCLUDES = new RegExp(`${PATHS.source}|enable|extends|select|plugins|linters|envlist|browsers`, "i");
const LOWER_IS_WEAKER =
  /branches|functions|lines|statements|threshold|fail[_-]under|minimum|min[_-]?coverage|target|\blevel\b|--cov-fail-under|--check-coverage/i;
const HIGHER_IS_WEAKER = /^max|max$|complexity|limit|length/i;
/** How much a word demands; a rule with a lower one than before demands less. */
const RANKS: Readonly<Record<string, number>> = {
  off: 0,
  allow: 0,
  none: 0,
  ignore: 0,
  false: 0,
  info: 1,
  warn: 1,
  warning: 1,
  error: 2,
  deny: 2,
  true: 2,
  forbid: 3,
};
const STRICT =
  /strict|noImplicit\w*|noUnused\w*|noUnchecked\w*|checkJs|error|warn|--strict|isolatedModules|exactOptional\w*|forbid\w*|bail|check_untyped_defs|disallow_\w+|failOn\w*|all/i;

/**
 * The reasons why configuration, scripts, snapshots or test data check less than before.
 * @param whole with the tests, which may move with the settings that name their places
 * @param kept paths of gate files that did not change; null if nobody knows
 */
export function weakerConfigs(
  changes: readonly FileChange[],
  whole: readonly FileChange[] = changes,
  kept: readonly string[] | null = null,
): WeakerReason[] {
  return changes.flatMap((change) => weakerConfig(change, changes, movesAround(change.path, whole, kept)));
}

function weakerConfig(change: FileChange, all: readonly FileChange[], moves: Moves): WeakerReason[] {
  const { path, before, after } = change;
  if (before === null) return overrides(change, all, moves);
  if (after === null)
    return (CI.test(path) && checksNothing(before)) || all.some((one) => one.path !== path && hasSettings(one, before))
      ? []
      : [{ path, line: null, what: "the file was deleted" }];
  if (isSnapshot(path)) return weakerSnapshot(path, before, after);
  if (isManifest(path)) return weakerManifest(path, before, after, moves);
  if (isData(path)) return weakerData(path, before, after);
  const tasks = lostTasks(change, all).map((name) => ({ path, line: null, what: `a check is gone: ${name}` }));
  return [...tasks, ...weakerLines(path, before, after, moves)];
}

const CI = /(?:^|\/)\.github\/workflows\//;
/** What a workflow may do that checks nothing: any other action, and any command, may check something. */
const CHECKS_NOTHING =
  /^(?:actions\/(?:checkout|labeler|stale|first-interaction|add-to-project)|dessant\/lock-threads|release-drafter\/release-drafter)@/;

function checksNothing(workflow: string): boolean {
  const used = [...workflow.matchAll(/\buses["']?\s*:\s*["']?([^\s"'}]+)/g)].map(([, action = ""]) => action);
  return !/\brun\b/.test(workflow) && used.every((action) => CHECKS_NOTHING.test(action));
}

/** Files that a tool reads in place of the settings that it has elsewhere. */
const OVERRIDES =
  /(?:^|\/)(?:GNUmakefile|makefile|\.?pytest\.ini|\.eslintignore|(?:jest|vitest)\.config\.[^/]+|\.mocharc[^/]*|\.coveragerc)$/;

/** A new file that takes the place of settings, unless they moved into it. */
function overrides({ path, after }: FileChange, all: readonly FileChange[], moves: Moves): WeakerReason[] {
  if (!OVERRIDES.test(path)) return isData(path) || isSnapshot(path) ? [] : weakerFlags(path, after ?? "", moves);
  const words = new Set(wordsOf(after ?? ""));
  const moved = all.some((one) => {
    if (one.before === null || one.path === path || isData(one.path) || isSnapshot(one.path)) return false;
    const gone = missingLines(one.before, one.after ?? "").flatMap(({ text }) => wordsOf(text));
    return gone.length > 0 && gone.every((word) => FRAME.test(word) || words.has(word));
  });
  const lines = weakerLines(path, "", after ?? "", moves);
  return moved
    ? lines
    : [...lines, { path, line: null, what: "a new file may take the place of the settings of the tests" }];
}

/** Of a first configuration, only flags that it hands to the program of the tests: its own words may be what it begins with. */
function weakerFlags(path: string, after: string, moves: Moves): WeakerReason[] {
  const flags = after.split("\n").map((line) => (/(?:^|[\s"'=])-{1,2}[a-z]/i.test(line) ? line : ""));
  return weakerLines(path, "", flags.join("\n"), moves);
}

/** Words that only say where settings stand. */
const FRAME =
  /^(?:module|module\.exports|exports?|default|const|config|require|import|type|from|define\w*|tool|ini_options|pytest|jest)$/;

/** Whether a file now has all that another, which is gone, had, and is no milder. */
function hasSettings({ before, after }: FileChange, gone: string): boolean {
  if (after === null) return false;
  const words = new Set(wordsOf(after));
  const milder = LENIENT.some(([pattern]) => pattern.test(after) && !pattern.test(gone) && !pattern.test(before ?? ""));
  return !milder && wordsOf(gone).every((word) => FRAME.test(word) || words.has(word));
}

function wordsOf(text: string): string[] {
  return text.match(/[\w./*-]*\w[\w./*-]*/g) ?? [];
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
  const text = laidOut(before);
  const first = missingLines(text, laidOut(after)).find((one) => /\w/.test(one.text));
  if (first === undefined) return [];
  const line = text === before ? first.line : null;
  return [{ path, line, what: `test data changed: ${first.text.trim().slice(0, 100)}` }];
}

/** JSON with a line for each value, however it is written. */
function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text; // other data: line by line
  }
}

type Line = { text: string; line: number };

/** Lines of `a` that `b` does not have, blanks and commas apart. */
export function missingLines(a: string, b: string): Line[] {
  const same = ({ text }: Line) => text.trim().replace(/[,;]$/, "").replace(/\s+/g, " ").replaceAll("'", '"');
  const linesOf = (text: string) => text.split("\n").map((text, index) => ({ text, line: index + 1 }));
  return without(linesOf(a), linesOf(b), same).filter((line) => same(line) !== "");
}

/** The gate part of a manifest, as JSON: its scripts and the settings of test tools. */
function weakerManifest(path: string, before: string, after: string, moves: Moves): WeakerReason[] {
  const [were, are] = [scriptsOf(before), scriptsOf(after)];
  if (were === null || are === null) return weakerLines(path, before, after, moves);
  const scripts = Object.entries(were).flatMap(([name, text]) => {
    const now = are[name];
    if (now === undefined) return [{ path, line: null, what: `the script "${name}" is gone` }];
    if (now !== text && now.length > LONGEST_SCRIPT)
      return [{ path, line: null, what: `the script "${name}" is too long to be judged` }];
    return now === text
      ? []
      : weakerCommand(text, now, allOf(were, name), allOf(are, name)).map((what) => ({
          path,
          line: null,
          what: `script "${name}": ${what}`,
        }));
  });
  // Such as one that runs before the tests.
  const added = Object.entries(are).flatMap(([name, text]) =>
    name in were
      ? []
      : LENIENT.flatMap(([pattern, what]) =>
          pattern.test(text) && !Object.values(were).some((one) => pattern.test(one))
            ? [{ path, line: null, what: `script "${name}": ${what}: ${text}` }]
            : [],
        ),
  );
  // They are laid out anew, so their lines are none of the file's.
  const settings = weakerLines(path, settingsOf(path, before), settingsOf(path, after), moves);
  return [...scripts, ...added, ...settings.map((reason) => ({ ...reason, line: null }))];
}

/** Nobody writes longer ones, and patterns would take long for them. */
const LONGEST_SCRIPT = 5000;

/** What a script runs in all, with those that it names. */
function allOf(scripts: Readonly<Record<string, string>>, name: string): string {
  const names = new Set([`pre${name}`, name, `post${name}`]);
  const texts: string[] = [];
  // A name that is found on the way is visited later.
  for (const one of names) {
    const text = scripts[one] ?? "";
    texts.push(text);
    for (const word of withoutPrinted(text).match(/[\w:.-]+/g) ?? []) if (word in scripts) names.add(word);
  }
  return texts.join("\n");
}

function scriptsOf(text: string): Record<string, string> | null {
  if (isTooDeep(text)) return null;
  try {
    const json = JSON.parse(text === "" ? "{}" : text) as {
      scripts?: Record<string, unknown>;
      tasks?: Record<string, unknown>;
    };
    const entries = Object.entries(json.scripts ?? json.tasks ?? {});
    return Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
  } catch {
    return null; // JSON with comments: line by line
  }
}

/** What a manifest sets for test tools; dependencies come and go. */
function settingsOf(path: string, text: string): string {
  const name = path.split("/").at(-1) ?? "";
  const keys = JSON_KEYS[name.replace(/c$/, "")] ?? [];
  const entries = Object.entries(JSON.parse(text === "" ? "{}" : text) as Record<string, unknown>);
  return JSON.stringify(Object.fromEntries(entries.filter(([key]) => keys.includes(key))), null, 2);
}

/** Files whose lines are commands, or hold them. */
const COMMANDS =
  /\.(?:ya?ml|sh|bash|mk|bats)$|(?:^|\/)(?:[Mm]akefile|GNUmakefile|[Jj]ustfile|Jenkinsfile|tox\.ini|noxfile\.py|Rakefile)$/;
/** What a variable of a Makefile or a shell stands for, by its name. */
const VARIABLE = /\$[({]?([A-Z_]+)[)}]?/g;

/** Settings under which modules have other names. */
const ALIASES = /\b(?:alias(?:es)?|moduleNameMapper|paths|imports)\b/;

/** Configuration line by line: what was strict and is not, what is left out, what is ignored. */
function weakerLines(path: string, beforeText: string, afterText: string, moves: Moves): WeakerReason[] {
  const plain = (text: string) =>
    withoutComments(path, withoutLongLines(text)).replace(VARIABLE, (_, name: string) => name.toLowerCase());
  const [old, now] = [settingLines(path, plain(beforeText)), settingLines(path, plain(afterText))];
  const [before, after] = [old.text, now.text];
  const gone = missingLines(before, after);
  const come = missingLines(after, before);
  const [present, past] = [after.split("\n"), before.split("\n")];
  const reasons = longLines({ path, before: beforeText, after: afterText });
  const fresh = freshIn(come);
  const wasLenient = new Map(LENIENT.map(([pattern]) => [pattern, gone.some(({ text }) => pattern.test(text))]));
  const known = new Set(gone.flatMap(({ text }) => listOf(text)));
  const paths = gone.slice(0, MOST_TRIES).flatMap((one) => (isListOf(PATHS, one, past) ? listOf(one.text) : []));
  const taken = takenByOthers(
    paths.filter((entry) => !fresh.entries.has(entry)),
    come.slice(0, MOST_TRIES).flatMap((one) => (isListOf(PATHS, one, present) ? listOf(one.text) : [])),
    moves,
  );
  const isNowStrict = come.some(({ text }) => /\bstrict["']?\s*:\s*true/.test(text));
  const tell = (what: string, { text, line }: Line, isGone = false) => {
    const [lines, written] = isGone ? [old, beforeText] : [now, afterText];
    const at = lines.origin(line);
    const own = ownLines(written, at);
    // Of a long line with several settings, the one that it is about.
    const shown = own.length > TEXT_CHARS && !lines.isWhole(line) ? text.trim() : own;
    reasons.push({ path, line: at, what: `${what}: ${shown.slice(0, TEXT_CHARS)}` });
  };
  const isCommands = COMMANDS.test(path);
  for (const one of come) {
    if (reasons.length >= MOST_REASONS) break;
    const what =
      LENIENT.find(([pattern]) => !wasLenient.get(pattern) && pattern.test(one.text))?.[1] ??
      lenientInstead(one, gone) ??
      (STRICT_PARTS.test(one.text) && !isNowStrict ? "a check is switched off" : undefined) ??
      ((/\bfind\b/.test(one.text) || isListed(one.line, present, ALIASES)) &&
      isStandIn(one.text, belowOf(one, present)[0]?.text ?? "")
        ? "a stand-in is taken in place of a file"
        : undefined);
    if (what !== undefined && !isOutputOnly(one.text)) tell(what, one);
    else if (isNewCondition(one, present, fresh) || (isCommands && isAround(one, present, fresh)))
      tell("a step runs under a condition", one);
    else if (isNewScope(one, present, fresh)) tell("it looks at less", one);
    else if (isExclusion(one.text, one.line, present, known)) tell("some tests are left out", one);
  }
  for (const one of gone) {
    if (reasons.length >= MOST_REASONS) break;
    const instead = nowOf(one, fresh);
    const option = lostOption(one.text, after);
    const what =
      (option === null ? null : `a check is gone, ${option}`) ??
      weakerValue(one.text, instead?.text ?? null) ??
      weakerEntries(one, past, fresh, taken) ??
      (isCommands ? (weakerStep(one.text, instead?.text ?? null) ?? endsNoMore(one.text, after)) : null);
    if (what === null || takenOver(one.text, fresh)) continue;
    if (instead === undefined) tell(what, one, true);
    else tell(what, instead);
  }
  if (isCommands) for (const what of lostKinds(before, after)) reasons.push({ path, line: null, what });
  const at = (line: number): Line => ({ text: present[line - 1] ?? "", line });
  for (const line of newPicks(path, before, after, moves).slice(0, MOST_REASONS)) tell("it looks at less", at(line));
  for (const line of replacedTargets(path, before, after).slice(0, MOST_REASONS))
    tell("a later rule takes its place", at(line));
  const nothing = isCommands ? nothingInstead([past, gone], [present, come]) : undefined;
  if (nothing !== undefined) tell("it does nothing now", nothing);
  return reasons;
}

/** The lines that came, as they are looked for. */
type Fresh = {
  byKey: ReadonlyMap<string, readonly Line[]>;
  lines: ReadonlySet<number>;
  text: string;
  /** What their lists have. */
  entries: ReadonlySet<string>;
  /** Names without the plugin that they belong to, of rules that are on. */
  rules: ReadonlySet<string>;
};

function freshIn(come: readonly Line[]): Fresh {
  return {
    byKey: Map.groupBy(come, ({ text }) => keyOf(text)),
    lines: new Set(come.map(({ line }) => line)),
    text: come.map(({ text }) => text).join("\n"),
    entries: new Set(come.flatMap(({ text }) => listOf(text))),
    rules: new Set(
      come.flatMap(({ text }) => {
        const parts = keyOf(text).split("/").slice(0, MOST_TRIES);
        return (rankIn(text) ?? 0) > 0 ? parts.map((_, at) => parts.slice(at).join("/")).slice(1) : [];
      }),
    ),
  };
}

/** A condition for a step that stood there without one. */
function isNewCondition({ text, line }: Line, after: readonly string[], { lines }: Fresh): boolean {
  if (
    !/^\s*(?:- )?(?:(?:if|branches|paths|tags|only|except|rules):|types:(?!\s*["']?[\^~]?\d))/.test(text) ||
    /always\(\)|cancelled\(\)/.test(text)
  )
    return false;
  const above = after[line - 2] ?? "";
  return !lines.has(line - 1) && /^\s*(?:- )?[\w-]+:/.test(above);
}

/** Rules that held for all files now hold for some that are named. */
function isNewScope({ text, line }: Line, after: readonly string[], { lines }: Fresh): boolean {
  const below = belowOf({ text, line }, after);
  const isOwn = below.some((one) => lines.has(one.line));
  return /^\s*files:.*\.\w+["']/.test(text) && !text.includes("*") && /^\s*rules:/.test(below[0]?.text ?? "") && !isOwn;
}

/** The next two lines that say something. */
function belowOf({ line }: Line, lines: readonly string[]): Line[] {
  const below = lines.slice(line, line + 5).map((text, at) => ({ text, line: line + at + 1 }));
  return below.filter(({ text }) => text.trim() !== "").slice(0, 2);
}

/** What makes a command look at less than the one in whose place it stands. */
function lenientInstead({ text }: Line, gone: readonly Line[]): string | undefined {
  const found = INSTEAD.find(([pattern]) => pattern.test(text));
  const old = found === undefined ? [] : gone.filter((one) => keyOf(one.text) === keyOf(text));
  return old.length === 0 || old.some((one) => found?.[0].test(one.text)) ? undefined : found?.[1];
}

/** A condition, in a shell or a Makefile, around what stood there without one. */
function isAround({ text, line }: Line, after: readonly string[], { lines }: Fresh): boolean {
  return (
    /^\s*(?:if|while|until|for|case|ifn?def|ifn?eq)\s/.test(text) &&
    !/\b(?:fi|done|esac)\s*;?\s*$/.test(text) &&
    !lines.has(line + 1) &&
    /\w/.test(after[line] ?? "") &&
    !/^\s*(?:then|do)\b/.test(after[line] ?? "")
  );
}

const ENDS_AT_FAILURE = /^\s*set -(?:\w*e|o errexit)/m;

/** A script that ended at the first failure goes on now. */
function endsNoMore(was: string, after: string): string | null {
  return ENDS_AT_FAILURE.test(was) && !ENDS_AT_FAILURE.test(after) ? "a failure no longer ends it" : null;
}

/** The line that has the place of one that is gone: with its key, and of these the most like it. */
function nowOf({ text }: Line, { byKey }: Fresh): Line | undefined {
  const found = byKey.get(keyOf(text))?.slice(0, MOST_TRIES) ?? [];
  if (found.length < 2) return found[0];
  const words = new Set(wordsOf(text));
  const alike = (line: Line) => wordsOf(line.text).filter((word) => words.has(word)).length;
  return found.map((line) => ({ line, score: alike(line) })).toSorted((a, b) => b.score - a.score)[0]?.line;
}

function keyOf(text: string): string {
  return (
    /^\s*(?:- )?["']?([\w./@*-]+)["']?\s*[:=>]/.exec(text)?.[1] ??
    /^\s*<([\w.]+)>/.exec(text)?.[1] ??
    text.trim().split(/\s+/)[0] ??
    ""
  );
}

/** A rule that is off because that of a plugin with the same name is on. */
function takenOver(text: string, { rules }: Fresh): boolean {
  return rules.has(keyOf(text));
}

/** What may be on or off for reasons of speed and safety. */
const NO_CHECK = /^(?:(?:enable-)?cache|persist-credentials|allow-prereleases|provenance)$/;

function weakerValue(was: string, now: string | null): string | null {
  const are = now === null ? null : numbersIn(now);
  for (const [key, a] of numbersIn(was)) {
    const b = are?.get(key) ?? null;
    if (LOWER_IS_WEAKER.test(key) || LOWER_IS_WEAKER.test(keyOf(was))) {
      if (b === null) return "a threshold is gone";
      if (b < a) return "a threshold is lower";
    } else if (HIGHER_IS_WEAKER.test(key) && b !== null && b > a) return "a limit is higher";
  }
  for (const [strict = ""] of was.matchAll(/\b(?:failOn|beStrict)\w+="true"/g))
    if (now !== null && !now.includes(strict)) return "a check is switched off";
  const rank = NO_CHECK.test(keyOf(was)) ? null : rankIn(was);
  if (now === null)
    return (rank ?? 0) > 1 && (STRICT.test(keyOf(was)) || /["']?(?:error|deny|forbid)\b/.test(was))
      ? "a check is gone"
      : null;
  if (rank === null && rankIn(now) === 0 && STRICT.test(keyOf(was))) return "a check is switched off";
  return rank !== null && (rankIn(now) ?? rank) < rank ? "a check is switched off" : null;
}

function rankIn(text: string): number | null {
  const words = text.slice(text.search(/[:=]/) + 1).match(/[a-z]+/g) ?? [];
  return words.map((word) => RANKS[word]).find((rank) => rank !== undefined) ?? null;
}

/** The numbers of a line, by the names they have there. */
function numbersIn(text: string): Map<string, number> {
  const named = [...text.matchAll(/([\w-]+)["']?\s*[:=>\s]\s*["[]*(?:error["', ]*)?(-?\d+(?:\.\d+)?)\b(?!\.)/g)];
  const numbers = new Map(named.map(([, key = "", number]) => [key, Number(number)]));
  const last = numberIn(text);
  return numbers.size > 0 || last === null ? numbers : new Map([[keyOf(text), last]]);
}

/** Commands that only make ready what is checked. */
const PREPARES = /\b(?:install|ci|sync|setup|restore|echo|cache|mkdir|cp|curl|apt(?:-get)?|git|docker|corepack)\b/;

function scalarOf(text: string): string {
  return text.slice(text.indexOf(":") + 1).trim();
}

/** A step, target or trigger that does less than before. */
function weakerStep(was: string, now: string | null): string | null {
  const [listed, list] = [was, now ?? ""].map((one) => /:\s*\[([^\]]*)\]/.exec(one)?.[1]?.split(/\s*,\s*/));
  if (now !== null && listed?.some((entry) => !list?.includes(entry)) && !areNewer(listed, list ?? [scalarOf(now)]))
    return "it runs with less";
  if (now === null && /\brun:\s*[^|>\s]/.test(was) && !PREPARES.test(was)) return "a check is gone";
  if (now === null) return /^\s*(?:push|pull_request)\b/.test(was) ? "it no longer runs by itself" : null;
  const target = /^([\w.-]+):(?!=)(.*)$/;
  const [needed, needs] = [target.exec(was)?.[2] ?? "", target.exec(now)?.[2] ?? ""];
  if (target.test(now) && wordsOf(needs).length < wordsOf(needed).length) return "it needs less";
  if (goesOn(was, now)) return "a failure is ignored";
  return narrowed(was, now) ? "it looks at less" : null;
}

/** A command that checks nothing, whatever it says. */
const NOTHING = /^\s*(?:- )?(?:run:\s*)?[@-]*(?:(?:echo|printf)\b[^&|;]*|true|:)\s*$/;

/** The keys of a step but for its command, a target. */
const NO_COMMAND = /^\s*(?:- )?(?!run:)[\w./-]+:(?:\s|$)/;

/** The line that does nothing where commands stood, below the same line as they. */
function nothingInstead(
  [past, gone]: readonly [readonly string[], readonly Line[]],
  [present, come]: readonly [readonly string[], readonly Line[]],
): Line | undefined {
  const acts = ({ text }: Line) => ![NOTHING, NO_COMMAND, PREPARES].some((pattern) => pattern.test(text));
  const above = (lines: readonly string[], [first]: readonly Line[]) => (lines[(first?.line ?? 0) - 2] ?? "").trim();
  const lost = new Set(blocksOf(gone).flatMap((block) => (block.some(acts) ? above(past, block) : [])));
  return blocksOf(come)
    .filter((block) => !block.some(acts) && lost.has(above(present, block)))
    .flatMap((block) => block.find(({ text }) => NOTHING.test(text)) ?? [])[0];
}

/** Lines that stand one below the other. */
function blocksOf(lines: readonly Line[]): Line[][] {
  const blocks: Line[][] = [];
  for (const line of lines) {
    const block = blocks.at(-1);
    if (block?.at(-1)?.line === line.line - 1) block.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

/** Entries of a list of what is looked at, and of rules and hooks, that are gone. */
function weakerEntries(
  { text, line }: Line,
  before: readonly string[],
  fresh: Fresh,
  taken: ReadonlySet<string>,
): string | null {
  const shared = /\b\w+\.configs\.\w+|\b\w+\.flatConfigs\.\w+/.exec(text)?.[0];
  if (shared !== undefined) return fresh.text.includes(shared) ? null : "a check is gone";
  const hook = /^\s*- id:\s*(\S+)/.exec(text)?.[1];
  if (hook !== undefined) return fresh.text.includes(hook) ? null : "a check is gone";
  if (EXCLUDES.test(keyOf(text))) return null;
  const own = isListOf(INCLUDES, { text, line }, before) ? listOf(text) : [];
  return own.some((entry) => !fresh.entries.has(entry) && !taken.has(entry) && !entry.startsWith("!"))
    ? "it looks at less"
    : null;
}

function isListOf(names: RegExp, { text, line }: Line, lines: readonly string[]): boolean {
  return names.test(keyOf(text)) || isListed(line, lines, names);
}

/** The entries of a list, or the one that stands on a line; alternatives in braces each by itself. */
function listOf(text: string): string[] {
  const bare = /^\s*-\s+([\w./*-]+)\s*$/.exec(text)?.[1];
  const plain = /=\s*([^"'[{]+)$/.exec(text)?.[1]?.split(/[\s,]+/) ?? [];
  const entries = [...entriesOf(text), ...plain, ...(bare === undefined ? [] : [bare])];
  return entries.flatMap((entry) => {
    const [, head = "", choices, tail = ""] = /^(.*)\{([^}]*)\}(.*)$/.exec(entry) ?? [];
    return choices === undefined ? [entry] : choices.split(",").map((one) => `${head}${one}${tail}`);
  });
}

function numberIn(text: string): number | null {
  const found = /(-?\d+(?:\.\d+)?)\s*%?[,;]?\s*$/.exec(text.trim()) ?? /[=:>]\s*(-?\d+(?:\.\d+)?)/.exec(text);
  return found === null ? null : Number(found[1]);
}

/** A new entry in a list of what is left out, or one that takes something out of what is looked at. */
function isExclusion(text: string, line: number, after: readonly string[], known: ReadonlySet<string>): boolean {
  const isLeftOut = isListed(line, after, EXCLUDES);
  const own = isLeftOut ? listOf(text) : entriesOf(text);
  const fresh = own.filter((entry) => !known.has(entry) && !OUTPUT.test(entry.replace(/^!/, "")));
  if (fresh.length === 0) return false;
  if (fresh.some((entry) => /^![\w*]/.test(entry) && !/\b(?:test|spec|stories|d)\b/.test(entry))) return true;
  return EXCLUDES.test(text) || isLeftOut;
}

/** Whether a line is an entry of a list that one above opens. */
function isListed(line: number, lines: readonly string[], opening: RegExp): boolean {
  const above = lines.slice(Math.max(0, line - 12), line - 1).reverse();
  for (const one of above) {
    if (opening.test(one) && /[[({:=]\s*$|[[(][^\])]*$|^\s*\[.*\]\s*$/.test(one)) return true;
    if (/^\s*[\])}]|[:=]\s*\S/.test(one) && !/^\s*["'{-]/.test(one)) return false;
    if (/^\s*[\w"'-]+["']?\s*[:=]\s*$/.test(one)) return false;
  }
  return false;
}

function entriesOf(text: string): string[] {
  const quoted = [...text.matchAll(/["']([^"']+)["']|>([^<>]+)<\//g)].map(([, entry, tagged = ""]) => entry ?? tagged);
  const key = keyOf(text);
  const entries = quoted.filter((entry) => entry !== key);
  if (entries.length > 0) return entries;
  const bare = /^\s*(?:-\s+)?([\w*./-]+\/?[\w*./-]*)\s*$/.exec(text)?.[1];
  if (bare !== undefined && /[/*.]/.test(bare)) return [bare];
  const value = EXCLUDES.test(key) ? (text.split(/[:=]/)[1] ?? "").trim() : "";
  return value === "" ? [] : value.split(/[\s,]+/).filter((entry) => /\w/.test(entry));
}

function isOutputOnly(text: string): boolean {
  const entries = entriesOf(text);
  return entries.length > 0 && entries.every((entry) => OUTPUT.test(entry));
}
