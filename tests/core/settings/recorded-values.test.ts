import { expect, test } from "bun:test";
import { parseEvent } from "../../../src/core/journal/event-schema.ts";
import { resolveSettings } from "../../../src/core/settings/resolve-settings.ts";
import { isValueOf } from "../../../src/core/settings/setting-schema.ts";
import { SETTING_NAMES, settingSpec } from "../../../src/core/settings/settings.ts";
import { eventsOf, runningRun } from "../../view/sample-run.ts";

const TEXTS = [
  "patch",
  "nightly-{n}",
  "0",
  "1",
  "120",
  "90s",
  "5.50",
  "none",
  "true",
  "9:05",
  "2.0.76",
  "a,b",
  "a;b",
  "Read",
  "x",
  "evidence",
];

test.each(SETTING_NAMES)("each value that %s can be given is one that a record may hold", (name) => {
  const spec = settingSpec(name);
  const options = "options" in spec ? (spec.options ?? []) : [];
  const fits = ["", ...TEXTS, ...options].flatMap((text) => {
    const { settings, problems } = resolveSettings({ flags: {}, env: { [name]: text }, file: null });
    return problems.length > 0 ? [] : [[text, settings[name], isValueOf(spec, settings[name])]];
  });
  expect(fits.filter(([, , isFine]) => !isFine)).toEqual([]);
  expect(fits.length).toBeGreaterThan(1);
});

test("settings of a record that can be none are left out; the rest stays, and what only another version knows", () => {
  const [started] = eventsOf(runningRun);
  const wrong = {
    ...{ MAX_ITERATIONS: -1, MAX_COST_USD: "5", CB_COOLDOWN_MINUTES: 1e100, STOP_AT: "25:00" },
    ...{ CB_AUTO_RESET: 1, DONE_POLICY: "never", SESSION_RENEW: 1.5, QUALITY_GATES: [1] },
    ...{ ALLOWED_TOOLS: "Read", TEST_COMMAND: 5, PLATFORM_DRIVER: null },
  };
  const right = { MAX_CALLS_PER_HOUR: 7, CLAUDE_MODEL: null, FROM_TOMORROW: { any: ["thing"] } };
  const read = parseEvent(JSON.stringify({ ...started, settings: { ...wrong, ...right } }));
  expect(read?.type === "run_started" && read.settings).toEqual(right);
});
