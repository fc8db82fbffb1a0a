import { RalphError } from "../../core/errors.ts";
import type { State } from "../../core/journal/state.ts";
import { ANSWER_MAX_CHARS } from "../../core/needs/questions.ts";
import { noQuestionText } from "../../view/live/control-reply.ts";
import { wordsForPrompt } from "../args/words-for-prompt.ts";
import type { CommandContext } from "../context.ts";
import type { InboxAnswerArgs } from "../definitions/inbox.ts";
import { projectState } from "../project-state.ts";
import { recordInNewestRun } from "../reset.ts";
import { nextRun } from "../run/go-on.ts";
import { tellOrKeep } from "../run/send-control.ts";

/**
 * `ralph inbox answer N TEXT`: a live run takes the answer into its next prompt; without one it is recorded for the next run.
 * @throws RalphError `usage` for no number, no words or too many; `environment` if no such question is open, or an agent answers
 */
export async function run(context: CommandContext<InboxAnswerArgs>): Promise<number> {
  const number = questionNumber(context.args.number);
  const none = { message: "The answer is empty.", hint: 'As in: ralph inbox answer 2 "Take SQLite"' };
  const text = wordsForPrompt(context.args.text, ANSWER_MAX_CHARS, none);
  return tellOrKeep(context, { command: "answer", number, text }, async () => {
    const { state } = await projectState(context.projectDir);
    if (!isOpen(state, number)) throw notOpen(number);
    // Somebody else may have answered since.
    const isTaken = await recordInNewestRun(context, async ({ state: stateNow, append }) => {
      if (!isOpen(stateNow(), number)) return false;
      append({ type: "question_answered", number, text });
      return true;
    });
    if (!isTaken) throw notOpen(number);
    if (!context.args.quiet) context.stdout(`Answered: it goes into the next prompt. Go on with: ${nextRun(state)}\n`);
  });
}

function isOpen({ inbox }: Pick<State, "inbox">, number: number): boolean {
  return inbox.open.some((question) => question.number === number);
}

function notOpen(number: number): RalphError {
  return new RalphError("environment", noQuestionText(number), { hint: "See what is open with: ralph inbox" });
}

function questionNumber(word: string): number {
  const number = /^\d{1,9}$/.test(word) ? Number(word) : 0;
  if (number > 0) return number;
  throw new RalphError("usage", `${word} is no number of a question.`, { hint: "See them with: ralph inbox" });
}
