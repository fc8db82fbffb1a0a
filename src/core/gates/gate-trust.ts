import { gatePassed } from "../decide/gate-rules.ts";
import type { EventOf } from "../journal/event.ts";
import type { WeakerReason } from "./compare.ts";
import { fewerTests, type TestCounts } from "./test-counts.ts";

/** The gate files as a run keeps them: their number, and the SHA-256 of the file beside the journal that holds them. */
export type FrozenGates = { run: string; digest: string; files: number };

/**
 * How that was found out: the gate as it was is red on this tree; nothing but the words of the change says it, because the
 * project does not run in a copy; or fewer tests ran than before.
 */
export type WeakerEvidence = "frozen_gate_is_red" | "words" | "fewer_tests";

export type WeakenedGates = Pick<EventOf<"gate_weakened">, "commands" | "evidence" | "reasons" | "diff"> & {
  iteration: number;
};

/** What is known of one gate, by its command. */
export type GateHistory = {
  /** Its newest result. */
  ok: boolean;
  iteration: number;
  /** The tests that it counted when it was last green; null if it prints no count. */
  counts: TestCounts | null;
  /** The most that it counted. */
  most: TestCounts | null;
  /** How often it was red, and green on the same tree. */
  flakes: number;
};

/** Whether the gates can still be believed (product.md "Gates that hold"). */
export type GateTrust = {
  /** Null without gates, and where the next run begins with what is there. */
  frozen: FrozenGates | null;
  /** What the newest judgement found; null while the gates hold. */
  weakened: WeakenedGates | null;
  /** Answers in a row that could have ended the run as done, had the gates not been weaker. */
  claims: number;
  /** How often a person accepted weaker gates in this run. */
  accepted: number;
  history: Readonly<Record<string, GateHistory>>;
  /** The check that could decide in a run in which none does; null for none known. */
  check: string | null;
};

/** The trust at the start of a project. */
export function untestedGates(): GateTrust {
  return { frozen: null, weakened: null, claims: 0, accepted: 0, history: {}, check: null };
}

/**
 * The trust that a new run starts with. Work that is not done is judged by the gates with which it began, or else each new run
 * would make the weaker ones its measure.
 */
export function carriedTrust({ frozen }: GateTrust, isDone: boolean): GateTrust {
  return { ...untestedGates(), frozen: isDone ? null : frozen };
}

/** The trust after the result of a gate. */
export function recordGate(trust: GateTrust, event: EventOf<"gate_finished">): GateTrust {
  const before = trust.history[event.command];
  const ok = gatePassed(event);
  const counts = (ok ? event.counts : null) ?? before?.counts ?? null;
  const entry: GateHistory = {
    ok,
    iteration: event.iteration,
    counts,
    most: mostTests(before?.most ?? null, counts),
    flakes: (before?.flakes ?? 0) + (isFlake(event) ? 1 : 0),
  };
  return { ...trust, history: { ...trust.history, [event.command]: entry } };
}

/** The trust after the gates were found weaker. */
export function recordWeakened(trust: GateTrust, event: EventOf<"gate_weakened">): GateTrust {
  const { commands, evidence, reasons, diff, iteration } = event;
  return { ...trust, weakened: { commands, evidence, reasons, diff, iteration } };
}

/** A person wants the gates as they are: they are the measure from now on. */
export function acceptGates(trust: GateTrust): GateTrust {
  const history = Object.fromEntries(
    Object.entries(trust.history).map(([command, entry]) => [command, { ...entry, most: entry.counts }]),
  );
  return { ...trust, frozen: null, weakened: null, claims: 0, accepted: trust.accepted + 1, history };
}

/** The trust after an answer. @param gates that ran after it, as they count for "done" */
export function trustAfterAnswer(trust: GateTrust, gates: readonly { weakened?: true }[]): GateTrust {
  return gates.some(({ weakened }) => weakened) ? { ...trust, claims: trust.claims + 1 } : trust;
}

/** A sentence for each gate that is green but counted fewer tests than it did before, by its command. */
export function missingTests({ history }: GateTrust, commands: readonly string[]): WeakerReason[] {
  return commands.flatMap((command) => {
    const { counts = null, most = null } = history[command] ?? {};
    const what = counts === null || most === null ? null : fewerTests(most, counts);
    return what === null ? [] : [{ path: command, line: null, what }];
  });
}

/** Whether a gate was red and, run again on the same tree, green. */
export function isFlake(event: Pick<EventOf<"gate_finished">, "exit_code" | "timed_out" | "first_run">): boolean {
  return event.first_run !== undefined && gatePassed(event);
}

/** The flakes of all gates of a run. */
export function flakeCount({ history }: GateTrust): number {
  return Object.values(history).reduce((sum, { flakes }) => sum + flakes, 0);
}

function mostTests(before: TestCounts | null, now: TestCounts | null): TestCounts | null {
  if (before === null || now === null) return now ?? before;
  return fewerTests(before, now) === null ? now : before;
}
