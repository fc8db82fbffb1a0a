import { isTestFile } from "../answer/test-file.ts";
import { fieldsOf, isRecord, isTooDeep } from "../json-value.ts";
import type { GateFileRules } from "./gate-files.ts";

/** Keys of manifests in JSON that decide how tests and checks run. */
export const JSON_KEYS: Readonly<Record<string, readonly string[]>> = {
  "package.json": ["jest", "vitest", "mocha", "ava", "nyc", "c8", "tap", "eslintConfig", "eslintIgnore"],
  "deno.json": ["test", "lint", "fmt"],
  "composer.json": [],
};
/** Their key with the scripts. */
const SCRIPTS_KEY: Readonly<Record<string, string>> = {
  "package.json": "scripts",
  "deno.json": "tasks",
  "composer.json": "scripts",
};
/** Sections of TOML manifests that decide it. */
const TOML_SECTIONS: Readonly<Record<string, RegExp>> = {
  "pyproject.toml":
    /^tool\.(?:pytest|coverage|ruff|mypy|tox|nox|pylint|flake8|pyright|hatch\.envs|poe|pdm\.scripts|taskipy)\b/,
  "Cargo.toml": /^(?:test|bench|lints|profile\.test|workspace\.lints)\b/,
};
/** Lines that decide it, in build files that are mostly about building. */
const DECIDING_LINES: readonly (readonly [name: RegExp, lines: RegExp])[] = [
  [
    /^build\.gradle(?:\.kts)?$/,
    /test|jacoco|kover|coverage|exclude|include|ignoreFailures|enabled|onlyIf|useJUnit|filter|failFast/i,
  ],
  [/^pom\.xml$/, /test|surefire|failsafe|jacoco|skip|exclude|include|haltOn/i],
  [/^\.npmrc$/, /script-shell|ignore-scripts|node-options/],
  [/^mix\.exs$/, /test|coverage|exclude|aliases|warnings_as_errors/i],
  [/\.(?:csproj|fsproj)$|^Directory\.Build\.props$/, /test|exclude|remove|warn|coverlet|threshold|nullable/i],
];

/** The tests that stand in a source file of Rust, each module from its attribute to the bracket that closes it. */
const INLINE_TESTS = /^[ \t]*#\[cfg\(test\)\][ \t]*$/;

/** Whether a file is partly gate and partly what the agent works on. */
export function isMixed(path: string): boolean {
  const name = nameOf(path);
  return (
    SCRIPTS_KEY[name] !== undefined ||
    TOML_SECTIONS[name] !== undefined ||
    hasInlineTests(path) ||
    decidingLines(name) !== null
  );
}

/**
 * The part of a file that is gate: of manifests the scripts that the gates run and the settings of test tools, of other files
 * everything. Two versions of a file with equal parts are the same gate; "" if nothing in it is.
 */
export function gateParts(path: string, text: string, rules: GateFileRules): string {
  const name = nameOf(path);
  if (SCRIPTS_KEY[name] !== undefined) {
    const json = parse(text);
    if (json === null) return text;
    const parts = jsonParts(name, json, rules);
    const isEmpty =
      Object.keys(parts).length === 1 && Object.keys(fieldsOf(parts[SCRIPTS_KEY[name] ?? ""])).length === 0;
    return isEmpty ? "" : `${JSON.stringify(parts, null, 2)}\n`;
  }
  const sections = TOML_SECTIONS[name];
  if (sections !== undefined)
    return splitSections(text)
      .filter((section) => sections.test(section.title))
      .map((section) => section.text)
      .join("");
  if (hasInlineTests(path)) return splitTests(text).tests;
  const lines = decidingLines(name);
  if (lines === null) return text;
  return text
    .split("\n")
    .filter((line) => lines.test(line))
    .join("\n");
}

/** The present file with the frozen gate laid over it: what the agent did elsewhere in it, such as a new dependency, stays. */
export function withFrozenParts(path: string, frozen: string, current: string, rules: GateFileRules): string {
  const name = nameOf(path);
  if (hasInlineTests(path)) return splitTests(current).work + splitTests(frozen).tests;
  const lines = decidingLines(name);
  if (lines !== null) return withFrozenLines(frozen, current, lines);
  if (SCRIPTS_KEY[name] !== undefined) return mergeJson(name, frozen, current, rules);
  const sections = TOML_SECTIONS[name];
  if (sections === undefined) return frozen;
  const kept = splitSections(current).filter((section) => !sections.test(section.title));
  const laid = splitSections(frozen).filter((section) => sections.test(section.title));
  return [...kept, ...laid].map((section) => section.text.replace(/\n?$/, "\n")).join("");
}

function decidingLines(name: string): RegExp | null {
  return DECIDING_LINES.find(([names]) => names.test(name))?.[1] ?? null;
}

/** Files of Rust that are no tests as a whole may hold some. */
export function hasInlineTests(path: string): boolean {
  return path.endsWith(".rs") && !isTestFile(path);
}

/** The items for tests in a source file, and all else. An item ends with the line that closes it at the indent it began with. */
function splitTests(text: string): { work: string; tests: string } {
  const parts = { work: "", tests: "" };
  let indent: string | null = null;
  for (const line of text.split(/(?<=\n)/)) {
    const bare = line.trimEnd();
    const own = /^[ \t]*/.exec(line)?.[0] ?? "";
    const isStart: boolean = indent === null && INLINE_TESTS.test(bare);
    if (isStart) indent = own;
    parts[indent === null ? "work" : "tests"] += line;
    if (!isStart && own === indent && /[;}]$/.test(bare)) indent = null;
  }
  if (parts.tests !== "" && parts.work !== "" && !parts.work.endsWith("\n")) parts.work += "\n";
  return parts;
}

/** Longer build files are not merged line by line: the frozen one takes their place. */
const MOST_LINES = 3000;

/** The present lines, except that those which decide about tests are the frozen ones, in their old places. */
function withFrozenLines(frozenText: string, currentText: string, deciding: RegExp): string {
  const [frozen, current] = [frozenText.split("\n"), currentText.split("\n")];
  if (frozen.length > MOST_LINES || current.length > MOST_LINES) return frozenText;
  const lengths = commonLengths(frozen, current);
  const merged: string[] = [];
  let [a, b] = [0, 0];
  while (a < frozen.length || b < current.length) {
    const [was = "", is = ""] = [frozen[a], current[b]];
    if (a < frozen.length && b < current.length && was === is) {
      merged.push(is);
      a += 1;
      b += 1;
    } else if (b >= current.length || (a < frozen.length && (lengths[a + 1]?.[b] ?? 0) >= (lengths[a]?.[b + 1] ?? 0))) {
      if (deciding.test(was)) merged.push(was);
      a += 1;
    } else {
      if (!deciding.test(is)) merged.push(is);
      b += 1;
    }
  }
  return merged.join("\n");
}

/** How many lines two texts share in order, from each pair of lines on. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    const [row, below] = [lengths[i], lengths[i + 1]];
    if (row === undefined || below === undefined) continue;
    for (let j = b.length - 1; j >= 0; j -= 1)
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
  }
  return lengths;
}

function mergeJson(name: string, frozenText: string, currentText: string, rules: GateFileRules): string {
  const [frozen, current] = [parse(frozenText), parse(currentText)];
  if (frozen === null || current === null) return frozenText;
  const key = SCRIPTS_KEY[name] ?? "";
  const scripts = { ...fieldsOf(current[key]) };
  for (const script of scriptNames(rules)) delete scripts[script];
  Object.assign(scripts, jsonParts(name, frozen, rules)[key]);
  const merged: Record<string, unknown> = { ...current, [key]: scripts };
  for (const setting of JSON_KEYS[name] ?? []) {
    if (setting in frozen) merged[setting] = frozen[setting];
    else delete merged[setting];
  }
  return `${JSON.stringify(merged, null, 2)}\n`;
}

function jsonParts(name: string, json: Record<string, unknown>, rules: GateFileRules): Record<string, unknown> {
  const key = SCRIPTS_KEY[name] ?? "";
  const scripts = fieldsOf(json[key]);
  const used = scriptNames(rules).filter((script) => script in scripts);
  const settings = (JSON_KEYS[name] ?? []).filter((setting) => setting in json);
  return {
    [key]: Object.fromEntries(used.sort().map((script) => [script, scripts[script]])),
    ...Object.fromEntries(settings.map((setting) => [setting, json[setting]])),
  };
}

function scriptNames({ scripts }: GateFileRules): string[] {
  return [...scripts].flatMap((name) => [`pre${name}`, name, `post${name}`]);
}

function nameOf(path: string): string {
  const name = path.split("/").at(-1) ?? "";
  return name === "deno.jsonc" ? "deno.json" : name;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = isTooDeep(text) ? null : JSON.parse(text);
    return isRecord(json) ? json : null;
  } catch {
    return null; // broken, or JSON with comments: compared as a whole
  }
}

type Section = { title: string; text: string };

/** A TOML file by its headings; what stands before the first has no title. */
function splitSections(text: string): Section[] {
  const sections: Section[] = [{ title: "", text: "" }];
  for (const line of text.split(/(?<=\n)/)) {
    const title = /^\s*\[\[?\s*([\w.-][^\][,]*)\]\]?\s*(?:#.*)?$/.exec(line)?.[1]?.trim();
    const last = sections.at(-1);
    if (title !== undefined) sections.push({ title, text: line });
    else if (last !== undefined) last.text += line;
  }
  return sections.filter((section) => section.text !== "");
}
