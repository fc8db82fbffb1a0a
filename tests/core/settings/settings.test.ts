import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { describeAllowed, schemaOf } from "../../../src/core/settings/setting-schema.ts";
import type { SettingValue } from "../../../src/core/settings/setting-spec.ts";
import {
  defaultOf,
  defaultSettings,
  SETTING_KEYS,
  SETTING_NAMES,
  type SettingName,
  settingNamed,
  settingSpec,
} from "../../../src/core/settings/settings.ts";

/** The value of a text, or "refused". */
function read(name: SettingName, text: string): SettingValue {
  const parsed = v.safeParse(schemaOf(settingSpec(name)), text);
  return parsed.success ? parsed.output : "refused";
}

describe("the table of settings", () => {
  test.each(SETTING_NAMES.filter((name) => defaultOf(name) !== null))("allows the default of %s", (name) => {
    const value = defaultOf(name);
    const text = Array.isArray(value) ? value.join(name === "QUALITY_GATES" ? ";" : ",") : String(value);
    expect(read(name, text)).toEqual(value);
  });

  test("has no name, old name, flag or short flag twice", () => {
    const names = SETTING_NAMES.flatMap((name) => [name, ...(settingSpec(name).old ?? [])]);
    const flags = SETTING_NAMES.flatMap((name) => settingSpec(name).flag ?? []).flatMap(({ name, short }) => [
      name,
      ...(short ?? []),
    ]);
    expect(names).toEqual([...new Set(names)]);
    expect(flags).toEqual([...new Set(flags)]);
  });

  test("has help texts that fit beside the flag, or in one line of the table", () => {
    expect(SETTING_NAMES.filter((name) => settingSpec(name).help.length > 60)).toEqual([]);
  });

  test("gives fresh defaults with each call", () => {
    defaultSettings().ALLOWED_TOOLS.push("Rogue");
    expect(defaultSettings().ALLOWED_TOOLS).not.toContain("Rogue");
  });
});

test.each<[SettingName, SettingValue]>([
  ["PROJECT_NAME", "my-project"],
  ["PROJECT_TYPE", "unknown"],
  ["PROMPT_FILE", ".ralph/PROMPT.md"],
  ["PLATFORM_DRIVER", "claude-code"],
  ["MAX_CALLS_PER_HOUR", 100],
  ["CLAUDE_TIMEOUT_MINUTES", 15],
  ["CLAUDE_OUTPUT_FORMAT", "json"],
  [
    "ALLOWED_TOOLS",
    "Write,Read,Edit,MultiEdit,Glob,Grep,Task,TodoWrite,WebFetch,WebSearch,EnterPlanMode,ExitPlanMode,NotebookEdit,Bash".split(
      ",",
    ),
  ],
  ["CLAUDE_PERMISSION_MODE", "bypassPermissions"],
  ["PERMISSION_DENIAL_MODE", "continue"],
  ["SESSION_CONTINUITY", true],
  ["SESSION_EXPIRY_HOURS", 24],
  ["RALPH_VERBOSE", false],
  ["CB_NO_PROGRESS_THRESHOLD", 3],
  ["CB_SAME_ERROR_THRESHOLD", 5],
  ["CB_OUTPUT_DECLINE_THRESHOLD", 70],
  ["CB_PERMISSION_DENIAL_THRESHOLD", 2],
  ["CB_READ_ONLY_TIMEOUT_THRESHOLD", 2],
  ["CB_COOLDOWN_MINUTES", 30],
  ["CB_AUTO_RESET", false],
  ["TASK_SOURCES", ["local"]],
  ["QUALITY_GATES", []],
  ["QUALITY_GATE_MODE", "warn"],
  ["QUALITY_GATE_TIMEOUT", 120],
  ["QUALITY_GATE_ON_COMPLETION_ONLY", false],
  ["REVIEW_MODE", "off"],
  ["REVIEW_INTERVAL", 5],
  ["MAX_CONSECUTIVE_TEST_LOOPS", 3],
  ["MAX_CONSECUTIVE_DONE_SIGNALS", 2],
])("the default of %s is that of the originals, %p", (name, value) => expect(defaultOf(name)).toEqual(value));

test.each([
  ["CLAUDE_ALLOWED_TOOLS", "ALLOWED_TOOLS"],
  ["CLAUDE_USE_CONTINUE", "SESSION_CONTINUITY"],
  ["CLAUDE_SESSION_EXPIRY_HOURS", "SESSION_EXPIRY_HOURS"],
  ["VERBOSE_PROGRESS", "RALPH_VERBOSE"],
  ["MAX_TIME", "MAX_TIME"],
  ["max_time", null],
  ["constructor", null],
] as const)("the setting's name %s means %p", (key, name) => expect(settingNamed(key)).toBe(name));

test.each<[SettingName, string, SettingValue]>([
  ["MAX_CALLS_PER_HOUR", "100", 100],
  ["MAX_CALLS_PER_HOUR", " 08 ", 8],
  ["MAX_CALLS_PER_HOUR", "0", "refused"],
  ["MAX_CALLS_PER_HOUR", "1e3", "refused"],
  ["MAX_CALLS_PER_HOUR", "99999999999999999999", "refused"],
  ["MAX_CALLS_PER_HOUR", "none", "refused"],
  ["MAX_TOKENS_PER_HOUR", "0", 0],
  ["MAX_ITERATIONS", "none", null],
  ["MAX_ITERATIONS", "0", "refused"],
  ["MAX_COST_USD", "2.50", 2.5],
  ["MAX_COST_USD", "0", "refused"],
  ["MAX_COST_USD", "$5", "refused"],
  ["CLAUDE_TIMEOUT_MINUTES", "90s", 1.5],
  ["CLAUDE_TIMEOUT_MINUTES", "120", 120],
  ["CLAUDE_TIMEOUT_MINUTES", "2h", 120],
  ["CLAUDE_TIMEOUT_MINUTES", "121", "refused"],
  ["CLAUDE_TIMEOUT_MINUTES", "0", "refused"],
  ["CLAUDE_TIMEOUT_MINUTES", "0.5s", "refused"],
  ["CLAUDE_TIMEOUT_MINUTES", "1s", 1 / 60],
  ["IDLE_TIMEOUT_MINUTES", "0", 0],
  ["MAX_TIME", "8h", 480],
  ["MAX_TIME", "none", null],
  ["STOP_AT", "23:59", "23:59"],
  ["STOP_AT", "7:05", "07:05"],
  ["STOP_AT", "24:00", "refused"],
  ["CB_OUTPUT_DECLINE_THRESHOLD", "101", "refused"],
  ["CB_COOLDOWN_MINUTES", "1.5", "refused"],
  ["SESSION_CONTINUITY", "FALSE", false],
  ["SESSION_CONTINUITY", "yes", true],
  ["SESSION_CONTINUITY", "maybe", "refused"],
  ["SESSION_CONTINUITY", "constructor", "refused"],
  ["PERMISSION_DENIAL_MODE", "Continue", "refused"],
  ["CLAUDE_MIN_VERSION", "2.0.76", "2.0.76"],
  ["CLAUDE_MIN_VERSION", "latest", "refused"],
  ["QUALITY_GATES", "npm run lint; npm test;", ["npm run lint", "npm test"]],
  ["TASK_SOURCES", "local, beads", ["local", "beads"]],
  ["TASK_SOURCES", "jira", "refused"],
  ["ALLOWED_TOOLS", "Bash(a,b),Read", ["Bash(a,b)", "Read"]],
  ["ALLOWED_TOOLS", ",", "refused"],
  ["ALLOWED_TOOLS", "Read,-n", "refused"],
  ["TEST_COMMAND", " a  b ", " a  b "],
])("the setting %s reads %p as %p", (name, text, value) => expect(read(name, text)).toEqual(value));

test("no name, of now or of old, stands for two settings", () => {
  const names = SETTING_NAMES.flatMap((name) => [name, ...(settingSpec(name).old ?? [])]);
  expect(names.length).toBe(new Set(names).size);
  expect([...SETTING_KEYS.keys()]).toEqual(names);
});

test("the allowed values of a setting are described in words", () => {
  const names = [
    "MAX_CALLS_PER_HOUR",
    "MAX_ITERATIONS",
    "SESSION_EXPIRY_HOURS",
    "CLAUDE_TIMEOUT_MINUTES",
    "IDLE_TIMEOUT_MINUTES",
    "STOP_AT",
    "QUALITY_GATE_MODE",
    "TASK_SOURCES",
    "CLAIM_LEASE_MINUTES",
  ] as const;
  expect(names.map((name) => describeAllowed(settingSpec(name)))).toEqual([
    "a whole number from 1",
    'a whole number from 1, or "none"',
    "a whole number of hours from 1 to 8760",
    "whole minutes, or a value with a unit such as 90s, 2m or 1h30m, from 1s to 120 minutes",
    "whole minutes, or a value with a unit such as 90s, 2m or 1h30m, from 1s to 120 minutes, or 0 for off",
    'a time of day as HH:MM, from 00:00 to 23:59, or "none"',
    "warn, block or circuit-breaker",
    'a list of local, beads, github or prd, separated by ","',
    "whole minutes, or a value with a unit such as 90s, 2m or 1h30m, from 1s to 1 day",
  ]);
});
