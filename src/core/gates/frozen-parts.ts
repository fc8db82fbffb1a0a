import { isRecord } from "../json-value.ts";
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
const DECIDING_LINES: Readonly<Record<string, RegExp>> = {
  "build.gradle": /test|jacoco|coverage|exclude|ignoreFailures/i,
  "build.gradle.kts": /test|jacoco|coverage|exclude|ignoreFailures/i,
  "pom.xml": /test|surefire|failsafe|jacoco|skip|exclude/i,
  "mix.exs": /test|coverage|exclude/i,
};

/**
 * The part of a file that is gate: of manifests the scripts that the gates run and the settings of test tools, of other files
 * everything. Two versions of a file with equal parts are the same gate.
 */
export function gateParts(path: string, text: string, rules: GateFileRules): string {
  const name = nameOf(path);
  if (SCRIPTS_KEY[name] !== undefined) {
    const json = parse(text);
    return json === null ? text : `${JSON.stringify(jsonParts(name, json, rules), null, 2)}\n`;
  }
  const sections = TOML_SECTIONS[name];
  if (sections !== undefined)
    return splitSections(text)
      .filter((section) => sections.test(section.title))
      .map((section) => section.text)
      .join("");
  const lines = DECIDING_LINES[name];
  if (lines === undefined) return text;
  return text
    .split("\n")
    .filter((line) => lines.test(line))
    .join("\n");
}

/**
 * The present file with the frozen gate laid over it: what the agent did elsewhere in it, such as a new dependency, stays. Build
 * files that are programs of their own stay as they are: no part can be laid over them.
 */
export function withFrozenParts(path: string, frozen: string, current: string, rules: GateFileRules): string {
  const name = nameOf(path);
  if (DECIDING_LINES[name] !== undefined) return current;
  if (SCRIPTS_KEY[name] !== undefined) return mergeJson(name, frozen, current, rules);
  const sections = TOML_SECTIONS[name];
  if (sections === undefined) return frozen;
  const kept = splitSections(current).filter((section) => !sections.test(section.title));
  const laid = splitSections(frozen).filter((section) => sections.test(section.title));
  return [...kept, ...laid].map((section) => section.text.replace(/\n?$/, "\n")).join("");
}

function mergeJson(name: string, frozenText: string, currentText: string, rules: GateFileRules): string {
  const [frozen, current] = [parse(frozenText), parse(currentText)];
  if (frozen === null || current === null) return frozenText;
  const key = SCRIPTS_KEY[name] ?? "";
  const scripts = { ...recordOf(current[key]) };
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
  const scripts = recordOf(json[key]);
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

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const json: unknown = JSON.parse(text);
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
    const title = /^\s*\[\[?\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    const last = sections.at(-1);
    if (title !== undefined) sections.push({ title, text: line });
    else if (last !== undefined) last.text += line;
  }
  return sections.filter((section) => section.text !== "");
}
