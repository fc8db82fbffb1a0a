import { expect, test } from "bun:test";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import { closestMatch } from "../../../src/core/settings/suggest.ts";

const resolve = (env: Record<string, string>) => resolveSettings({ flags: {}, env, file: null });
const isAllowed = (name: string, value: string) => resolve({ [name]: value }).problems.length === 0;

test.each(["CLAUDE_TIMEOUT_MINUTES", "IDLE_TIMEOUT_MINUTES", "WRITE_TIMEOUT_MINUTES"])(
  "the setting %s is at most two hours",
  (name) => expect([isAllowed(name, "120"), isAllowed(name, "121")]).toEqual([true, false]),
);

test.each([
  ["9:05", true],
  ["09:05", true],
  ["23:59", true],
  ["24:00", false],
  ["12:60", false],
  ["12:300", false],
  ["112:30", false],
  ["12:3", false],
])("the time of day %s is allowed: %p", (text, allowed) => expect(isAllowed("STOP_AT", text)).toBe(allowed));

test.each([
  ["auto", "auto"],
  ["never", "never"],
  ["3", 3],
] as const)("a session is renewed %s", (text, value) => {
  expect(resolve({ SESSION_RENEW: text }).settings.SESSION_RENEW).toBe(value);
});

test.each(["0", "-1", "1.5", "often", ""])("a session is not renewed %p: the allowed values are named", (text) => {
  const [problem] = resolve({ SESSION_RENEW: text }).problems;
  if (text === "") expect(problem).toBeUndefined();
  else expect(problem?.message).toContain("auto, never, always or a whole number from 1");
});

test("a time of day is kept with two digits for the hour", () => {
  expect(resolve({ STOP_AT: "9:05" }).settings.STOP_AT).toBe("09:05");
});

test("a mistyped old setting name suggests that old name", () => {
  const file = { path: "f", text: "CLAUDE_ALLOWED_TOOL=Read\n" };
  const [warning] = resolveSettings({ flags: {}, env: {}, file }).warnings;
  expect(warning?.message).toContain("Did you mean CLAUDE_ALLOWED_TOOLS?");
});

test("a dollar sign without a name stays literal in .ralphrc", () => {
  const file = { path: "f", text: "PREAMBLE=costs$%5\n" };
  expect(resolveSettings({ flags: {}, env: {}, file }).settings.PREAMBLE).toBe("costs$%5");
});

test("a word of two letters is close to one with an extra letter", () =>
  expect(closestMatch("up", ["ups"])).toBe("ups"));

test("a share in percent may be anything from 0 to 100", () => {
  const allowed = ["-1", "0", "100", "101"].map((value) => isAllowed("TEST_PERCENTAGE_THRESHOLD", value));
  expect(allowed).toEqual([false, true, true, false]);
});

test.each([
  ["CB_OUTPUT_DECLINE_THRESHOLD", "70%", 70],
  ["CB_OUTPUT_DECLINE_THRESHOLD", "70", 70],
  ["TEST_PERCENTAGE_THRESHOLD", "30 %", 30],
])("a setting in percent takes the sign as the originals write it: %s=%s", (name, text, value) => {
  expect(resolve({ [name]: text })).toMatchObject({ problems: [], settings: { [name]: value } });
});

test.each([
  ["CB_OUTPUT_DECLINE_THRESHOLD", "101%"],
  ["CB_OUTPUT_DECLINE_THRESHOLD", "%"],
  ["CB_OUTPUT_DECLINE_THRESHOLD", "70%%"],
  ["CB_NO_PROGRESS_THRESHOLD", "3%"],
])("and nothing else does: %s=%s", (name, text) => expect(isAllowed(name, text)).toBe(false));
