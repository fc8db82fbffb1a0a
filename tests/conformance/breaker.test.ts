import { SETTINGS, type SettingName, type Settings } from "../../src/core/settings/settings.ts";
import {
  breakerAtStart,
  breakerInput,
  type CircuitBreaker,
  closedBreaker,
  stepBreaker,
} from "../../src/core/stop/circuit-breaker.ts";
import { analysisOf, evidenceOf, MINUTE, NOON, settingsOf } from "../core/given.ts";
import { judge } from "./cases.ts";

type Step =
  | {
      op: "iteration";
      files_changed: number;
      errors: string[];
      output_length: number;
      claims: { has_completion_signal?: boolean; exit_signal?: boolean; files_modified?: number };
      has_permission_denials: boolean;
      asking_questions: boolean;
    }
  | { op: "age"; args: string[] }
  | { op: "init" | "reset" };

type Setup = { settings: Record<string, unknown>; steps: Step[] };

const words = { closed: "CLOSED", half_open: "HALF_OPEN", open: "OPEN" } as const;

judge<Setup>("breaker", ({ settings: given, steps }) => {
  const settings = settingsOf(typed(given));
  const trend: { output_length: number }[] = [];
  let breaker: CircuitBreaker = closedBreaker();
  let now = NOON;
  const states = steps.map((one, index) => {
    switch (one.op) {
      case "iteration": {
        const { errors, output_length, claims, has_permission_denials, asking_questions } = one;
        const analysis = analysisOf({ errors, output_length, has_permission_denials, asking_questions, ...claims });
        const outcome = breakerInput({
          outcome: "answered",
          call: "ok",
          error: null,
          analysis,
          evidence: evidenceOf({ progress: one.files_changed > 0 }),
          trend,
          settings,
        });
        trend.push({ output_length });
        breaker = stepBreaker(breaker, outcome, { thresholds: settings, number: index + 1, now });
        break;
      }
      case "age":
        now = (breaker.state === "open" ? breaker.since : now) + Number(one.args[0]) * MINUTE;
        break;
      case "init": {
        const start = { cooldownMinutes: settings.CB_COOLDOWN_MINUTES, autoReset: settings.CB_AUTO_RESET };
        breaker = breakerAtStart(breaker, start, now);
        break;
      }
      case "reset":
        breaker = closedBreaker();
        break;
    }
    return words[breaker.state];
  });
  return { states_after_each_step: states };
});

/** The settings of a case, some in the old environment's spelling. */
function typed(given: Record<string, unknown>): Partial<Settings> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const kind = SETTINGS[name as SettingName].kind;
      return [
        name,
        kind === "boolean" ? value === "true" || value === true : kind === "integer" ? Number(value) : value,
      ];
    }),
  );
}
