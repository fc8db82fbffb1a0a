import type { Cell } from "../beside/compare.ts";
import type { End } from "../beside/run-loop.ts";
import { PERSONAS } from "../persona.ts";
import { USUAL } from "../policies.ts";
import { trial } from "../trial.ts";
import { specOf } from "../virtual/matrix.ts";

/** How many runs of the program itself ended as the same run in virtual time did. */
export type Agreement = { runs: number; same: number; others: string[] };

/** Runs the loop in virtual time with the seeds that the program ran, and compares ends, calls, truth and money. */
export async function agreementOf(cells: readonly Cell[]): Promise<Agreement> {
  const found: Agreement = { runs: 0, same: 0, others: [] };
  for (const { persona, tasks, gap, rows } of cells) {
    const spec = specOf(PERSONAS[persona], USUAL, { tasks, gap });
    const ours = rows.find(({ loop }) => loop === USUAL.name);
    for (const end of ours?.ends ?? []) {
      const virtual = await trial(end.seed, { ...spec, settings: { ...spec.settings, MAX_ITERATIONS: 40 } });
      found.runs += 1;
      const isSame = sameEnd(end, virtual);
      if (isSame) found.same += 1;
      else
        found.others.push(
          `${persona} ${end.seed}: ${told(end)}; in virtual time ${told({ ...virtual, saidDone: virtual.exitCode === 0 })}`,
        );
    }
  }
  return found;
}

type Told = Pick<End, "saidDone" | "trulyDone" | "calls" | "cost">;

function sameEnd(end: Told, { exitCode, trulyDone, calls, cost }: Awaited<ReturnType<typeof trial>>): boolean {
  const said = exitCode === 0;
  return (
    said === end.saidDone && trulyDone === end.trulyDone && calls === end.calls && Math.abs(cost - end.cost) < 1e-6
  );
}

function told({ saidDone, trulyDone, calls, cost }: Told): string {
  return `${saidDone ? "done" : "stopped"}, ${trulyDone ? "right" : "wrong"}, ${calls} calls, $${cost.toFixed(3)}`;
}
