import { gateCommands } from "../decide/gate-rules.ts";
import type { FrozenGates, WeakenedGates } from "../gates/gate-trust.ts";
import type { TestCounts } from "../gates/test-counts.ts";
import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";

/** The document of `ralph gates --json` (interfaces.md). */
export type GateReport = {
  gates: {
    command: string;
    /** The newest result; null if it did not run. */
    ok: boolean | null;
    iteration: number | null;
    /** It is green, but does not count. */
    weakened: boolean;
    tests: TestCounts | null;
    flakes: number;
  }[];
  /** The number of hidden gates, and where their output is. */
  hidden: { gates: number; output: string | null };
  frozen: FrozenGates | null;
  /** Gate files that differ from the frozen ones now; null without any frozen. */
  changed: string[] | null;
  weakened: WeakenedGates | null;
  /** The check that is found in the project. */
  found: string | null;
};

export function gateReport(
  { gate_trust }: Pick<State, "gate_trust">,
  settings: Pick<Settings, "TEST_COMMAND" | "QUALITY_GATES" | "HIDDEN_GATES">,
  facts: { changed: string[] | null; found: string | null; hiddenOutput: string | null },
): GateReport {
  const { history, weakened, frozen } = gate_trust;
  const gates = gateCommands(settings).map((command) => {
    const known = history[command];
    return {
      command,
      ok: known?.ok ?? null,
      iteration: known?.iteration ?? null,
      weakened: weakened?.commands.includes(command) === true,
      tests: known?.counts ?? null,
      flakes: known?.flakes ?? 0,
    };
  });
  return {
    gates,
    hidden: { gates: settings.HIDDEN_GATES.length, output: facts.hiddenOutput },
    frozen,
    changed: facts.changed,
    weakened,
    found: facts.found,
  };
}
