import { describe, expect, test } from "bun:test";
import {
  describeGateExit,
  gateCommands,
  gatePassed,
  gatesDue,
  shellCommand,
} from "../../../src/core/decide/gate-rules.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { analysisOf, settingsOf } from "../given.ts";

const complete = { total: 1, checked: 1, unchecked: 0, blocking_unchecked: 0 };

test("the gate commands start with the tests, and none runs twice", () => {
  const settings = settingsOf({ TEST_COMMAND: "npm test", QUALITY_GATES: ["npm run lint", " npm test ", ""] });
  expect(gateCommands(settings)).toEqual(["npm test", "npm run lint"]);
});

describe("gates", () => {
  const some: Partial<Settings> = { TEST_COMMAND: "true" };
  const late: Partial<Settings> = { ...some, QUALITY_GATE_ON_COMPLETION_ONLY: true };
  const claim = analysisOf({ has_completion_signal: true });
  const testOnly = analysisOf({ is_test_only: true });
  test.each([
    ["are not due if none exists", {}, claim, null, 0, false],
    ["are due after every answer", some, analysisOf(), null, 0, true],
    ["wait for a completion if set so", late, analysisOf(), null, 0, false],
    ["are due after a claim", late, claim, null, 0, true],
    ["are due after a complete plan", late, analysisOf(), complete, 0, true],
    ["are due after the last allowed test-only iteration", late, testOnly, null, 2, true],
    ["are not due after earlier test-only iterations", late, testOnly, null, 1, false],
  ] as const)("%s", (_name, settings, analysis, plan, testLoops, expected) => {
    const signals = { test_only_loops: Array.from({ length: testLoops }, (_, n) => n + 1) };
    expect(gatesDue(settingsOf(settings), { analysis, plan, signals, couldProve: false })).toBe(expected);
  });

  test("are due after an idle answer that they could prove to be the end", () => {
    const context = { analysis: analysisOf(), plan: null, signals: { test_only_loops: [] }, couldProve: true };
    expect(gatesDue(settingsOf(late), context)).toBe(true);
  });
});

test.each([
  [{ exit_code: 0, timed_out: false }, true],
  [{ exit_code: 1, timed_out: false }, false],
  [{ exit_code: null, timed_out: false }, false],
  // It ended cleanly on request, but never reported success.
  [{ exit_code: 0, timed_out: true }, false],
])("a gate with the end %j passed: %p", (ending, passed) => {
  expect(gatePassed(ending)).toBe(passed);
});

test("a gate's command goes to the platform's shell unchanged", () => {
  const command = `echo "a b" && exit 1`;
  expect(shellCommand(command, "linux")).toEqual({ argv: ["sh", "-c", command] });
  expect(shellCommand(command, "win32")).toEqual({
    argv: ["cmd.exe", "/d", "/s", "/c", "%RALPH_GATE%"],
    env: { RALPH_GATE: command },
  });
});

test("a red gate's sentence has its end", () => {
  expect(describeGateExit({ exit_code: 2, timed_out: false })).toBe("failed with exit code 2");
  expect(describeGateExit({ exit_code: null, timed_out: true })).toBe("ran out of time");
  expect(describeGateExit({ exit_code: null, timed_out: false })).toBe("could not be run to its end");
});

test.each([
  ["./gradlew test", ".\\gradlew test"],
  ["cd api && ./mvnw -B test && ../x/y.cmd a/b", "cd api && .\\mvnw -B test && ..\\x\\y.cmd a/b"],
  ["vendor/bin/phpunit tests/unit", "vendor\\bin\\phpunit tests/unit"],
  ["go test ./api/... https://x/y", "go test ./api/... https://x/y"],
  ["npm test /q", "npm test /q"],
  ['bash -c "cd x && ./run.sh" | ./filter', 'bash -c "cd x && ./run.sh" | .\\filter'],
])("a gate's program %p is called by its Windows path on Windows", (command, said) => {
  expect(shellCommand(command, "win32").env).toEqual({ RALPH_GATE: said });
});
