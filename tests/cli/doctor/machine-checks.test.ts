import { expect, test } from "bun:test";
import { machineChecks } from "../../../src/cli/doctor/machine-checks.ts";
import { defaultSettings } from "../../../src/core/settings/settings.ts";

const terminal = { isTty: { stdin: false, stdout: false, stderr: false }, color: false, columns: 80 };

const processes = (platform: NodeJS.Platform, canMark: boolean) => {
  const facts = { version: "1.0.0", releases: null, platform, canMark };
  return machineChecks(terminal, defaultSettings(), facts).find(({ label }) => label === "processes");
};

test("doctor warns where a daemon of an agent could be found, but not by this runtime", () => {
  expect(processes("linux", false)).toMatchObject({
    passed: false,
    required: false,
    detail: "An agent's daemon that empties its environment is not found here.",
    hint: expect.stringContaining("Deno with -A"),
  });
});

test.each([
  ["linux", true],
  ["darwin", false],
  ["win32", false],
] as const)("doctor says nothing of it on %s with marks: %p", (platform, canMark) => {
  expect(processes(platform, canMark)).toBeUndefined();
});
