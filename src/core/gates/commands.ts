/** What the commands of scripts and steps check. */
import { INSTEAD, LENIENT } from "./lenient.ts";

const KINDS: readonly (readonly [kind: string, programs: RegExp])[] = [
  [
    "tests",
    /\b(?:jest|vitest|mocha|ava|tap|tape|jasmine|karma|cypress|playwright|uvu|node (?:\S+ )*--test|bun test|deno test|pytest|unittest|phpunit|pest|go test|cargo (?:test|nextest)|rspec|mix test|dotnet test|ctest|bats|wdio|web-test-runner|react-scripts test|ng test|(?:npm|pnpm|yarn|make|just|task|composer) (?:run )?test)\b/,
  ],
  [
    "types",
    /\b(?:tsc|tsgo|vue-tsc|svelte-check|mypy|pyright|flow|(?:npm|pnpm|yarn|make|just|task|composer) (?:run )?type-?check)\b/,
  ],
  [
    "lint",
    /\b(?:eslint|biome|oxlint|ruff|flake8|pylint|standard|xo|clippy|golangci-lint|rubocop|phpstan|psalm|(?:npm|pnpm|yarn|make|just|task|composer) (?:run )?lint|go vet)\b/,
  ],
  ["format", /\b(?:prettier|dprint|black|gofmt|cargo fmt)\b/],
  ["coverage", /\b(?:c8|nyc|--coverage|--cov)\b/],
];

/** Options that make a tool stricter. */
const STRICTER =
  /(?<=[\s"'])(?:-W[ =]?error|-Werror|--strict[\w-]*|--max-warnings[= ]0|--fail[\w-]*|--error[\w-]*|-race|-D[ =]?warnings)/g;

/** An option that made a tool stricter and stands nowhere any more; null for none. */
export function lostOption(before: string, after: string): string | null {
  return (before.match(STRICTER) ?? []).find((option) => !after.includes(option)) ?? null;
}

/** What is only printed does not run. */
export function withoutPrinted(text: string): string {
  return text.replace(/\b(?:echo|printf)\s[^&|;\n]*/g, "");
}

/** Whether a failure that ended a command before no longer does. */
export function goesOn(before: string, after: string): boolean {
  const count = (text: string, joint: RegExp) => text.replace(/"[^"]*"|'[^']*'/g, "").match(joint)?.length ?? 0;
  const [ends, goes] = [/&&/g, /(?<![&>])&(?![&>\d])|;/g];
  return count(after, ends) < count(before, ends) && count(after, goes) > count(before, goes);
}

/**
 * Why a command checks less than the one that it replaces.
 * @param all what the old one runs in all, with the scripts that it names
 * @param present the same of the new one
 */
export function weakerCommand(before: string, after: string, all: string, present: string): string[] {
  const lenient = [...LENIENT, ...INSTEAD].flatMap(([pattern, what]) =>
    pattern.test(after) && !pattern.test(before) ? [`${what}: ${after}`] : [],
  );
  if (lenient.length > 0) return lenient;
  if (goesOn(before, after)) return [`a failure is ignored: ${after}`];
  const lost = KINDS.flatMap(([kind, programs]) =>
    programs.test(all) && !programs.test(withoutPrinted(present)) ? [`the ${kind} no longer run: ${after}`] : [],
  );
  if (lost.length > 0) return lost;
  const option = lostOption(before, present);
  if (option !== null) return [`a check is gone, ${option}: ${after}`];
  const unknown =
    !KINDS.some(([, programs]) => programs.test(before)) &&
    !present.includes(before.trim()) &&
    /^\s*(?:echo|true|:|exit|printf)\b/.test(after);
  if (unknown) return [`it only prints now: ${after}`];
  return narrowed(before, after) ? [`it looks at less: ${after}`] : [];
}

/** Paths that a tool is given where it took all, or one that lies below the one before. */
export function narrowed(before: string, after: string): boolean {
  const programsOf = (kind: string) => KINDS.find(([name]) => name === kind)?.[1];
  return (
    narrowedOf(programsOf("tests"), before, after, testPaths) ||
    ["types", "lint"].some((kind) => narrowedOf(programsOf(kind), before, after, toolPaths))
  );
}

type Paths = {
  /** What is named, paths or not. */
  all: readonly string[];
  paths: readonly string[];
};

function narrowedOf(
  runner: RegExp | undefined,
  before: string,
  after: string,
  pathsOf: (words: readonly string[]) => Paths,
): boolean {
  const [was, is] = [runner?.exec(before), runner?.exec(after)];
  // What make and its like are given are targets.
  if (was == null || is == null || was[0] !== is[0] || /^(?:make|just|task)\b/.test(is[0])) return false;
  const wordsAfter = (command: string, { 0: name, index }: RegExpExecArray) =>
    (command.slice(index + name.length).split(/&&|\|\||[;&|]|\s--(?=\s)/)[0] ?? "").split(/\s+/);
  const [were, are] = [pathsOf(wordsAfter(before, was)), pathsOf(wordsAfter(after, is))];
  if (are.paths.length === 0 || are.all.some((path) => path === "." || path === "./...")) return false;
  const covers = (one: string, path: string) =>
    one === path || `${path}/`.startsWith(one.replace(/\/?(?:\*.*)?$/, "/"));
  return were.all.length === 0 || !were.all.every((path) => are.all.some((one) => covers(one, path)));
}

const PATH = /[/*]|\.\w+$/;
const SETTINGS = /config|setup|reporter/;

/** A runner of tests may be given patterns of their names, which are no paths. */
function testPaths(words: readonly string[]): Paths {
  const paths = words.filter((word) => PATH.test(word) && !word.startsWith("-") && !SETTINGS.test(word));
  return { all: paths, paths };
}

const SUBCOMMAND = /^(?:check|ci|run|lint|analy[sz]e|format)$/;

/** Other tools take folders by their bare names; what follows an option may be its value. */
function toolPaths(words: readonly string[]): Paths {
  const all = words
    .filter((word, at) => word !== "" && !word.startsWith("-") && !/^--?[\w-]+$/.test(words[at - 1] ?? ""))
    .map((word) => word.replace(/^["']|["']$|\/$/g, ""))
    .filter((word) => !SUBCOMMAND.test(word) && !SETTINGS.test(word));
  return { all, paths: all.filter((word) => PATH.test(word)) };
}

/** Kinds of checks of which there are fewer than before. */
export function lostKinds(before: string, after: string): string[] {
  const count = (text: string, programs: RegExp) =>
    withoutPrinted(text)
      .split("\n")
      .filter((line) => programs.test(line)).length;
  return KINDS.flatMap(([kind, programs]) =>
    count(after, programs) < count(before, programs) ? [`a check is gone: ${kind}`] : [],
  );
}
