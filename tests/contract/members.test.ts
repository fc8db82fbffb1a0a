import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { driverReport } from "../../src/cli/agent/driver-report.ts";
import { isSessionId } from "../../src/core/decide/session-id.ts";
import type { Driver, Host } from "../../src/driver.ts";
import { findDriverProblems } from "../../src/driver-host/check-driver.ts";
import { BUILT_IN_DRIVERS } from "../../src/driver-host/registry.ts";
import { mismatches } from "../conformance/match.ts";
import { folder, subjects } from "./subjects.ts";

const dir = folder();
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const all = await subjects(dir);

/** A machine on which every program exists and prints nothing. */
const host: Host = {
  platform: "linux",
  env: {},
  cwd: dir,
  home: dir,
  isRoot: false,
  which: (program) => (program.startsWith("/") ? program : `/usr/bin/${program}`),
  run: async () => ({ exit_code: 0, stdout: "", stderr: "" }),
};

describe.each(all)("the driver $name", ({ driver }) => {
  test("has all required members, each of its type", () => expect(findDriverProblems(driver)).toEqual([]));

  test("names its program without surrounding blanks", () => {
    const program = typeof driver.cliBinary === "string" ? driver.cliBinary : driver.cliBinary(host);
    expect(program).toMatch(/^\S(.*\S)?$/);
  });

  test("lists each tool once", () => expect(new Set(driver.validTools).size).toBe(driver.validTools.length));

  test("names the settings file in its help after a denial, if it has its own", () => {
    const help = driver.permissionDenialHelp?.({ settingsFile: "settings/of/this.rc" });
    if (help === undefined || driver.name === "demo") return;
    expect(help).toContain("settings/of/this.rc");
    expect(driver.displayName.split(" ").some((word) => help.includes(word))).toBe(true);
  });

  test("has a help after a denial whose lines fit in 98 columns, as many as lines without a terminal have", () => {
    const help = driver.permissionDenialHelp?.({ settingsFile: ".ralph/.ralphrc" }) ?? "";
    expect(help.split("\n").filter((line) => line.length > 98)).toEqual([]);
  });

  test("rejects a session id that begins with a dash", () => {
    for (const id of ["-", "--resume", "-p x", ""]) expect(isSessionId(driver, id)).toBe(false);
  });
});

test("built-in drivers have different names, and each says how to install its CLI", () => {
  expect(new Set(BUILT_IN_DRIVERS.map(({ name }) => name)).size).toBe(BUILT_IN_DRIVERS.length);
  expect(BUILT_IN_DRIVERS.filter((one: Driver) => one.name !== "demo" && one.installCommand === undefined)).toEqual([]);
});

test("only Cursor, which no recording was made of, is experimental", () => {
  const experimental = BUILT_IN_DRIVERS.filter((one: Driver) => one.experimental === true);
  expect(experimental.map(({ name }) => name)).toEqual(["cursor"]);
});

type Original = { display_name: string; min_version: string; valid_tools: string[]; tool_allowlist: boolean };
type HookCase = {
  id: string;
  case: { argv: string[] };
  expected: { original: Original; ours: { expect: Record<string, unknown> } };
};
const recorded = readFileSync(join(import.meta.dirname, "../conformance/data/hooks/cases.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line): HookCase => JSON.parse(line));

function recordedDriver({ case: { argv } }: HookCase): Driver {
  const driver = BUILT_IN_DRIVERS.find(({ name }) => name === argv[2]);
  if (driver === undefined) throw new Error(`no driver ${argv[2]}`);
  return driver;
}

/** Before these versions, flags or events are missing that ralph's driver needs. */
const NEWER: Readonly<Record<string, string>> = { codex: "0.100.0", opencode: "1.17.18" };

test.each(recorded)("the tools, names and oldest version of $id are the original's", (recording) => {
  const driver = recordedDriver(recording);
  const { display_name, min_version, valid_tools, tool_allowlist } = recording.expected.original;
  expect([driver.displayName, driver.validTools, driver.supportsToolAllowlist === true]).toEqual([
    display_name,
    valid_tools,
    tool_allowlist,
  ]);
  expect(driver.minVersion).toBe(NEWER[driver.name] ?? min_version);
});

test.each(recorded)("the driver report of $id is the recorded one", async (recording) => {
  const { expected } = recording;
  const driver = recordedDriver(recording);
  const report = await driverReport({ driver, source: "built-in" }, host);
  expect(mismatches(expected.ours.expect, report)).toEqual([]);
});
