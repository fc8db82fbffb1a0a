import type { StatusReport } from "../core/report/status-report.ts";
import { STOP_REASONS, type StopReason } from "../core/stop/stop-reasons.ts";
import { typedWord } from "../core/text/shell-words.ts";
import { dayAndTime } from "./live/wait-line.ts";

/** What started a run, and its words: the state and the status know both. */
export type Begin = {
  /** `cli`, `task`, `import` … */
  started_by: string | null;
  /** See run-words.ts. */
  words: readonly string[];
};

/** The end of a run. */
export type RunEnd = Begin & {
  reason: StopReason;
  /** As in the status: the provider's reset time, if its limit ended the run and stated one. */
  limit_resets_at: StatusReport["limit_resets_at"];
};

/** The command that continues an unfinished run, with its flags: it must not get wider rights than it had. */
export function continueCommand(begin: Begin): string {
  return begin.started_by === "import" ? "ralph import FILE" : workCommand(begin);
}

/**
 * `ralph resume` repeats a task's text and flags, which may be too long to show; `ralph run` would prefer a prompt file.
 */
function workCommand({ started_by, words }: Begin): string {
  if (started_by === "task") return "ralph resume";
  return ["ralph run", ...words.map(shown)].join(" ");
}

/** `--name=value` as a person would type it. */
function shown(word: string): string {
  const [, name, value] = /^(--[a-z-]+)=([^-].*)$/s.exec(word) ?? [];
  return name === undefined || value === undefined ? typedWord(word) : `${name} ${typedWord(value)}`;
}

/** What to do next, in words, and the commands in it, each ready to be typed. */
export type NextStep = { text: string; commands: string[] };

/**
 * The step of the table after such an end, with the commands of this run.
 * @param now epoch ms
 */
export function nextStep(end: RunEnd, now: number): NextStep {
  const all = parts(end, now);
  return { text: all.join(""), commands: all.filter((_, at) => at % 2 === 1) };
}

/** Text and commands in turn. */
function parts(end: RunEnd, now: number): string[] {
  const { started_by, words } = end;
  const patient = { started_by, words: words.filter((word) => !word.startsWith("--on-limit=")) };
  const step = STOP_REASONS[end.reason].next.replace("{after_limit}", () => afterLimit(end, now));
  return step.split("`").map((part) =>
    part
      .replace("{wait}", () => `${workCommand(patient)} --on-limit wait`)
      .replace("{work}", () => workCommand(end))
      .replace("{again}", () => continueCommand(end)),
  );
}

function afterLimit({ started_by, limit_resets_at: at }: RunEnd, now: number): string {
  if (at !== null && Date.parse(at) <= now) return "The limit is over. Go on with: `{again}`";
  const when = at === null ? "" : `It resets ${dayAndTime(at, now)}. `;
  // An import does not wait.
  return `${when}${started_by === "import" ? "When it is over: `{again}`" : "Wait it out with: `{wait}`"}`;
}
