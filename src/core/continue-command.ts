import { isInWorktree, projectTitle } from "./project-name.ts";
import { SETTING_NAMES, settingSpec } from "./settings/settings.ts";
import { visibleText } from "./text/plain-text.ts";
import { NEEDS_SINGLE_QUOTES, typedWord } from "./text/shell-words.ts";

/** What started a run, and its words: the state and the status know both. */
export type Begin = {
  /** `cli`, `task`, `import` … */
  started_by: string | null;
  /** See run-words.ts. */
  words: readonly string[];
  /** Absolute. A worktree is named, as its user need not be in its folder. */
  project: string;
};

/** A task of its own, an import and a demo do not work from the project's plan. */
export function worksFromPlan({ started_by }: Pick<Begin, "started_by">): boolean {
  return started_by !== "task" && started_by !== "import" && started_by !== "demo";
}

/** The command that continues an unfinished run, with its flags: it must not get wider rights than it had. */
export function continueCommand(begin: Begin): string {
  return begin.started_by === "import" ? "ralph import FILE" : workCommand(begin);
}

/**
 * `ralph resume` repeats a task's text and flags, which may be too long to show; `ralph run` would prefer a prompt file. It repeats
 * what no step may as well, and sees that its user said it.
 */
export function workCommand({ started_by, words, project }: Begin): string {
  const isJob = JOBS.includes(started_by);
  const isResumed =
    started_by === "task" || (!isJob && !words.every((word) => isForAll(word) && !NEEDS_SINGLE_QUOTES.test(word)));
  const typed = isResumed ? ["ralph resume"] : [commandOf(started_by), ...words.filter(isForAll).map(shown)];
  return [...typed, ...(isInWorktree(project) ? [`-C ${typedWord(projectTitle(project))}`] : [])].join(" ");
}

/** Commands whose runs are gone on with by themselves. */
const JOBS: readonly (string | null)[] = ["swarm", "land"];

function commandOf(startedBy: string | null): string {
  return `ralph ${JOBS.includes(startedBy) ? startedBy : "run"}`;
}

/** The command that waits out a limit, for a run that would not. */
export function waitCommand(begin: Begin): string {
  return `${workCommand(without(begin, "--on-limit="))} --on-limit wait`;
}

/** The command that goes on with a model to be named, in the place of one that cannot be used. */
export function otherModelCommand(begin: Begin): string {
  return `${continueCommand(without(begin, "--model="))} --model NAME`;
}

function without(begin: Begin, flag: string): Begin {
  return { ...begin, words: begin.words.filter((word) => !word.startsWith(flag)) };
}

/**
 * Whether a step may repeat a word of a journal, which may be a clone's: a terminal shows it as it is, and a project's settings may say
 * it too.
 */
function isForAll(word: string): boolean {
  if (visibleText(word) !== word) return false;
  const [, name = ""] = /^--(?:no-)?([a-z-]+)/.exec(word) ?? [];
  const spec = SETTING_NAMES.map(settingSpec).find(
    ({ flag }) => flag?.name === name || flag?.old?.includes(name) === true,
  );
  return spec?.personal === undefined;
}

/** `--name=value` as a person would type it. */
function shown(word: string): string {
  const [, name, value] = /^(--[a-z-]+)=([^-].*)$/s.exec(word) ?? [];
  // A flag that may stand alone takes no further word.
  const standsAlone = SETTING_NAMES.map((one) => settingSpec(one).flag).some(
    (flag) => flag?.alone !== undefined && `--${flag.name}` === name,
  );
  if (name === undefined || value === undefined || standsAlone) return typedWord(word);
  return `${name} ${typedWord(value)}`;
}
