import type { Command } from "../../driver.ts";
import type { Analysis } from "../answer/analysis-types.ts";
import type { EventOf } from "../journal/event.ts";
import { type PlanCounts, planComplete } from "../plan/fix-plan.ts";
import type { Settings } from "../settings/settings.ts";
import type { CompletionSignals, GateResult } from "./completion.ts";

/** How a gate ended, with the end of what it printed. */
export type GateRecord = GateResult & { exit_code: number | null; timed_out: boolean; tail: string };

export type GateSettings = Pick<
  Settings,
  "TEST_COMMAND" | "QUALITY_GATES" | "QUALITY_GATE_ON_COMPLETION_ONLY" | "MAX_CONSECUTIVE_TEST_LOOPS"
>;

/** What of an answered iteration asks for the gates. */
export type GateContext = {
  analysis: Pick<Analysis, "has_completion_signal" | "is_test_only">;
  plan: PlanCounts | null;
  /** The signals before this iteration. */
  signals: Pick<CompletionSignals, "test_only_loops">;
};

/** The commands in the order in which they run: the tests first; one that is named twice runs once. */
export function gateCommands({
  TEST_COMMAND,
  QUALITY_GATES,
}: Pick<GateSettings, "TEST_COMMAND" | "QUALITY_GATES">): string[] {
  const all = [TEST_COMMAND ?? "", ...QUALITY_GATES].map((command) => command.trim());
  return [...new Set(all)].filter((command) => command !== "");
}

/**
 * Whether the gates run after an answered iteration (product.md "Gates"). With QUALITY_GATE_ON_COMPLETION_ONLY: on
 * whatever could end the run as done, which is a claim, a complete plan, or the last test-only iteration that is allowed.
 */
export function gatesDue(settings: GateSettings, { analysis, plan, signals }: GateContext): boolean {
  if (gateCommands(settings).length === 0) return false;
  if (!settings.QUALITY_GATE_ON_COMPLETION_ONLY) return true;
  const saturated = analysis.is_test_only && signals.test_only_loops.length + 1 >= settings.MAX_CONSECUTIVE_TEST_LOOPS;
  return analysis.has_completion_signal || planComplete(plan) || saturated;
}

/** Holds a gate's command on Windows, where cmd.exe puts it into its own command line. */
const VARIABLE = "RALPH_GATE";

/**
 * A gate's command for the platform's shell. On Windows it goes by the environment: every way to quote it as an argument
 * is undone in another way by cmd.exe, while a variable's value is read as it stands.
 */
export function shellCommand(command: string, platform: NodeJS.Platform): Command {
  if (platform === "win32")
    return { argv: ["cmd.exe", "/d", "/s", "/c", `%${VARIABLE}%`], env: { [VARIABLE]: withBackslashes(command) } };
  return { argv: ["sh", "-c", command] };
}

/** A path where a program is named; what stands in quotes is passed over. */
const PROGRAM_PATH = /"[^"]*"|(?:^|[&|(])\s*[\w.-]+(?:\/[\w.-]+)+/g;

/** `./gradlew test`, as other systems know it: cmd.exe takes what stands behind the slash of a program's path for a flag. */
function withBackslashes(command: string): string {
  return command.replace(PROGRAM_PATH, (found) => (found.startsWith('"') ? found : found.replaceAll("/", "\\")));
}

/** How a gate's program ended. */
type GateEnd = Pick<GateRecord, "exit_code" | "timed_out">;

/** One that ran out of time has not passed, even if it answers to being ended with exit code 0. */
export function gatePassed({ exit_code, timed_out }: GateEnd): boolean {
  return exit_code === 0 && !timed_out;
}

/** What is kept of a gate that ended. */
export function gateRecord(event: EventOf<"gate_finished">): GateRecord {
  const { command, exit_code, timed_out, output, tail } = event;
  return { command, ok: gatePassed(event), exit_code, timed_out, tail: tail ?? output };
}

/** How a red gate ended, in words. */
export function describeGateExit({ exit_code, timed_out }: GateEnd): string {
  if (timed_out) return "ran out of time";
  return exit_code === null ? "could not be run to its end" : `failed with exit code ${exit_code}`;
}
