import { expect, test } from "bun:test";
import { noUsage, type Spending } from "../../../src/core/journal/usage.ts";
import type { Settings } from "../../../src/core/settings/settings.ts";
import { describeUnenforceableLimits } from "../../../src/core/stop/unenforceable-limits.ts";

import { recordOf, settingsOf, stateOf } from "../given.ts";

const tokens = { input_tokens: 10, output_tokens: 5 };
type Row = [settings: Partial<Settings>, usage: Partial<Spending>, warning: string | null];

test.each<Row>([
  [{}, {}, null],
  [{ MAX_COST_USD: 10 }, { ...tokens, cost_usd: 0 }, null],
  [{ MAX_TOKENS: 10, MAX_TOKENS_PER_HOUR: 10 }, tokens, null],
  [
    { MAX_COST_USD: 10 },
    tokens,
    "Codex does not report what its calls cost: MAX_COST_USD cannot end this run. Bound it by MAX_ITERATIONS, MAX_TOKENS, MAX_TIME, STOP_AT instead.",
  ],
  [
    { MAX_COST_USD: 10, MAX_TOKENS: 10 },
    {},
    "Codex does not report what its calls use: MAX_COST_USD and MAX_TOKENS cannot end this run. Bound it by MAX_ITERATIONS, MAX_TIME, STOP_AT instead.",
  ],
  [
    { MAX_TOKENS_PER_HOUR: 10 },
    { cost_usd: 1 },
    "Codex does not report what its calls use: MAX_TOKENS_PER_HOUR cannot end this run. Bound it by MAX_ITERATIONS, MAX_COST_USD, MAX_TIME, STOP_AT instead.",
  ],
  [
    { MAX_COST_USD: 10 },
    { ...tokens, estimated_usd: 0.4 },
    "Codex does not report what its calls cost: MAX_COST_USD cannot end this run. Bound it by MAX_ITERATIONS, MAX_TOKENS, MAX_TIME, STOP_AT, or count estimates with --estimate-cost.",
  ],
  [
    { MAX_COST_USD: 10, MAX_TOKENS: 10, MAX_ITERATIONS: 5 },
    { ...tokens, estimated_usd: 0.4 },
    "Codex does not report what its calls cost: MAX_COST_USD cannot end this run; MAX_ITERATIONS and MAX_TOKENS can. Bound it by MAX_TIME, STOP_AT, or count estimates with --estimate-cost.",
  ],
  [
    { MAX_COST_USD: 10, MAX_TOKENS: 10, MAX_ITERATIONS: 5, MAX_TIME: 60, STOP_AT: "07:00" },
    { ...tokens, estimated_usd: 0.4 },
    "Codex does not report what its calls cost: MAX_COST_USD cannot end this run; MAX_ITERATIONS and MAX_TOKENS and MAX_TIME and STOP_AT can. To bound it, count estimates with --estimate-cost.",
  ],
  [
    { MAX_COST_USD: 10, MAX_ITERATIONS: 5, MAX_TIME: 60, STOP_AT: "07:00" },
    {},
    "Codex does not report what its calls cost: MAX_COST_USD cannot end this run; MAX_ITERATIONS and MAX_TIME and STOP_AT can.",
  ],
  [{ MAX_COST_USD: 10, ESTIMATE_COST: true }, { ...tokens, estimated_usd: 0.4 }, null],
])("the unenforceable limits of %j after an answer that used %j", (settings, usage, warning) => {
  const last = recordOf({}, { usage: { ...noUsage(), ...usage } });
  expect(describeUnenforceableLimits(stateOf({ last }), settingsOf(settings), "Codex")).toBe(warning);
});

test("no limit counts as unenforceable after a failed call, or before the first", () => {
  const settings = settingsOf({ MAX_COST_USD: 1 });
  expect(describeUnenforceableLimits(stateOf({ last: null }), settings, "Codex")).toBeNull();
  expect(
    describeUnenforceableLimits(stateOf({ last: recordOf({}, { outcome: "failed" }) }), settings, "Codex"),
  ).toBeNull();
});
