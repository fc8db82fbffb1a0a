import { expect, test } from "bun:test";
import { stopRule } from "../../src/core/stop/stop-rule.ts";
import { circuitLines } from "../../src/view/circuit.ts";
import { style } from "../../src/view/text/style.ts";
import { NOON, recordOf, settingsOf, stateOf } from "../core/given.ts";

const shown = (denied: Parameters<typeof recordOf>[0], settings = settingsOf()) =>
  circuitLines(stateOf({ last: recordOf(denied, { number: 3 }) }), settings, {
    style: style(false),
    width: 80,
    now: NOON,
  });

test("the circuit's status names what the last answer was denied, in every mode", () => {
  const denied = { has_permission_denials: true, denied_commands: ["Bash(rm x)"] };
  const line = "iteration 3 was denied Bash(rm x)";
  expect(shown(denied)).toContain(`${line}: it goes on (PERMISSION_DENIAL_MODE=continue)`);
  const halting = settingsOf({ PERMISSION_DENIAL_MODE: "halt" });
  expect(shown(denied, halting)).toContain(`${line}: the run ends (PERMISSION_DENIAL_MODE=halt)`);
  const counting = shown(denied, settingsOf({ PERMISSION_DENIAL_MODE: "threshold" }));
  expect(counting).toContain(`${line}: it counts (PERMISSION_DENIAL_MODE=threshold)`);
  expect(counting.join("\n")).toContain("denied      0 of 2");
  expect(shown({}).join("\n")).not.toContain("denied");
});

test("the circuit's status names its counters as the dashboard does", () => {
  const state = stateOf({});
  const names = (lines: readonly string[], row: RegExp) => lines.flatMap((line) => row.exec(line)?.[1]?.trim() ?? []);
  const settings = settingsOf({ PERMISSION_DENIAL_MODE: "threshold" });
  const circuit = names(
    circuitLines(state, settings, { style: style(false), width: 80, now: NOON }),
    /^(.+?)\d+ of \d+$/,
  );
  expect(circuit).toEqual(
    (["stagnation_detected", "repeated_error", "permission_denials", "read_only_timeouts"] as const).map(
      (reason) => stopRule(reason).label,
    ),
  );
});
