import { aboutTask } from "../../core/needs/questions.ts";
import { settle } from "./plan-and-claims.ts";
import type { Seen, Swarm } from "./swarm-context.ts";

/** Asks a person about each task that is set aside, and gives it back to a worker with the answer. */
export async function bringBack(at: Swarm, claims: Seen["claims"]): Promise<void> {
  const { run, options } = at;
  for (const [task, { id, claim }] of claims) {
    if (claim.state !== "parked") continue;
    const { inbox, said } = run.state();
    const isAsked = inbox.open.some((question) => question.task === claim.text);
    const answer = said.findLast(({ text }) => text.includes(aboutTask(claim.text)))?.text;
    if (isAsked) continue;
    if (answer === undefined) {
      const worker = options.yard.workers.find((one) => one.id === claim.worker.name);
      const question = (worker === undefined ? null : options.yard.newest(worker))?.inbox.open.find(
        (one) => one.task === claim.text,
      );
      run.append({
        type: "question_asked",
        kind: question?.kind ?? "blocked",
        task: claim.text,
        text: question?.text ?? claim.why,
        parked: true,
      });
    } else if (await settle(at, task, id, { ...claim, state: "returned", why: "answered", message: answer, tries: 0 }))
      run.append({ type: "answer_passed_on", task, text: claim.text });
  }
}
