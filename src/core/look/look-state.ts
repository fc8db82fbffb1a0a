import { type GateRecord, openGaps } from "../decide/gate-rules.ts";
import type { EventOf, Evidence } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { STOP_REASONS } from "../stop/stop-reasons.ts";
import type { Gap } from "./gap-block.ts";

/** The looks of strangers at the finished work of this run (product.md "A stranger's look"). */
export type LookState = {
  /** Number of the newest call of the newest iteration: a look's call has the next one. */
  call: number;
  /** This run, or one before it that was not done, changed something that could be looked at. */
  changed: boolean;
  /** Looks so far, with those that came to nothing. */
  made: number;
  /** Looks in a row that found no gap, and those in a row that came to nothing. */
  clean: number;
  failed: number;
  /** The newest one in a sentence. */
  sentence: string;
  /** The gaps that were named; the command of each is a gate from then on. */
  gaps: Gap[];
};

/** No look so far. */
export function noLooks(): LookState {
  return { call: 0, changed: false, made: 0, clean: 0, failed: 0, sentence: "", gaps: [] };
}

/** The state after a call was reserved, whatever it is for. */
export function countCall(looks: LookState, { purpose, call }: { purpose: string; call: number }): LookState {
  return { ...looks, call, made: purpose === "look" ? looks.made + 1 : looks.made };
}

/**
 * What a new run takes over from one that did not end as done: there is work to look at, and gaps that nobody closed; their
 * commands run anew before anything counts as done, if runs of this user named them and not the journal of a clone. A task of `ralph "TEXT"` is something else than the project's plan.
 */
export function carriedLooks(
  previous: State,
  next: { startedBy: string; wanted: number; isOwn(command: string): boolean },
): Pick<State, "looks" | "gates"> {
  const { finished, started_by, looks, gates } = previous;
  const isDone =
    finished !== null && finished.reason !== "import_complete" && STOP_REASONS[finished.reason].status === "completed";
  if (isDone || next.wanted === 0 || next.startedBy === "task" || started_by === "task")
    return { looks: noLooks(), gates: [] };
  const isOwn = ({ command }: { command: string }) => next.isOwn(command);
  const open = openGaps(gates).filter(isOwn);
  return {
    looks: { ...noLooks(), changed: looks.changed, gaps: looks.gaps.filter(isOwn) },
    gates: open.map((gate) => ({ ...gate, unrun: true })),
  };
}

/** The state after an iteration that broke off: whatever it left was not looked at. */
export function looksAfterBreak(looks: LookState): LookState {
  return { ...looks, changed: true, clean: 0 };
}

/** The state after an iteration: what it changed was not looked at. */
export function looksAfterIteration(looks: LookState, { progress }: Evidence): LookState {
  return progress ? { ...looks, changed: true, clean: 0, failed: 0 } : looks;
}

/** The state after a gap was named. */
export function addGap(looks: LookState, { command, why }: EventOf<"gap_named">): LookState {
  return { ...looks, gaps: [...looks.gaps.filter((gap) => gap.command !== command), { command, why }] };
}

/** The state after a look. One that met a limit is made again, and counts as none. */
export function looksAfterLook(looks: LookState, { result, sentence }: EventOf<"look_finished">): LookState {
  if (result === "limited") return { ...looks, sentence, made: looks.made - 1 };
  return {
    ...looks,
    sentence,
    clean: result === "none" ? looks.clean + 1 : result === "gap" ? 0 : looks.clean,
    failed: result === "failed" ? looks.failed + 1 : 0,
  };
}

/** The result of a gap's command as a gate; the other gates stay as they are. */
export function withGap(gate: GateRecord, { gaps }: LookState): GateRecord {
  const gap = gaps.find(({ command }) => command === gate.command);
  return gap === undefined ? gate : { ...gate, gap: gap.why };
}

/** The commands of all gaps of the run. */
export function gapCommands({ gaps }: LookState): string[] {
  return gaps.map(({ command }) => command);
}
