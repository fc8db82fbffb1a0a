import type { Analysis } from "../../src/core/answer/analysis-types.ts";
import type { CompletionSignals } from "../../src/core/decide/completion-signals.ts";
import { decide } from "../../src/core/decide/decide.ts";
import { parsePlan } from "../../src/core/plan/fix-plan.ts";
import type { Settings } from "../../src/core/settings/settings.ts";
import { NOON, recordOf, settingsOf, stateOf } from "../core/given.ts";
import { judge } from "./cases.ts";

type Setup = {
  signals: CompletionSignals;
  analysis: Partial<Analysis> | null;
  plan: string | null;
  settings: Partial<Settings>;
};

judge<Setup>("exit", ({ signals, analysis, plan, settings: given }) => {
  const settings = settingsOf(given);
  const state = stateOf({
    signals,
    iteration: 5,
    last: analysis === null ? null : recordOf(analysis),
    plan: plan === null ? null : parsePlan(plan, settings.OPTIONAL_SECTIONS).counts,
  });
  const decision = decide(state, settings, NOON);
  return { stop_reason: decision.do === "stop" ? decision.reason : null };
});
