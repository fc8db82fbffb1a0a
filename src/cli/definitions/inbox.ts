import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS } from "./json-flag.ts";

export const INBOX_LIST = defineCommand({
  meta: { name: "inbox list", description: "what needs you, each with the command that answers it" },
  args: JSON_ARGS,
  examples: [["ralph inbox", "questions, denials, weaker gates: what needs you"]],
  load: () => import("../commands/inbox-list.ts"),
});

const INBOX_ANSWER_ARGS = {
  number: { type: "positional", valueHint: "N", required: true, description: "the number of the question" },
  text: { type: "positional", valueHint: "TEXT", required: true, repeat: true, description: "the answer" },
} as const satisfies Args;
export type InboxAnswerArgs = typeof INBOX_ANSWER_ARGS;

export const INBOX_ANSWER = defineCommand({
  meta: { name: "inbox answer", description: "answer a question: the next prompt has it, and its task comes back" },
  args: INBOX_ANSWER_ARGS,
  examples: [['ralph inbox answer 2 "Take SQLite"', "with a run live or not"]],
  load: () => import("../commands/inbox-answer.ts"),
});

export const INBOX = defineGroup({
  meta: { name: "inbox", description: "what needs you: questions, denials, weaker gates; and answers" },
  subCommands: { list: INBOX_LIST, answer: INBOX_ANSWER },
  default: "list",
});
