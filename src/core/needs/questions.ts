import type { EventOf } from "../journal/event.ts";
import type { UserMessage } from "../prompt/user-messages.ts";
import { type SettingValues, STOP_REASONS } from "../stop/stop-reasons.ts";
import { boxWords } from "../tasks/task-graph.ts";
import { likeness, wordsOf } from "../text/likeness.ts";
import { truncate } from "../text/truncate.ts";

export type QuestionKind = "question" | "blocked" | "request" | "denied" | "import";

/** What waits for a person's answer. */
export type Question = {
  /** From 1, and never given twice in a project: an answer reaches no other question. */
  number: number;
  run: string;
  /** 0 for a question of an import. */
  iteration: number;
  kind: QuestionKind;
  /** The text of the box at hand; null where none is known. */
  task: string | null;
  text: string;
  /** Its task is left alone until the answer, as long as ON_QUESTION is `park`. */
  parked: boolean;
};

/** The questions of a project that nobody has answered, oldest first, and how many there ever were. */
export type Inbox = {
  asked: number;
  open: Question[];
  /** The answered questions of documents, which another import does not ask again. */
  settled: string[];
};

/** More are no list that a person reads. */
const MOST_OPEN = 100;
const QUOTED_CHARS = 300;
const TASK_CHARS = 110;

/** With its question it fits into the share that messages have of a prompt. */
export const ANSWER_MAX_CHARS = 1500;

/** The inbox of a project before its first run. */
export function noQuestions(): Inbox {
  return { asked: 0, open: [], settled: [] };
}

/**
 * The inbox with one more question, in place of an earlier one of the same kind about the same task. Asked again in the same words it keeps
 * its number: whoever was told of it once answers with that.
 */
export function addQuestion(inbox: Inbox, event: EventOf<"question_asked">): Inbox {
  const { asked, open } = inbox;
  const { run, iteration, kind, task, text, parked } = event;
  if (kind === "import" && inbox.settled.includes(text)) return inbox;
  const begun = { number: asked + 1, run, iteration, kind, task, text, parked };
  const same = open.find((other) => replaces(begun, other) && other.kind === kind && other.text === text);
  const question = { ...begun, number: same?.number ?? begun.number };
  const others = open.filter((other) => !replaces(question, other));
  return { ...inbox, asked: Math.max(asked, question.number), open: [...others, question].slice(-MOST_OPEN) };
}

/** The number of the question that was asked last. */
export function newestNumber({ asked, open }: Inbox): number {
  return open.at(-1)?.number ?? asked;
}

/** A denial replaces a denial; of an import only the same words are the same question. */
function replaces(question: Question, other: Question): boolean {
  if (question.kind === "import" || other.kind === "import")
    return question.kind === other.kind && question.text === other.text;
  if (question.kind === "denied" || other.kind === "denied") return question.kind === other.kind;
  return question.task === other.task;
}

/** The share of the words of the shorter one that makes two questions the same; short words say little about what is asked. */
const SAME_QUESTION = 0.8;
const SHORT_WORD = 3;

/**
 * Whether a question is one on which a task is set aside already: an agent that works on another task likes to say that it still
 * waits.
 */
export function isAskedAgain(text: string, { open }: Inbox, settings: SettingValues): boolean {
  const long = (words: string) => new Set([...wordsOf(words)].filter((word) => word.length > SHORT_WORD));
  const words = long(text);
  return open.some((one) => isParked(one, settings) && likeness(words, long(one.text)).share >= SAME_QUESTION);
}

/** The inbox without a question. */
export function withoutQuestion(inbox: Inbox, number: number): Inbox {
  return { ...inbox, open: inbox.open.filter((question) => question.number !== number) };
}

/** The inbox after an answer. */
export function afterAnswer(inbox: Inbox, number: number): Inbox {
  const answered = inbox.open.filter((question) => question.number === number && question.kind === "import");
  const settled = [...inbox.settled, ...answered.map(({ text }) => text)].slice(-MOST_OPEN);
  return withoutQuestion({ ...inbox, settled }, number);
}

/** The messages with the answer to a question, in words that stand alone in the next prompt. */
export function withAnswer(
  messages: readonly UserMessage[],
  { open }: Inbox,
  { number, text, at }: Pick<EventOf<"question_answered">, "number" | "text" | "at">,
): UserMessage[] {
  const question = open.find((one) => one.number === number);
  if (question === undefined) return [...messages];
  const task = question.task === null ? "" : ` ${aboutTask(question.task)}`;
  const about = `${ABOUT[question.kind]} “${truncate(question.text, QUOTED_CHARS)}”${task}:`;
  return [...messages, { at, text: `${about}\n${text.trim()}`, used_in: null }];
}

/** What an answer's message has of the task that it is about. */
export function aboutTask(task: string): string {
  return `(task: ${truncate(task, TASK_CHARS)})`;
}

const ABOUT: Record<QuestionKind, string> = {
  question: "To your question",
  blocked: "To what blocked you,",
  request: "To what you recommended,",
  denied: "To what was denied,",
  import: "To the open question of the document,",
};

/**
 * The inbox after an answered iteration, which overtakes questions: their task is ticked, nothing is denied any more, or the
 * work went on without the answer.
 */
export function afterIteration(inbox: Inbox, event: EventOf<"iteration_finished">, settings: SettingValues): Inbox {
  const { evidence, analysis, iteration, run } = event;
  const isOvertaken = (question: Question): boolean => {
    if (question.run === run && question.iteration === iteration) return false;
    if (question.kind === "import") return false;
    if (question.task !== null && evidence.plan_ticked?.includes(question.task) === true) return true;
    if (question.kind === "denied") return !analysis.has_permission_denials;
    if (!evidence.progress || isParked(question, settings)) return false;
    return question.task === null || (question.kind === "blocked" && analysis.status !== "BLOCKED");
  };
  const names = new Map(evidence.plan_reworded?.map(({ from, to }) => [from, to]));
  const renamed = (question: Question): Question => {
    const task = question.task === null ? null : (names.get(question.task) ?? question.task);
    return task === question.task ? question : { ...question, task };
  };
  return { ...inbox, open: inbox.open.filter((question) => !isOvertaken(question)).map(renamed) };
}

/** The inbox after the end of a run: finished work leaves no question, except on tasks that it set aside. */
export function afterRun(inbox: Inbox, { stop_reason }: EventOf<"run_finished">, settings: SettingValues): Inbox {
  if (STOP_REASONS[stop_reason].status !== "completed" || stop_reason === "import_complete") return inbox;
  return { ...inbox, open: inbox.open.filter((question) => isParked(question, settings)) };
}

/**
 * The numbers of the questions whose task is no longer open in the plan: a person ticked, reworded or removed it.
 * @param openTasks of the plan, and those that the agent took off it, whose questions nobody answered
 */
export function questionsWithoutTask({ open }: Inbox, openTasks: readonly string[]): number[] {
  const known = taskNames(openTasks);
  return open.filter(({ task }) => task !== null && !known.has(task)).map(({ number }) => number);
}

/** What questions call the tasks of a plan: a run by the words of their boxes, a swarm without what they wait for. */
export function taskNames(openTasks: readonly string[]): ReadonlySet<string> {
  return new Set(openTasks.flatMap((text) => [text, boxWords(text).text]));
}

/** Whether the task of a question is set aside now. */
export function isParked({ parked }: Question, { ON_QUESTION }: SettingValues): boolean {
  return parked && ON_QUESTION === "park";
}

/** The open tasks of a plan that no question sets aside, in the order of work. */
export function takeableTasks<Task extends { text: string }>(
  tasks: readonly Task[],
  { inbox, settings }: { inbox: Inbox; settings: SettingValues },
): Task[] {
  const aside = tasksAside(inbox, settings);
  return tasks.filter(({ text }) => !aside.has(text));
}

/** How many tasks are set aside; infinitely many where the run has no plan, and with it no other task. */
export function countAside(inbox: Pick<Inbox, "open">, settings: SettingValues): number {
  const aside = tasksAside(inbox, settings);
  return aside.has(null) ? Number.POSITIVE_INFINITY : aside.size;
}

/** Null stands for what belongs to no task of the plan. */
function tasksAside({ open }: Pick<Inbox, "open">, settings: SettingValues): ReadonlySet<string | null> {
  return new Set(open.filter((question) => isParked(question, settings)).map(({ task }) => task));
}
