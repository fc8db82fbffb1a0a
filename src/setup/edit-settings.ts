import { parseRalphrc, SECOND_SETTING } from "../core/settings/ralphrc.ts";
import { type SettingName, settingSpec } from "../core/settings/settings.ts";
import { readShellValue } from "../core/settings/shell-value.ts";
import type { Answers } from "./answers.ts";
import { assignment } from "./assignment.ts";
import { fillTemplate, type Template } from "./templates.ts";

/**
 * A new `.ralphrc`: every setting with its explanation, and the answered ones with their values.
 * @param looks whether the agent can look at finished work without changing it
 */
export function newSettingsFile(template: Template, answers: Answers, looks: boolean): string {
  const bare = (value: string) => assignment("", value).slice(1);
  return fillTemplate(template, {
    PROJECT_NAME: bare(answers.name),
    PROJECT_TYPE: bare(answers.type),
    TASK_SOURCES: "local",
    GITHUB_TASK_LABEL: "#GITHUB_TASK_LABEL=",
    PLATFORM_DRIVER: bare(answers.driver),
    MAX_CALLS_PER_HOUR: bare(answers.bounds?.MAX_CALLS_PER_HOUR ?? "100"),
    MAX_ITERATIONS: bare(answers.bounds?.MAX_ITERATIONS ?? "50"),
    MAX_TIME: bare(answers.bounds?.MAX_TIME ?? "8h"),
    TEST_COMMAND: answers.testCommand === null ? "#TEST_COMMAND=" : assignment("TEST_COMMAND", answers.testCommand),
    REVIEW_ON_DONE: looks ? assignment("REVIEW_ON_DONE", "1") : "#REVIEW_ON_DONE=0",
  });
}

/**
 * Changes a setting in an existing settings file: its last line, else the comment line that shows its default, else a
 * new line at the end. Every other byte stays, the comment after the value too.
 */
export function withSetting(text: string, name: SettingName, value: string): string {
  const lines = linesOf(text);
  const given = lines.findLastIndex((line) => lineOf(line, name) !== null);
  const at = given === -1 ? lines.findIndex((line) => line.trim().startsWith(`#${name}=`) && isShown(line)) : given;
  const line = lines[at];
  if (line === undefined) {
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    return `${text}${text === "" || text.endsWith("\n") ? "" : end}${assignment(name, value)}${end}`;
  }
  const { head, tail } = lineOf(line, name) ?? { head: "", tail: lineEnd(line) };
  return lines.with(at, `${head}${assignment(name, value)}${tail}`).join("");
}

/** Takes a setting out of a settings file: each line that gives it goes. Every other byte stays. */
export function withoutSetting(text: string, name: SettingName): string {
  return linesOf(text)
    .filter((line) => lineOf(line, name) === null)
    .join("");
}

/** The lines of a text, each with its line end. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function lineEnd(line: string): string {
  return /\r?\n$/.exec(line)?.[0] ?? "";
}

/**
 * What stands before and after the assignment in a line that gives a setting; null for any other line, and for one that gives another
 * setting too: that is refused as a whole, and would be lost here.
 */
function lineOf(line: string, name: SettingName): { head: string; tail: string } | null {
  const names = [name, ...(settingSpec(name).old ?? [])].join("|");
  const [, head, rest] = new RegExp(`^(\\s*(?:export\\s+)?)(?:${names})=(.*?)\\r?\\n?$`, "s").exec(line) ?? [];
  if (head === undefined || rest === undefined || givesAnother(line)) return null;
  const value = readShellValue(rest, () => undefined);
  const after = "reason" in value ? "" : rest.slice(value.end);
  return { head, tail: `${/^\s+#/.test(after) ? after : ""}${lineEnd(line)}` };
}

function givesAnother(line: string): boolean {
  return parseRalphrc(line, { env: {} }).problems.some(({ reason }) => reason === SECOND_SETTING);
}

/** Whether a comment is a setting that could be taken in by removing the `#`, and not a sentence that begins with one. */
function isShown(line: string): boolean {
  return parseRalphrc(line.trim().slice(1), { env: {} }).problems.length === 0;
}
