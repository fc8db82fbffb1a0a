import { hunt } from "../../tests/drivers/recordings/mutants.ts";

/** Mutates the recorded outputs of all agents, prints false verdicts, and gives the exit code. */
export function mutateRecordings(count: number, seed: number): number {
  const { mutants, byMutation, found } = hunt(count, seed);
  for (const [name, made] of Object.entries(byMutation).sort()) console.log(`${String(made).padStart(7)}  ${name}`);
  for (const { text: _, ...what } of found.slice(0, 20)) console.log(JSON.stringify(what));
  console.log(`${mutants} mutants with seed ${seed}: ${found.length} false verdicts`);
  return found.length === 0 ? 0 : 1;
}
