import { type Trial, type TrialSpec, trial } from "./trial.ts";

/** Runs with the seeds 1 to `runs`, one after the other. */
export async function trials(spec: TrialSpec, runs: number): Promise<Trial[]> {
  const done: Trial[] = [];
  for (let seed = 1; seed <= runs; seed += 1) done.push(await trial(`${seed}`, spec));
  return done;
}
