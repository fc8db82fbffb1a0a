import { shownDenials } from "../answer/denial.ts";
import { continueCommand, waitCommand, workCommand } from "../continue-command.ts";
import { reasonText } from "../gates/weakened-text.ts";
import type { State } from "../journal/state.ts";
import { typedWord } from "../text/shell-words.ts";
import { isParked, type Question, type QuestionKind, taskNames } from "./questions.ts";

/** One thing that needs a person (interfaces.md "ralph inbox --json"). */
export type Need = {
  kind: QuestionKind | "gates" | "limit" | "git";
  /** The number that `ralph inbox answer` takes; null for what is no question. */
  number: number | null;
  run: string;
  /** 0 outside an iteration. */
  iteration: number;
  /** The text of the box that it is about, if known. */
  task: string | null;
  /** The task is set aside until the answer. */
  parked: boolean;
  text: string;
  /** What answers it when typed, the usual one first. */
  commands: string[];
};

export type NeedsOptions = {
  /** Whether the run is live: what then cannot be typed is left out. */
  alive: boolean;
  /** Texts of the open boxes now: a question about another one is overtaken. Null where the plan is not read. */
  openTasks?: readonly string[] | null;
};

/**
 * Everything that needs a person, the most urgent first. Screens, reports, notifications and JSON show this list. Pure: what is
 * answered or overtaken is gone from the state.
 */
export function needsOf(state: State, { alive, openTasks = null }: NeedsOptions): Need[] {
  // Where a swarm goes by another tool's list, the plan says nothing of its tasks.
  const known = openTasks === null || typeof state.settings.TASKS_FILE === "string" ? null : taskNames(openTasks);
  const isOpen = ({ task }: Question) =>
    task === null || known === null || known.has(task) || state.taken_off.includes(task);
  return [
    ...weakenedGates(state, alive),
    ...endlessLimit(state, alive),
    ...failedGitSteps(state),
    ...state.inbox.open.filter(isOpen).map((question) => ({
      ...question,
      text: question.kind === "denied" ? shownDenials(deniedNames(question.text)).join(", ") : question.text,
      parked: isParked(question, state.settings),
      commands: answersTo(question, state, alive),
    })),
  ];
}

function weakenedGates({ run, gate_trust: { weakened } }: State, alive: boolean): Need[] {
  const [first, ...others] = weakened?.reasons ?? [];
  if (weakened === null || first === undefined) return [];
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  const text = `The gates are green only because they got weaker: ${reasonText(first)}${more}`;
  const commands = ["ralph gates accept", ...(alive ? [] : ["ralph gates restore"])];
  return [{ ...NO_QUESTION, kind: "gates", run, iteration: weakened.iteration, text, commands }];
}

/** Nobody can say when a limit without a time ends: to wait on is a decision. */
function endlessLimit(state: State, alive: boolean): Need[] {
  const { run, iteration, limit, wait, finished } = state;
  const isHere = alive ? wait?.why === "usage_limit" : finished?.reason === "usage_limit";
  if (limit === null || limit.resets_at !== null || !isHere) return [];
  const text = `The provider's limit has no stated end${limit.message === "" ? "." : `: ${limit.message}`}`;
  const again = state.started_by === "import" ? continueCommand(state) : waitCommand(state);
  const commands = [alive ? "ralph stop" : again];
  return [{ ...NO_QUESTION, kind: "limit", run, iteration, text, commands }];
}

/** A step that is tried again by itself needs nobody. */
function failedGitSteps({ run, publish }: State): Need[] {
  return Object.values(publish.failed).flatMap(({ iteration, text, command }) =>
    command === null ? [] : [{ ...NO_QUESTION, kind: "git" as const, run, iteration, text, commands: [command] }],
  );
}

const NO_QUESTION = { number: null, task: null, parked: false } as const;

/** What answers a question when typed. */
export function answerCommand(number: number, words = "your answer"): string {
  return `ralph inbox answer ${number} ${typedWord(words)}`;
}

/** An agent is told an answer; a denial can also be lifted where the run's own flags decide what is allowed. */
function answersTo({ number, kind, text }: Question, state: State, alive: boolean): string[] {
  const answer = (words: string) => answerCommand(number, words);
  if (kind !== "denied") return [answerCommand(number)];
  const allowed = state.words.find((word) => word.startsWith(ALLOW));
  if (alive || allowed === undefined) return [answer("Do without it")];
  const denied = deniedTools(text);
  // An agent's patterns match one command, no pipeline or list.
  if (denied.some((name) => /[&|;<>`$]/.test(name))) return [answer("Do without it")];
  const list = [allowed.slice(ALLOW.length), ...denied].join(",");
  const begin = { ...state, words: state.words.map((word) => (word === allowed ? `${ALLOW}${list}` : word)) };
  const again =
    state.started_by === "task" ? `${workCommand(begin)} --allowed-tools ${typedWord(list)}` : workCommand(begin);
  return [answer("Do without it"), again];
}

const ALLOW = "--allowed-tools=";
/** Longer commands are cut in `denied_commands` (denial.ts): the pattern then allows what begins so. */
const CUT_AT = "Bash()".length + 60;

/** What a question about a denial names: the names of tools, each with its command in brackets. */
export function deniedNames(text: string): string[] {
  return text.split(/, (?=[A-Z][A-Za-z_]*(?:\(|,|$))/);
}

function deniedTools(text: string): string[] {
  return deniedNames(text).map((name) => (name.length >= CUT_AT ? name.replace(/\)$/, ":*)") : name));
}
