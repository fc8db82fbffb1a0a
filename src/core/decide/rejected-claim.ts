import type { State } from "../journal/state.ts";
import type { ParsedPlan } from "../plan/fix-plan.ts";
import type { StopReason } from "../stop/stop-reasons.ts";
import { firstNames } from "../text/first-names.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";
import { type CompletionSettings, policyObjections } from "./completion.ts";

const MOST_BOXES = 3;
const BOX_CHARS = 80;
const CHARS = 600;

/**
 * The last sentence of a run that ended because of rejected claims: what is missing, to save the user a search. Empty
 * for every other end.
 * @param plan in its current state
 */
export function describeMissing(
  reason: StopReason,
  { last, gates }: Pick<State, "last" | "gates">,
  settings: CompletionSettings,
  plan: ParsedPlan | null,
): string {
  if (reason !== "completion_disputed" && reason !== "safety_circuit_breaker") return "";
  const redTests = last?.analysis.tests_status === "FAILING";
  const missing = policyObjections({ plan: plan?.counts ?? null, gates, redTests }, settings);
  if (missing.length === 0) return "";
  const objections = missing.map((one) => lowerFirst(one.replace(/\.$/, "")) + boxes(one, plan));
  return truncate(` What is missing: ${objections.join("; ")}`, CHARS).replace(/\.?$/, ".");
}

/** The first open boxes, to follow the objection that counts them. */
function boxes(objection: string, plan: ParsedPlan | null): string {
  if (!/^\d+ box/.test(objection)) return "";
  const open = (plan?.tasks ?? []).filter((task) => !task.optional);
  const named = open.map((task) => `"${truncate(singleLine(task.text), BOX_CHARS)}"`);
  return `: ${firstNames(named, MOST_BOXES)}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
