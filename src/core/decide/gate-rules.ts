import type { Analysis } from "../answer/analysis-types.ts";
import type { EventOf } from "../journal/event.ts";
import { type PlanCounts, planComplete } from "../plan/fix-plan.ts";
import type { Settings } from "../settings/settings.ts";
import { endingTestLoops } from "../stop/test-loops.ts";
import type { CompletionSignals } from "./completion-signals.ts";

/** The result of a quality gate. */
export type GateResult = {
  command: string;
  ok: boolean;
  /** It is green, but proves less than it did, and so does not count. */
  weakened?: true;
  /** It is green, but ran no test, and so proves nothing. */
  no_tests?: true;
  /** The number and the requirement of a hidden gate. */
  hidden?: { number: number; requirement: string | null };
  /** What is missing where it is red, if a look at finished work named it as a gap. */
  gap?: string;
  /** That was in an earlier run. */
  unrun?: true;
};

/** The result of a gate, with the end of its output. */
export type GateRecord = GateResult & {
  exit_code: number | null;
  timed_out: boolean;
  tail: string;
  /** Lines that name what failed, where the output has any. */
  failing?: readonly string[];
};

export type GateSettings = Pick<
  Settings,
  "TEST_COMMAND" | "QUALITY_GATES" | "HIDDEN_GATES" | "QUALITY_GATE_ON_COMPLETION_ONLY" | "MAX_CONSECUTIVE_TEST_LOOPS"
>;

/** The parts of an answered iteration that decide whether the gates run. */
export type GateContext = {
  analysis: Pick<Analysis, "has_completion_signal" | "is_test_only">;
  plan: PlanCounts | null;
  /** The signals before this iteration. */
  signals: Pick<CompletionSignals, "test_only_loops">;
  /** Answers in a row that changed nothing and were denied nothing, this one included. */
  quiet: number;
  /** It changed nothing, and green gates could prove that nothing is left to do. */
  couldProve: boolean;
};

/** The commands in their order: the tests first; a repeated command runs once. */
export function gateCommands({
  TEST_COMMAND,
  QUALITY_GATES,
}: Pick<GateSettings, "TEST_COMMAND" | "QUALITY_GATES">): string[] {
  const all = [TEST_COMMAND ?? "", ...QUALITY_GATES].map((command) => command.trim());
  return [...new Set(all)].filter((command) => command !== "");
}

/** Whether anything checks "done", hidden gates included. */
export function hasGates(settings: Pick<GateSettings, "TEST_COMMAND" | "QUALITY_GATES" | "HIDDEN_GATES">): boolean {
  return settings.HIDDEN_GATES.length > 0 || gateCommands(settings).length > 0;
}

/**
 * Whether gates run after an answered iteration (product.md "Gates"): all where it could end the run as done, else the visible
 * ones, unless QUALITY_GATE_ON_COMPLETION_ONLY.
 */
export function gatesDue(settings: GateSettings, couldEnd: boolean): boolean {
  if (couldEnd) return hasGates(settings);
  return gateCommands(settings).length > 0 && !settings.QUALITY_GATE_ON_COMPLETION_ONLY;
}

/**
 * Whether the gates could decide alone: the answer could end the run as done, and under `evidence` nothing else stands against it.
 * Without visible gates hidden ones run on every claim: some result must stand there.
 */
export function gatesDecide(
  settings: Pick<Settings, "DONE_POLICY" | "TEST_COMMAND" | "QUALITY_GATES">,
  { analysis, plan }: { analysis: Pick<Analysis, "tests_status">; plan: PlanCounts | null },
): boolean {
  if (settings.DONE_POLICY !== "evidence" || gateCommands(settings).length === 0) return true;
  return (plan?.blocking_unchecked ?? 0) === 0 && analysis.tests_status !== "FAILING";
}

/**
 * Whether an answer could end the run as done: a claim, a complete plan, the last allowed test-only iteration, or an agent that has
 * nothing left to do.
 */
export function couldEnd(
  settings: Pick<Settings, "MAX_CONSECUTIVE_TEST_LOOPS" | "DONE_POLICY">,
  { analysis, plan, signals, couldProve, quiet }: GateContext,
): boolean {
  const loops = endingTestLoops(signals.test_only_loops.length + 1, quiet, settings.DONE_POLICY);
  const saturated = analysis.is_test_only && loops >= settings.MAX_CONSECUTIVE_TEST_LOOPS;
  return analysis.has_completion_signal || planComplete(plan) || saturated || couldProve;
}

/** The end of a gate's program. */
export type GateEnd = Pick<GateRecord, "exit_code" | "timed_out">;

/** A gate that ran out of time did not pass, even if it ends with exit code 0. */
export function gatePassed({ exit_code, timed_out }: GateEnd): boolean {
  return exit_code === 0 && !timed_out;
}

/** The record of a finished gate. */
export function gateRecord(event: EventOf<"gate_finished">): GateRecord {
  const { command, exit_code, timed_out, output, tail, failing, hidden, no_tests } = event;
  const ok = { command, ok: gatePassed(event), ...(no_tests === undefined ? {} : { no_tests }) };
  const end = { ...ok, exit_code, timed_out, tail: tail ?? output };
  const result = failing === undefined ? end : { ...end, failing };
  return hidden === undefined ? result : { ...result, hidden };
}

/** The results with a newer one of the same gate in the old one's place. */
export function withGate(gates: readonly GateRecord[], gate: GateRecord): GateRecord[] {
  return [...gates.filter(({ command }) => command !== gate.command), gate];
}

/** What stands for the command of a hidden gate, which the agent must not see; `number` counts from 1. */
export function hiddenGateName(number: number): string {
  return `hidden gate ${number}`;
}

/** Whether the gates say anything: all are green, and not every one of them ran no test. */
export function gatesProve(gates: readonly GateResult[]): boolean {
  return gates.every(({ ok }) => ok) && gates.some(({ no_tests }) => no_tests !== true);
}

/** The gates that a look named and that are still red. */
export function openGaps<Gate extends GateResult>(gates: readonly Gate[]): Gate[] {
  return gates.filter(({ ok, gap }) => !ok && gap !== undefined);
}

/** How a red gate ended, in words. */
export function describeGateExit({ exit_code, timed_out }: GateEnd): string {
  if (timed_out) return "ran out of time";
  return exit_code === null ? "could not be run to its end" : `failed with exit code ${exit_code}`;
}
