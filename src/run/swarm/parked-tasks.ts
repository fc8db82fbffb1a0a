import type { TaskClaim } from "../../core/fleet/claim.ts";
import { aboutTask, taskNames } from "../../core/needs/questions.ts";
import { settle } from "./plan-and-claims.ts";
import type { Seen, Swarm } from "./swarm-context.ts";

type ParkedClaim = Extract<TaskClaim, { state: "parked" }>;

/** Asks a person about each task that is set aside, and gives it back to a worker with the answer. */
export async function bringBack(at: Swarm, { graph, claims }: Pick<Seen, "graph" | "claims">): Promise<void> {
  const { run } = at;
  for (const [task, { id, claim: held }] of claims) {
    if (held.state !== "parked") continue;
    // One that cannot be read does not say what its task is.
    const claim = { ...held, text: graph.tasks.find((one) => one.id === task)?.text ?? held.text };
    const { inbox, said } = run.state();
    if (inbox.open.some((question) => question.task === claim.text)) continue;
    const answer = said.findLast(({ text }) => text.includes(aboutTask(claim.text)))?.text;
    if (answer === undefined) ask(at, claim);
    else if (await settle(at, task, id, { ...claim, state: "returned", why: "answered", message: answer, tries: 0 }))
      run.append({ type: "answer_passed_on", task, text: claim.text });
  }
}

/** In the words of the run that set it aside, as long as that is its worker's last; without a run, or later, in the claim's. */
function ask({ run, options: { yard } }: Swarm, { worker, text: task, why }: ParkedClaim): void {
  const its = yard.workers.find((one) => one.id === worker.name);
  const newest = its === undefined ? null : yard.newest(its);
  const own = newest?.run === worker.run ? newest : null;
  const question = own?.inbox.open.find((one) => one.task !== null && taskNames([one.task]).has(task));
  const { kind, text } = question ?? { kind: "blocked" as const, text: why };
  run.append({ type: "question_asked", kind, task, text, parked: true });
}
