import { PERSONAS, type Persona, type PersonaName } from "../persona.ts";
import { bestOracle } from "../trial.ts";
import type { Cell, Row } from "./compare.ts";
import { LOOPS, type Loop } from "./loops.ts";
import { isThere, type Places, runLoop } from "./run-loop.ts";

export type Beside = {
  persona: PersonaName;
  tasks: number;
  /** Share of the tasks whose faults the gate misses. */
  gap: number;
  runs: number;
  /** Runs of a loop that needs more than 30 seconds for one, and of the same loop with another CLI. */
  slowRuns: number;
  places: Places;
  /** Only loops whose name contains this. */
  only: string | null;
};

const SLOW_S = 30;
export const FLAWLESS: Persona = {
  ...PERSONAS.strong,
  wrong: 0,
  idle: 0,
  earlyClaim: 0,
  regresses: 0,
  asks: 0,
  crashes: 0,
};
/** Looks around each time, changes nothing and claims nothing. */
const HOPELESS: Persona = { ...FLAWLESS, idle: 1, idleStays: 1, idleEndsFresh: 0 };

/**
 * Runs each loop that is there with the same agent, the same seeds and so the same luck; two at a time.
 * @param say told one line a finished loop
 */
export async function beside({ only, ...given }: Beside, say: (line: string) => void): Promise<Cell> {
  const { persona, tasks, gap, places } = given;
  const chosen = LOOPS.filter((loop) => only === null || loop.name.includes(only));
  const there = chosen.filter((loop) => isThere(loop, places.peers));
  for (const { name, from, entry } of chosen)
    if (!there.some((loop) => loop.name === name)) say(`${name}: ${entry ?? "its program"} is not there; ${from?.get}`);
  const rows = await twoAtATime(there, async (loop) => {
    const row = await rowOf(loop, given);
    say(`${loop.name}: ${row.why ?? `${row.ends.length} runs`}`);
    return row;
  });
  return { kind: "beside", persona, tasks, gap, rows };
}

async function rowOf(loop: Loop, { persona, tasks, gap, runs, slowRuns, places }: Omit<Beside, "only">): Promise<Row> {
  const row: Row = { loop: loop.name, isPeer: loop.from !== null, passed: false, why: null, ends: [], oracles: [] };
  const check = { loop, shape: { tasks, gap: 0 }, seed: "check" };
  const right = await runLoop({ ...check, persona: FLAWLESS }, places);
  if (!right.saidDone || !right.trulyDone)
    return { ...row, why: `an agent that is always right does not end as done: ${right.tail.slice(-200)}` };
  const never = await runLoop({ ...check, persona: HOPELESS }, places);
  if (never.saidDone) return { ...row, why: "an agent that does nothing and claims nothing ends as done" };
  const most = right.seconds > SLOW_S || loop.isVariant === true ? slowRuns : runs;
  for (let seed = 1; seed <= most; seed += 1) {
    row.ends.push(await runLoop({ loop, persona: PERSONAS[persona], shape: { tasks, gap }, seed: `${seed}` }, places));
    row.oracles.push(bestOracle(`${seed}`, PERSONAS[persona], { tasks, gap }));
  }
  return { ...row, passed: true };
}

/** The results in the order of the items. */
export async function twoAtATime<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const left = [...items.entries()];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results[next[0]] = await work(next[1]);
  };
  await Promise.all([worker(), worker()]);
  return results;
}
