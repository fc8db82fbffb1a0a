import { type SettingName, settingSpec } from "../core/settings/settings.ts";
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
    MAX_CALLS_PER_HOUR: "100",
    MAX_ITERATIONS: "50",
    MAX_TIME: "8h",
    TEST_COMMAND: answers.testCommand === null ? "#TEST_COMMAND=" : assignment("TEST_COMMAND", answers.testCommand),
    REVIEW_ON_DONE: looks ? assignment("REVIEW_ON_DONE", "1") : "#REVIEW_ON_DONE=0",
  });
}

/**
 * Changes a setting in an existing settings file: its last line, else the comment line that shows its default, else a
 * new line at the end. The rest stays unchanged.
 */
export function withSetting(text: string, name: SettingName, value: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.replace(/\s+$/, "").split(/\r?\n/);
  const names = [name, ...(settingSpec(name).old ?? [])].join("|");
  const given = lines.findLastIndex((line) => new RegExp(`^\\s*(?:export\\s+)?(?:${names})=`).test(line));
  const shown = lines.findIndex((line) => new RegExp(`^\\s*#\\s?${name}=`).test(line));
  const at = given === -1 ? shown : given;
  if (at === -1) lines.push(assignment(name, value));
  else lines[at] = assignment(name, value);
  return `${lines.join(end).replace(/^(?:\r?\n)+/, "")}${end}`;
}
