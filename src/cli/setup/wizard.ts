import { RalphError } from "../../core/errors.ts";
import { type ResolvedSettings, resolveSettings } from "../../core/settings/resolve-settings.ts";
import { count } from "../../core/text/count.ts";
import { decideAnswers, type SetupDecision, type SetupFlags } from "../../setup/decide-answers.ts";
import { type Content, NO_CONTENT } from "../../setup/prepare.ts";
import { changesAnything, type FileAction } from "../../setup/scaffold.ts";
import { rightsAndBounds } from "../../view/live/start-card.ts";
import { style } from "../../view/text/style.ts";
import { wrap } from "../../view/text/text.ts";
import { openAsker } from "../ask/ask.ts";
import { type Asker, type AskIo, isGone, LEFT } from "../ask/asker.ts";
import { askSteps, type Step } from "../ask/steps.ts";
import type { CommandContext } from "../context.ts";
import type { SetupArgs } from "../definitions/setup.ts";
import { loadSettings } from "../load-settings.ts";
import { runOther } from "../run-other.ts";
import { actionCounts } from "./actions-text.ts";
import { findingsLines } from "./findings-text.ts";
import { askGoal, type Goal, hasWork, offersOf } from "./goal.ts";
import { findSetupFacts, inspectSite, type SetupFacts, type Site } from "./inspect-site.ts";
import { askLastPage } from "./last-page.ts";
import { importedTasks, nextCommandFor, planSite, warnings } from "./plan-site.ts";
import { askDriver, askSettings, RIGHTS, SCREEN } from "./settings-screen.ts";
import { settingsWarning } from "./settings-warning.ts";
import type { TaskSource } from "./setup-flags.ts";
import { contentFrom } from "./task-content.ts";
import { beginsRepository, writeProject } from "./write-project.ts";

type Context = CommandContext<SetupArgs>;

export type WizardStart = {
  context: Context;
  flags: SetupFlags;
  /** The folder to make, or null for this one. */
  name: string | null;
  /** The task source named by a flag; null to ask for it. */
  source: TaskSource | null;
};

/** The exit code after the user cancels, the same as for any interrupted program. */
const CANCELLED_EXIT_CODE = 130;
/** The columns that clack's note takes of each line: its frame and padding. */
const FRAME = 8;

/** What the questions work on. */
type Desk = WizardStart & { asker: Asker; site: Site; facts: SetupFacts; width: () => number };

/**
 * Inspects, shows the findings, asks what is still open, shows rights, bounds and every file, then writes, and starts if the
 * user agrees. Nothing is touched before that, so Ctrl+C at any question leaves the folder unchanged. A project that is set up
 * already shows its settings instead.
 * @returns the exit code
 */
export async function runWizard(start: WizardStart, io: AskIo = {}): Promise<number> {
  const { context, name } = start;
  const asker = await openAsker(context.env, io);
  asker.begin("ralph setup", true);
  const site = inspectSite(context, name);
  const facts = await findSetupFacts(site, context.env);
  // Read each time: the terminal may be resized while a question is open.
  const width = () => Math.min(context.columns, 100) - FRAME;
  const desk = { ...start, asker, site, facts, width };
  asker.note("What is here", findingsLines(site, facts, width()));
  return isSetUp(desk) ? changeProject(desk) : makeProject(desk);
}

/** Whether there is nothing to set up: the project has its files, and says what is to be done. */
function isSetUp({ context, source, site, facts, flags }: Desk): boolean {
  if (site.findings.layout.kind !== "ralph" || source !== null || !hasWork(site)) return false;
  const { answers } = decide({ site, facts, context }, flags);
  return !changesAnything(
    planned({ context, site }, { flags, answers, content: NO_CONTENT, migrate: context.args.migrate }),
  );
}

type Planned = { flags: SetupFlags; content: Content; migrate: boolean; answers: SetupDecision["answers"] };

function planned({ context, site }: Pick<Desk, "context" | "site">, choices: Planned): FileAction[] {
  const { force, shims } = context.args;
  return planSite(site, { ...choices, force, shims, self: context.self });
}

function decide({ site, facts, context }: Pick<Desk, "site" | "facts" | "context">, flags: SetupFlags): SetupDecision {
  return decideAnswers({ ...site, flags, agents: facts.agents, preferred: context.env.PLATFORM_DRIVER ?? null });
}

/** The settings of a project, each to be changed. */
async function changeProject(desk: Desk): Promise<number> {
  const { context, asker, site, facts } = desk;
  const resolved = loadSettings({ settings: {}, env: context.env, projectDir: site.dir });
  const flags = await askSettings(asker, {
    resolved,
    names: SCREEN.map(([name]) => name),
    canGoBack: false,
    agents: facts.agents,
  });
  if (isGone(flags)) return leave(asker);
  const { answers } = decide(desk, flags);
  return write(desk, planned(desk, { flags, answers, content: NO_CONTENT, migrate: false }), {
    flags,
    content: NO_CONTENT,
  });
}

type Asked = { flags: SetupFlags; goal: Goal | null; content: Content; migrate: boolean; last: "start" | "write" };

async function makeProject(desk: Desk): Promise<number> {
  const { asker, flags, source, context } = desk;
  const begin: Asked = { flags, goal: source, content: NO_CONTENT, migrate: context.args.migrate, last: "write" };
  const asked = await askSteps(stepsOf(desk), begin);
  if (asked === LEFT) return leave(asker);
  if (asked.goal?.from === "agent") return importByAgent(desk, asked.flags, asked.goal.what ?? "");
  return write(desk, actionsOf(desk, asked), asked);
}

function actionsOf(desk: Desk, asked: Asked): FileAction[] {
  return planned(desk, { ...asked, answers: decide(desk, asked.flags).answers });
}

/** The questions in their order. What a flag or the folder answers is not asked. */
function stepsOf(desk: Desk): Step<Asked>[] {
  const { asker, site, facts, flags, source, context, width } = desk;
  const { open } = decide(desk, flags);
  const { layout } = site.findings;
  const offers = site.isNew ? [] : offersOf(site);
  return [
    {
      id: "driver",
      skip: () => !open.includes("driver"),
      async ask(asked) {
        const driver = await askDriver(asker, facts.agents);
        return isGone(driver) ? driver : { ...asked, flags: { ...asked.flags, PLATFORM_DRIVER: driver } };
      },
    },
    {
      id: "goal",
      skip: () => source === null && hasWork(site) && (layout.kind === "ralph" || offers.length === 0),
      async ask(asked) {
        for (;;) {
          const goal = source ?? (await askGoal(asker, offers, context.env));
          if (isGone(goal)) return goal;
          if (goal.from === "agent") return { ...asked, goal };
          try {
            return { ...asked, goal, content: await contentFrom(site, goal, flags.GITHUB_TASK_LABEL ?? null) };
          } catch (error) {
            if (!(error instanceof RalphError) || source !== null) throw error;
            asker.say("warn", [error.message, error.hint].filter((line) => line !== null).join("\n"));
          }
        }
      },
    },
    {
      id: "test_command",
      skip: ({ goal }) => !open.includes("test_command") || goal?.from === "agent",
      async ask(asked) {
        const question = "Which command runs the tests? It must pass before ralph believes in done. (Enter: none yet)";
        const command = await asker.text(question, { placeholder: "none yet" });
        return isGone(command) ? command : { ...asked, flags: { ...asked.flags, TEST_COMMAND: command.trim() } };
      },
    },
    {
      id: "migrate",
      skip: ({ goal }) => context.args.migrate || layout.kind !== "flat" || goal?.from === "agent",
      async ask(asked) {
        const question = "Ralph's files are at the root, the old layout. Move them into .ralph/? A backup is kept.";
        const migrate = await asker.confirm(question, true);
        return isGone(migrate) ? migrate : { ...asked, migrate };
      },
    },
    {
      id: "last page",
      skip: (asked) => asked.goal?.from === "agent" || !changesAnything(actionsOf(desk, asked)),
      async ask(asked) {
        let now = asked;
        for (;;) {
          const actions = actionsOf(desk, now);
          const resolved = newSettings(actions);
          const begins = beginsRepository(site);
          if (resolved !== null) {
            const lines = rightsLines(resolved, site.git.isRepository || begins);
            asker.note(
              "What a run may do, by .ralphrc",
              lines.flatMap((line) => wrap(line, width())),
            );
          }
          const look = { width: width(), color: context.color, begins, canChange: resolved !== null };
          const canStart = nextOf(desk, actions, now.flags).words !== null;
          const last = await askLastPage(asker, { ...look, actions, canStart });
          if (last === "start" || last === "write") return { ...now, last };
          if (isGone(last)) return last;
          if (resolved === null) continue;
          const changed = await askSettings(asker, { resolved, names: RIGHTS, canGoBack: true, agents: facts.agents });
          if (changed === LEFT) return LEFT;
          if (!isGone(changed)) now = { ...now, flags: { ...now.flags, ...changed } };
        }
      },
    },
  ];
}

/** The settings that will be written; null where none are. */
function newSettings(actions: readonly FileAction[]): ResolvedSettings | null {
  const made = actions.find((action) => "content" in action && action.path.endsWith(".ralphrc"));
  if (made === undefined || !("content" in made)) return null;
  return resolveSettings({ flags: {}, env: {}, file: { path: made.path, text: made.content } });
}

/** What the new settings allow: the agent's rights, and the bounds of a run. */
function rightsLines({ settings }: ResolvedSettings, isGitRepository: boolean): string[] {
  const rows = rightsAndBounds({ settings, isGitRepository }).map(([label, text]) => `${label.padEnd(9)}${text}`);
  return settings.MAX_COST_USD === null ? [...rows, `${"cost".padEnd(9)}no bound`] : rows;
}

function nextOf(desk: Desk, actions: readonly FileAction[], flags: SetupFlags): ReturnType<typeof nextCommandFor> {
  return nextCommandFor(desk.context, desk.site, { actions, agents: desk.facts.agents, ...decide(desk, flags) });
}

/** Writes the files, says what is next, and begins with it if the user agreed. */
async function write(
  desk: Desk,
  actions: readonly FileAction[],
  { flags, content, last = "write" }: Pick<Asked, "flags" | "content"> & Partial<Asked>,
): Promise<number> {
  const { context, asker, site } = desk;
  const next = nextOf(desk, actions, flags);
  const notes = warnings(site, actions);
  const writes = changesAnything(actions);
  if (writes) await writeProject(site, actions, new Date());
  const tasks = importedTasks(actions, content);
  if (writes)
    asker.say("success", `${actionCounts(actions)}${tasks === 0 ? "" : ` · ${count(tasks, "task")} in the plan`}`);
  for (const note of [...notes, ...settingsWarning(context, site.dir)]) asker.say("warn", note);
  const { bold, dim } = style(context.color);
  if (last === "start" && next.words !== null) {
    asker.end("Starting. Ctrl+C ends it after the iteration, twice at once.");
    return runOther(context, "run", { words: next.words, dir: site.dir });
  }
  asker.end(`${writes ? "" : "Nothing was changed. "}Next: ${bold(next.command)}  ${dim(next.why)}`);
  return 0;
}

/** Hands the document over to `ralph import`, which asks who reads it, and makes the project of the answer. */
function importByAgent(
  { context, site }: Desk,
  { PLATFORM_DRIVER: driver }: SetupFlags,
  file: string,
): Promise<number> {
  const words = [...(driver === undefined ? [] : ["--driver", driver]), "--", file, "."];
  return runOther(context, "import", { words, dir: site.dir });
}

function leave(asker: Asker): number {
  asker.left("Nothing was written.");
  return CANCELLED_EXIT_CODE;
}
