import { RalphError } from "../../core/errors.ts";
import { count } from "../../core/text/count.ts";
import type { SetupFlags } from "../../setup/decide-answers.ts";
import { NO_CONTENT } from "../../setup/prepare.ts";
import { changesAnything } from "../../setup/scaffold.ts";
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
import { findSetupFacts, inspectSite } from "./inspect-site.ts";
import { askLastPage, noteColumns } from "./last-page.ts";
import { importedTasks } from "./plan-site.ts";
import { carryOut, decisionOf, planned, type SetUp } from "./set-up.ts";
import { askDriver, askSettings, SCREEN } from "./settings-screen.ts";
import type { TaskSource } from "./setup-flags.ts";
import { contentFrom } from "./task-content.ts";

export type WizardStart = {
  context: CommandContext<SetupArgs>;
  flags: SetupFlags;
  /** The folder to make, or null for this one. */
  name: string | null;
  /** The task source named by a flag; null to ask for it. */
  source: TaskSource | null;
};

/** The exit code after the user cancels, the same as for any interrupted program. */
const CANCELLED_EXIT_CODE = 130;

/** The answers so far. */
type Asked = SetUp & { goal: Goal | null; starts: boolean };

/**
 * Inspects, shows the findings, asks what is still open, shows rights, bounds and every file, then writes, and starts if the
 * user agrees. Nothing is touched before that, so Ctrl+C at any question leaves the folder unchanged. A project that is set up
 * already shows its settings instead.
 * @returns the exit code
 */
export async function runWizard({ context, flags, name, source }: WizardStart, io: AskIo = {}): Promise<number> {
  const asker = await openAsker(context.env, io);
  asker.begin("ralph setup", true);
  const site = inspectSite(context, name);
  const facts = await findSetupFacts(site, context.env, flags.PLATFORM_DRIVER);
  const { agents } = facts;
  const { migrate } = context.args;
  const begin: Asked = { context, site, agents, flags, content: NO_CONTENT, migrate, goal: source, starts: false };
  asker.note("What is here", findingsLines(site, facts, noteColumns(context)));
  const asked = isSetUp(begin) ? await changedSettings(asker, begin) : await askSteps(stepsOf(asker, begin), begin);
  if (isGone(asked)) {
    asker.left("Nothing was written.");
    return CANCELLED_EXIT_CODE;
  }
  return asked.goal?.from === "agent" ? importByAgent(asked, asked.goal.what ?? "") : write(asker, asked);
}

/** Whether there is nothing to set up: the project has its files, and says what is to be done. */
function isSetUp(begin: Asked): boolean {
  const { site, goal } = begin;
  if (site.findings.layout.kind !== "ralph" || goal !== null || !hasWork(site)) return false;
  return !changesAnything(planned(begin).actions);
}

/** The settings of a project, each to be changed. */
async function changedSettings(asker: Asker, begin: Asked): Promise<Asked | typeof LEFT> {
  const { context, site, agents } = begin;
  const resolved = loadSettings({ settings: {}, env: context.env, projectDir: site.dir });
  const isAlone = { canStart: planned(begin).next.words !== null };
  const asked = await askSettings(asker, { resolved, names: SCREEN.map(([name]) => name), agents, isAlone });
  return isGone(asked) ? LEFT : { ...begin, flags: asked.changes, starts: asked.starts };
}

/** The questions in their order. What a flag or the folder answers is not asked. */
function stepsOf(asker: Asker, begin: Asked): Step<Asked>[] {
  const { context, site, flags, agents, goal: source } = begin;
  const { open } = decisionOf(begin);
  const { layout } = site.findings;
  const offers = site.isNew ? [] : offersOf(site);
  return [
    {
      id: "driver",
      skip: () => !open.includes("driver"),
      async ask(asked) {
        const driver = await askDriver(asker, agents);
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
      skip: (asked) => asked.goal?.from === "agent" || !changesAnything(planned(asked).actions),
      async ask(asked) {
        const withChanges = (changes: SetupFlags) => ({ ...asked, flags: { ...asked.flags, ...changes } });
        const last = await askLastPage(asker, {
          ...{ context, site, agents },
          plan: (changes) => planned(withChanges(changes)).actions,
          canStart: planned(asked).next.words !== null,
        });
        return isGone(last) ? last : { ...withChanges(last.changes), starts: last.starts };
      },
    },
  ];
}

/** What stands before each line that the wizard says. */
const FRAME_COLUMNS = 4;

/** Writes the files, says what is next, and begins with it if the user agreed. */
async function write(asker: Asker, asked: Asked): Promise<number> {
  const { context, site, content, starts } = asked;
  const { actions, next, notes, wrote } = await carryOut(asked);
  const tasks = importedTasks(actions, content);
  if (wrote)
    asker.say("success", `${actionCounts(actions)}${tasks === 0 ? "" : ` · ${count(tasks, "task")} in the plan`}`);
  for (const note of notes) asker.say("warn", wrap(note, context.columns - FRAME_COLUMNS).join("\n"));
  const { bold, dim } = style(context.color);
  if (starts && next.words !== null) {
    asker.end("Starting. Ctrl+C ends it after the iteration, twice at once.");
    return runOther(context, "run", { words: next.words, dir: site.dir });
  }
  asker.end(`${wrote ? "" : "Nothing was changed. "}Next: ${bold(next.command)}  ${dim(next.why)}`);
  return 0;
}

/** Hands the document over to `ralph import`, which asks who reads it, and makes the project of the answer. */
function importByAgent({ context, site, flags }: Asked, file: string): Promise<number> {
  const driver = flags.PLATFORM_DRIVER;
  const words = [...(driver === undefined ? [] : ["--driver", driver]), "--", file, "."];
  return runOther(context, "import", { words, dir: site.dir });
}
