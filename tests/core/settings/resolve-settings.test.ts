import { describe, expect, test } from "bun:test";
import { type FlagSettings, resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import { defaultSettings } from "../../../src/core/settings/settings.ts";

const path = ".ralph/.ralphrc";

function resolve(given: { flags?: FlagSettings; env?: Record<string, string>; text?: string }) {
  const file = given.text === undefined ? null : { path, text: given.text };
  return resolveSettings({ flags: given.flags ?? {}, env: given.env ?? {}, file });
}

const flags: FlagSettings = { MAX_CALLS_PER_HOUR: { text: "4", flag: "-c" } };
const env = { MAX_CALLS_PER_HOUR: "3" };
const text = "# head\nMAX_CALLS_PER_HOUR=2\n";

test.each([
  ["a flag before all", { flags, env, text }, 4, { source: "flag", where: "-c" }],
  ["the environment before the file", { env, text }, 3, { source: "env", where: "MAX_CALLS_PER_HOUR" }],
  ["the file before the default", { text }, 2, { source: "file", where: ".ralph/.ralphrc:2" }],
  ["the default", {}, 100, { source: "default", where: null }],
  [
    "nothing empty in the environment",
    { env: { MAX_CALLS_PER_HOUR: " " }, text },
    2,
    { source: "file", where: ".ralph/.ralphrc:2" },
  ],
  [
    "the last line of the file",
    { text: `${text}MAX_CALLS_PER_HOUR=7` },
    7,
    { source: "file", where: ".ralph/.ralphrc:3" },
  ],
  [
    "a later empty line takes an earlier one back",
    { text: `${text}MAX_CALLS_PER_HOUR=` },
    100,
    { source: "default", where: null },
  ],
] as const)("the source that wins: %s", (_, given, value, source) => {
  const resolved = resolve(given);
  expect(resolved.settings.MAX_CALLS_PER_HOUR).toBe(value);
  expect(resolved.sources.MAX_CALLS_PER_HOUR).toEqual(source);
  expect(resolved.problems).toEqual([]);
});

test("old setting names work in the file and in the environment, where public names win", () => {
  const { settings, sources, warnings } = resolve({
    env: { CLAUDE_ALLOWED_TOOLS: "Read", ALLOWED_TOOLS: "Write", VERBOSE_PROGRESS: "true" },
    text: "CLAUDE_USE_CONTINUE=false\nCLAUDE_SESSION_EXPIRY_HOURS=3",
  });
  expect(settings).toMatchObject({
    ALLOWED_TOOLS: ["Write"],
    RALPH_VERBOSE: true,
    SESSION_CONTINUITY: false,
    SESSION_EXPIRY_HOURS: 3,
  });
  expect(sources.RALPH_VERBOSE).toEqual({ source: "env", where: "VERBOSE_PROGRESS" });
  expect(warnings).toEqual([]);
});

test.each<[string, Record<string, string>, string, string]>([
  ["a file of bmalph 2.9 asks for reviews", {}, "REVIEW_ENABLED=true", "enhanced"],
  ["it asks for none", {}, "REVIEW_ENABLED=false", "off"],
  ["the public name stands above it", {}, "REVIEW_MODE=ultimate\nREVIEW_ENABLED=false", "ultimate"],
  ["the public name stands below it", {}, "REVIEW_ENABLED=true\nREVIEW_MODE=ultimate", "ultimate"],
  ["an empty old name stands below the public one", {}, "REVIEW_MODE=ultimate\nREVIEW_ENABLED=", "ultimate"],
  ["bmalph run --review=ultimate", { REVIEW_ENABLED: "true", REVIEW_MODE: "ultimate" }, "", "ultimate"],
])("REVIEW_ENABLED is an old name of REVIEW_MODE: %s", (_, environment, lines, mode) => {
  const { settings, warnings, problems } = resolve({ env: environment, text: lines });
  expect({ mode: settings.REVIEW_MODE, warnings, problems }).toEqual({
    mode: mode as never,
    warnings: [],
    problems: [],
  });
});

test.each([
  [
    "MAX_TIME=8 h",
    'MAX_TIME must be whole minutes, or a value with a unit such as 90s, 2m or 1h30m, from 1s to 365 days, or "none".',
  ],
  ["MAX_ITERATIONS=3;MAX_COST_USD=2", 'MAX_ITERATIONS must be a whole number from 1, or "none".'],
  ["TEST_COMMAND=npm test", 'Write: TEST_COMMAND="npm test"'],
])("a refused line gets no advice that would be refused in turn: %s", (text, hint) => {
  expect(resolve({ text }).problems).toMatchObject([{ hint }]);
});

test("a bad setting is reported with place, key, value and allowed values, and has its default", () => {
  const { settings, problems } = resolve({
    flags: { QUALITY_GATE_MODE: { text: "blok", flag: "--gates" } },
    env: { MAX_TIME: "soon" },
    text: "MAX_CALLS_PER_HOUR=many\nA = 5",
  });
  expect(problems).toEqual([
    {
      code: "config",
      where: ".ralph/.ralphrc:2",
      message: "This line is refused: no blanks are allowed around =.",
      hint: "Write: A=5",
    },
    {
      code: "config",
      where: ".ralph/.ralphrc:1",
      message: 'MAX_CALLS_PER_HOUR="many" is not allowed: it must be a whole number from 1.',
      hint: null,
    },
    {
      code: "config",
      where: "MAX_TIME",
      message:
        'MAX_TIME="soon" in the environment is not allowed: it must be whole minutes, or a value with a unit such as 90s, 2m or 1h30m, from 1s to 365 days, or "none".',
      hint: null,
    },
    {
      code: "usage",
      where: "--gates",
      message: '--gates "blok" is not allowed: it must be warn, block or circuit-breaker. Did you mean block?',
      hint: null,
    },
  ]);
  expect(settings.MAX_CALLS_PER_HOUR).toBe(100);
});

test("a bad setting that another source overrides is no problem", () => {
  expect(resolve({ env, text: "MAX_CALLS_PER_HOUR=many" }).problems).toEqual([]);
});

test("an unknown setting causes one warning, with the nearest known name", () => {
  expect(resolve({ text: "MAX_CALL_PER_HOUR=1\nMAX_CALL_PER_HOUR=2\nFOO=bar" }).warnings).toEqual([
    {
      where: ".ralph/.ralphrc:1",
      message: "MAX_CALL_PER_HOUR is no setting of ralph and has no effect. Did you mean MAX_CALLS_PER_HOUR?",
    },
    { where: ".ralph/.ralphrc:3", message: "FOO is no setting of ralph and has no effect." },
  ]);
});

test("a project's file can neither trust its own driver nor change the update source", () => {
  const { settings, warnings } = resolve({ text: "RALPH_TRUST_DRIVERS=true\nRALPH_UPDATE_URL=http://x" });
  expect(settings).toMatchObject({ RALPH_TRUST: false, RALPH_UPDATE_URL: null });
  expect(warnings.map(({ where }) => where)).toEqual([".ralph/.ralphrc:1", ".ralph/.ralphrc:2"]);
  expect(resolve({ env: { RALPH_TRUST_DRIVERS: "true" } }).settings.RALPH_TRUST).toBe(true);
});

test("the user's file stands below the project's, and may hold all but what an agent could read there", () => {
  const user = {
    path: "/me/ralphrc",
    text: "MAX_TIME=2h\nMAX_ITERATIONS=9\nRALPH_TRUST_DRIVERS=true\nHIDDEN_GATES=x\n",
  };
  const file = { path, text: "MAX_TIME=8h\nMAX_ITERATIONS=\n" };
  const { settings, sources, written, warnings } = resolveSettings({ flags: {}, env: {}, file, user });
  expect(settings).toMatchObject({ MAX_TIME: 480, MAX_ITERATIONS: 9, RALPH_TRUST: true, HIDDEN_GATES: [] });
  expect(sources.MAX_TIME).toEqual({ source: "file", where: ".ralph/.ralphrc:1" });
  expect(sources.MAX_ITERATIONS).toEqual({ source: "user", where: "/me/ralphrc:2" });
  expect(written.MAX_TIME).toBe("8h");
  expect(warnings.map(({ where }) => where)).toEqual(["/me/ralphrc:4"]);
});

test("the value none lifts a bound of the file", () => {
  const { settings, sources } = resolve({
    flags: { MAX_ITERATIONS: { text: "none", flag: "--max-iterations" } },
    text: "MAX_ITERATIONS=50",
  });
  expect(settings.MAX_ITERATIONS).toBeNull();
  expect(sources.MAX_ITERATIONS.source).toBe("flag");
});

describe("under DONE_POLICY=evidence", () => {
  const resolved = (text: string, env = {}) =>
    resolveSettings({ flags: {}, env, file: { path: ".ralphrc", text: `DONE_POLICY=evidence\n${text}` } });

  test("idle answers have a longer way to their stop, which counts shrinking ones too", () => {
    const { settings, sources } = resolved("");
    expect(settings).toMatchObject({ CB_NO_PROGRESS_THRESHOLD: 6, CB_OUTPUT_DECLINE_THRESHOLD: 0 });
    expect(sources.CB_NO_PROGRESS_THRESHOLD).toEqual({ source: "default", where: null });
  });

  test("a threshold of the user's own stays, even if it is the originals' default", () => {
    expect(resolved("CB_NO_PROGRESS_THRESHOLD=3").settings.CB_NO_PROGRESS_THRESHOLD).toBe(3);
    expect(resolved("", { CB_OUTPUT_DECLINE_THRESHOLD: "70" }).settings.CB_OUTPUT_DECLINE_THRESHOLD).toBe(70);
  });

  test("nothing else differs from the defaults", () => {
    expect({ ...resolved("").settings, CB_NO_PROGRESS_THRESHOLD: 3, CB_OUTPUT_DECLINE_THRESHOLD: 70 }).toEqual({
      ...defaultSettings(),
      DONE_POLICY: "evidence",
    });
  });
});

test("a setting with two values in a file names the line that counts, unless it adds to the earlier one", () => {
  const warned = (text: string) => resolve({ text }).warnings;
  expect(warned("MAX_COST_USD=5\n# mine\nMAX_COST_USD=50")).toEqual([
    { message: "MAX_COST_USD stands in line 1 already: this line counts.", where: ".ralph/.ralphrc:3" },
  ]);
  expect(warned("MAX_COST_USD=5\nMAX_COST_USD=5")).toEqual([]);
  expect(warned("MAX_COST_USD=5\nMAX_COST_USD=")).toEqual([]);
  expect(warned('ALLOWED_TOOLS=Read\nALLOWED_TOOLS="$ALLOWED_TOOLS,Edit"')).toEqual([]);
});
