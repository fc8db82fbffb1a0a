import type { Settings } from "../../src/core/settings/settings.ts";
import type { StopReason } from "../../src/core/stop/stop-reasons.ts";
import { loop } from "../../src/run/jobs/loop.ts";
import { createAgent, newMemory, oracle } from "./agent.ts";
import type { Persona } from "./persona.ts";
import { type GateKind, isTrulyDone, newProject, type ProjectShape } from "./project.ts";
import { simulatedWorld } from "./world.ts";

export type TrialSpec = {
  persona: Persona;
  shape: ProjectShape;
  gate: GateKind;
  hasPlan: boolean;
  settings: Partial<Settings>;
};

/** How a run ended, beside what a loop that sees the truth needed with the same luck. */
export type Trial = {
  reason: StopReason;
  exitCode: number;
  iterations: number;
  calls: number;
  /** In USD. */
  cost: number;
  /** Calls that were made although an earlier one was told when the provider's limit ends. */
  callsInLimit: number;
  /** Time that passed in calls that had stopped to do anything, in milliseconds. */
  stalledMs: number;
  /** Such calls. */
  stalls: number;
  trulyDone: boolean;
  /** It said done, and it was not. */
  falseDone: boolean;
  /** It gave up for a reason other than a bound or a gate that was really bent, and the truth was within reach. */
  falseStop: boolean;
  oracle: { done: boolean; calls: number; cost: number };
};

/** A bound that is far from what a project of this size needs. */
const mostCallsFor = ({ tasks }: ProjectShape) => Math.max(100, 4 * tasks);
/** The oracle takes the best of these: after how many calls a conversation begins anew. */
const RENEWALS = [1, 2, 3, 4, 6, 1000] as const;
const BOUND_EXIT = 4;

/** One run of the loop with a simulated agent. */
export async function trial(seed: string, { persona, shape, gate, hasPlan, settings }: TrialSpec): Promise<Trial> {
  const project = newProject(seed, shape);
  const gateFiles = new Map(project.files);
  const memory = newMemory(project);
  const { run, spent, looks, stalledMs, stalls } = simulatedWorld({
    project,
    agent: createAgent(project, persona, memory),
    gateFlakes: persona.gateFlakes,
    gate,
    hasPlan,
    settings: { ...settings, MAX_ITERATIONS: settings.MAX_ITERATIONS ?? mostCallsFor(shape) },
  });
  const end = await run(loop);
  const trulyDone = isTrulyDone(project);
  const best = bestOracle(seed, persona, shape);
  const saysDone = end.exit_code === 0;
  const isBent = [...gateFiles].some(([path, text]) => project.files.get(path) !== text);
  return {
    reason: end.stop_reason,
    exitCode: end.exit_code,
    iterations: end.iterations,
    calls: memory.calls + looks(),
    cost: spent(),
    callsInLimit: memory.callsInLimit,
    stalledMs: stalledMs(),
    stalls: stalls(),
    trulyDone,
    falseDone: saysDone && !trulyDone,
    falseStop:
      !saysDone && end.exit_code !== BOUND_EXIT && best.done && !(end.stop_reason === "gate_weakened" && isBent),
    oracle: best,
  };
}

/** The cheapest of the loops that see the truth. */
export function bestOracle(seed: string, persona: Persona, shape: ProjectShape): Trial["oracle"] {
  const tries = RENEWALS.map((renewEvery) => {
    const project = newProject(seed, shape);
    return oracle(project, createAgent(project, persona), { renewEvery, mostCalls: mostCallsFor(shape) });
  });
  return tries.reduce((best, one) => (rank(one) < rank(best) ? one : best));
}

/** Money, if it got there. */
function rank({ done, cost }: Trial["oracle"]): number {
  return done ? cost : cost + 1e6;
}
