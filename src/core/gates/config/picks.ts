import { isTestFile } from "../../answer/test-file.ts";
import type { Moves } from "./moves.ts";
import { covers, lastOf } from "./path-patterns.ts";

/** So many names of tests are looked for among the new files. */
const MOST = 20;

/**
 * Settings that say what a runner takes; without them it takes all. Names that it takes by itself: of a setting that takes none of
 * them. Without those, a setting that names files one by one.
 */
const SETTINGS: readonly (readonly [key: string, names: readonly string[] | null])[] = [
  ["python_files", ["test_*.py", "*_test.py", "tests.py"]],
  ["python_functions", ["test_*"]],
  ["python_classes", ["Test*", "*Test", "*Tests", "*TestCase"]],
  ["testpaths|testMatch|testRegex|include|spec|specPattern|files", null],
];
const NAMES = new Map(SETTINGS.flatMap(([keys, names]) => keys.split("|").map((key) => [key, names] as const)));
/** A setting with its value: a list, a text, an expression, or what else stands on its line and, further in, below it. */
const SETTING = new RegExp(
  String.raw`^[ \t]*(?:\{[ \t]*)?["']?(${[...NAMES.keys()].join("|")})["']?[ \t]*[:=][ \t]*(\[[\s,]*(?:(?:"[^"\n]*"|'[^'\n]*')[\s,]*)*\]|[^\n[]*(?:\n[ \t]+[^\s:=]+[ \t]*(?=\n|$))*)`,
  "gm",
);
/** One test file, by its name; those that bring others, and what only says which kind of tests it is, are none. */
const NAMED =
  /^(?!(?:index|all|main|run\w*|suite|tests?|spec)\.|(?:e2e|unit|int\w*)[.-](?:test|spec)\.)\w[\w.-]*\.(?:[cm]?[jt]sx?|py)$/;

/** Settings that tools other than runners have too. */
const OF_MANY = /^(?:include|spec|files)$/;
const RUNNERS =
  /(?:^|\/)(?:(?:jest|vitest|vite|playwright|cypress|wdio|karma|ava)\.(?:config|conf)\.[^/]+|\.mocharc[^/]*|package\.json|tsconfig[^/]*\.json)$/;

/** New settings that take less than a runner takes without them, by their line. */
export function newPicks(path: string, before: string, after: string, moves: Moves): number[] {
  const old = new Set([...before.matchAll(SETTING)].map(([, key = ""]) => key));
  // Each of several projects has its own part.
  const projects = after.search(/\bprojects["']?\s*[:=]/);
  const found = [...after.matchAll(SETTING)].filter(
    ({ 1: key = "", index }) =>
      !old.has(key) && (projects < 0 || index < projects) && (RUNNERS.test(path) || !OF_MANY.test(key)),
  );
  return [...Map.groupBy(found, ([, key = ""]) => key)].flatMap(([key, settings]) => {
    const entries = settings.flatMap(([, , value = ""]) => entriesOf(value));
    const names = NAMES.get(key) ?? null;
    const isLess =
      names === null
        ? entries.every((entry) => isTestFile(`/${entry}`) && NAMED.test(lastOf(entry)))
        : !entries.some((entry) => names.some((name) => takes(entry, name))) && !areRenamed(names, entries, moves);
    const [{ index } = { index: 0 }] = settings;
    return entries.length > 0 && isLess ? [after.slice(0, index).split("\n").length] : [];
  });
}

/** No file has a name any more that a runner knows by itself, and new ones have those that it is told. */
function areRenamed(names: readonly string[], entries: readonly string[], { come, kept }: Moves): boolean {
  const isOne = (path: string, of: readonly string[]) => of.some((name) => takes(name, lastOf(path)));
  return kept?.some((path) => isOne(path, names)) === false && come.some((path) => isOne(path, entries.slice(0, MOST)));
}

/** Of names that begin alike, the beginning takes all. */
function takes(entry: string, name: string): boolean {
  return name.startsWith(entry) || covers(lastOf(entry), name);
}

function entriesOf(value: string): string[] {
  const quoted = [...value.matchAll(/"([^"\n]*)"|'([^'\n]*)'/g)].map(([, one, other = ""]) => one ?? other);
  const pattern = /^\/(.*)\/[a-z]*,?\s*$/.exec(value)?.[1];
  const entries = quoted.length > 0 ? quoted : pattern === undefined ? value.split(/[\s,]+/) : [pattern];
  return entries.map((entry) => entry.replace(/\\+\./g, ".").replace(/\$$/, "")).filter((entry) => /\w/.test(entry));
}
