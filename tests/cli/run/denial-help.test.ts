import { expect, test } from "bun:test";
import { denialHelpReader } from "../../../src/cli/run/denial-help.ts";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import type { Driver } from "../../../src/driver.ts";
import { analysis, iterationFinished, iterationStarted, play, runStarted } from "../../core/state-files/script.ts";

type Given = { driver?: Partial<Driver>; flags?: Record<string, { text: string; flag: string }>; rc?: string };

/** What is said in a run with a denial. */
function said({ driver = {}, flags = {}, rc = "" }: Given = {}, denied: string[] = ["Bash(rm x)"]): string[] {
  const texts: string[] = [];
  const reader = denialHelpReader({
    driver: { displayName: "Own CLI", ...driver },
    resolved: resolveSettings({ flags, env: {}, file: { path: "my.rc", text: rc } }),
    settingsFile: "my.rc",
    quiet: false,
    say: (text) => texts.push(text),
  });
  const answer = { ...analysis, has_permission_denials: true, denied_commands: denied };
  const steps = play(runStarted(), iterationStarted(1), iterationFinished({ analysis: answer }));
  reader.onEvents(steps.map((step) => ({ ...step, previous: step.state })));
  return texts;
}

test("the first line names what was denied, and what decided it with its place", () => {
  const driver = { supportsToolAllowlist: true, permissionDenialHelp: () => "Help." };
  const flags = { CLAUDE_PERMISSION_MODE: { text: "acceptEdits", flag: "--permission-mode" } };
  expect(said({ driver, flags, rc: "\nALLOWED_TOOLS=Read\n" })).toEqual([
    "Denied: Bash(rm x), in mode acceptEdits (--permission-mode), with the tools of my.rc:2.\nHelp.",
  ]);
  expect(said({ driver })).toEqual([
    "Denied: Bash(rm x), in mode bypassPermissions (default), with the default tools.\nHelp.",
  ]);
});

test("an agent without a list of tools is not said to have one", () => {
  expect(said()[0]).toStartWith("Denied: Bash(rm x), in mode bypassPermissions (default).\n");
});

test.each([
  [[], "a tool"],
  [["Write", "Write", "Bash(a\u001b[31m\nb)"], "Write, Bash(a b)"],
  [["A", "B", "C", "D", "E"], "A, B, C and 2 more"],
])("of %j it names %s", (denied, names) => {
  expect(said({}, denied)[0]).toStartWith(`Denied: ${names}, in mode`);
});

test("the driver's own help names the settings file that it is given", () => {
  const permissionDenialHelp = ({ settingsFile }: { settingsFile: string }) => `See ${settingsFile}.`;
  expect(said({ driver: { permissionDenialHelp } })[0]).toEndWith("\nSee my.rc.");
});

test("a driver without help has a general one, with its display name and the settings file", () => {
  expect(said()[0]).toMatch(/configuration of Own CLI[\s\S]*ALLOWED_TOOLS in\s+my\.rc/);
});
