import { BACK, type Gone, LEFT } from "./asker.ts";

/** One question of several: what it adds to the answers so far. */
export type Step<Answers> = {
  id: string;
  /** Whether there is nothing to ask, by the answers so far. */
  skip?(answers: Answers): boolean;
  ask(answers: Answers): Promise<Answers | Gone>;
};

/**
 * Asks one step after the other. Back leads to the step that was asked before, with the answers of that time; back at the first
 * asks it again.
 */
export async function askSteps<Answers>(
  steps: readonly Step<Answers>[],
  begin: Answers,
): Promise<Answers | typeof LEFT> {
  const trail: { at: number; answers: Answers }[] = [];
  let now = { at: 0, answers: begin };
  for (;;) {
    const step = steps[now.at];
    if (step === undefined) return now.answers;
    if (step.skip?.(now.answers) === true) {
      now = { ...now, at: now.at + 1 };
      continue;
    }
    const answers = await step.ask(now.answers);
    if (answers === LEFT) return LEFT;
    if (answers === BACK) {
      now = trail.pop() ?? now;
      continue;
    }
    trail.push(now);
    now = { at: now.at + 1, answers };
  }
}
