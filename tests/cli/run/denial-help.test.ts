import { expect, test } from "bun:test";
import { denialHelpReader } from "../../../src/cli/run/denial-help.ts";
import type { Driver } from "../../../src/driver.ts";
import { analysis, iterationFinished, iterationStarted, play, runStarted } from "../../core/state-files/script.ts";

/** What is said in a run with a denial. */
function said(driver: Pick<Driver, "permissionDenialHelp">): string[] {
  const texts: string[] = [];
  const reader = denialHelpReader({
    driver: { displayName: "Own CLI", ...driver },
    settingsFile: "my.rc",
    quiet: false,
    say: (text) => texts.push(text),
  });
  const denied = iterationFinished({ analysis: { ...analysis, has_permission_denials: true } });
  const steps = play(runStarted(), iterationStarted(1), denied);
  reader.onEvents(steps.map((step) => ({ ...step, previous: step.state })));
  return texts;
}

test("the driver's own help names the settings file that it is given", () => {
  expect(said({ permissionDenialHelp: ({ settingsFile }) => `See ${settingsFile}.` })).toEqual(["See my.rc."]);
});

test("a driver without help has a general one, with its display name and the settings file", () => {
  expect(said({})).toEqual([expect.stringMatching(/^Own CLI was denied[\s\S]*ALLOWED_TOOLS in\s+my\.rc/)]);
});
