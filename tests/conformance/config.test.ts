import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "../../src/cli/args/parse-args.ts";
import { route } from "../../src/cli/args/route.ts";
import { commandAt } from "../cli/command-at.ts";
import deviations from "./deviations/config.json" with { type: "json" };
import { mismatches } from "./match.ts";
import { type Outcome, runConfig } from "./run-config.ts";

type Expectation = {
  exit?: number;
  settings?: Record<string, Record<string, unknown>>;
  error?: boolean;
  error_mentions?: string[];
  warnings_ge?: number;
  absent_files?: string[];
};

type Case = {
  id: string;
  case: { flags?: string[]; argv?: string[]; env?: Record<string, string>; files?: Record<string, string> };
  expected: { ours: { rule: "same" | "differs" | "free"; why: string; expect: Expectation } };
};

/** Keys of `expect` that another test judges, through the program itself. */
const JUDGED_ELSEWHERE = ["state_file"];
const JUDGED_HERE = ["exit", "settings", "error", "error_mentions", "warnings_ge", "absent_files"];

const listed = new Map(Object.entries(deviations satisfies Record<string, string>));

describe.each(["config", "ralphrc", "validators", "allowlist"])("the recorded cases of group %s", (group) => {
  for (const recorded of readCases(group)) {
    const { rule, expect: expected } = recorded.expected.ours;
    if (rule === "free") continue;
    test(recorded.id, async () => {
      const { flags = [], argv, env = {}, files = {} } = recorded.case;
      const outcome = await runConfig({ flags, env, files, ...(argv === undefined ? {} : { argv }) });
      const found = judge(expected, outcome);
      if (listed.has(recorded.id)) expect(found).not.toEqual([]);
      else expect(found).toEqual([]);
    });
  }
});

test("every listed deviation of the config groups names a recorded case", () => {
  const ids = ["config", "ralphrc", "validators", "allowlist"].flatMap(readCases).map(({ id }) => id);
  expect([...listed.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

test("the free config cases end in a result or a usage error, never in a crash", async () => {
  const free = ["config", "ralphrc", "validators", "allowlist"]
    .flatMap(readCases)
    .filter(({ expected }) => expected.ours.rule === "free");
  for (const { case: setup } of free) {
    const { flags = [], argv, env = {}, files = {} } = setup;
    const { exit } = await runConfig({ flags, env, files, ...(argv === undefined ? {} : { argv }) });
    expect([0, 2]).toContain(exit);
  }
});

test("the recorded command lines of group hooks are parsed", () => {
  for (const recorded of readCases("hooks")) {
    const { path, rest } = route(recorded.case.argv ?? []);
    const { args } = parseArgs(commandAt(path), rest);
    expect({ path, name: args.name, json: args.json }).toEqual({
      path: ["drivers", "show"],
      name: recorded.case.argv?.[2],
      json: true,
    });
  }
});

function readCases(group: string): Case[] {
  const text = readFileSync(join(import.meta.dirname, "data", group, "cases.jsonl"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line): Case => JSON.parse(line));
}

function judge(expected: Expectation, outcome: Outcome): string[] {
  const unknown = Object.keys(expected).filter((key) => ![...JUDGED_HERE, ...JUDGED_ELSEWHERE].includes(key));
  const settings = Object.entries(expected.settings ?? {}).flatMap(([name, row]) =>
    mismatches(inFileForm(row, name), inFileForm(outcome.settings?.[name], name), name),
  );
  const said = JSON.stringify(outcome.error ?? {});
  return [
    ...unknown.map((key) => `nobody judges ${key}`),
    ...mismatches({ exit: expected.exit ?? 0 }, outcome),
    ...settings,
    ...(expected.error === true && outcome.error === undefined ? ["no error"] : []),
    ...(expected.error_mentions ?? [])
      .filter((word) => !said.includes(word))
      .map((word) => `the error does not mention ${word}`),
    ...((outcome.warnings?.length ?? 0) < (expected.warnings_ge ?? 0) ? ["too few warnings"] : []),
    ...(expected.absent_files ?? []).filter((path) => outcome.files.includes(path)).map((path) => `${path} was made`),
  ];
}

/** A list in the form of a file, and null for "": the README of the data allows both forms. */
function inFileForm(row: unknown, name: string): unknown {
  if (typeof row !== "object" || row === null || !("value" in row)) return row;
  const separator = name === "QUALITY_GATES" ? ";" : ",";
  return { ...row, value: Array.isArray(row.value) ? row.value.join(separator) : row.value === "" ? null : row.value };
}
