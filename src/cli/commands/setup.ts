import { RalphError } from "../../core/errors.ts";
import { defaultSettings } from "../../core/settings/settings.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import type { SetupFlags } from "../../setup/decide-answers.ts";
import { type Content, NO_CONTENT } from "../../setup/prepare.ts";
import { changesAnything, type FileAction } from "../../setup/scaffold.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { SetupArgs } from "../definitions/setup.ts";
import { runOther } from "../run-other.ts";
import { actionCounts, actionLines, templatesUsed } from "../setup/actions-text.ts";
import { findingsLines } from "../setup/findings-text.ts";
import { findSetupFacts, inspectSite, type SetupFacts, type Site } from "../setup/inspect-site.ts";
import { importedTasks } from "../setup/plan-site.ts";
import { carryOut } from "../setup/set-up.ts";
import { readSetupFlags, readTaskSource, requireFolderName, type TaskSource } from "../setup/setup-flags.ts";
import { contentFrom } from "../setup/task-content.ts";
import { beginsRepository } from "../setup/write-project.ts";
import { canAsk } from "../terminal.ts";
import { startUpdateCheck } from "../update/background-update-check.ts";

type Context = CommandContext<SetupArgs>;

/**
 * `ralph setup [NAME]`: makes a folder a Ralph project. On a terminal it asks for what it cannot detect.
 * @throws RalphError `usage` if it has to ask and cannot, `environment` if it cannot write
 */
export async function run(context: Context): Promise<number> {
  const { args } = context;
  const asks = canAsk(context) && !args.yes && !args.json && !args["dry-run"];
  if (!asks && !args.yes && !args.json && !args["dry-run"]) {
    throw new RalphError("usage", "ralph setup asks questions, and there is no terminal that could show them.", {
      hint: "Add --yes to take what it finds; --task TEXT or --from FILE says what is to be done, --start begins with it.",
    });
  }
  const name = args.folder === undefined ? null : requireFolderName(args.folder);
  const source = readTaskSource(args, context);
  const flags = readSetupFlags(context, args, source);
  const update = startUpdateCheck(context, defaultSettings().RALPH_UPDATE_CHECK);
  const code = asks
    ? await (await import("../setup/wizard.ts")).runWizard({ context, flags, name, source })
    : await setUp(context, inspectSite(context, name), flags, source);
  await update.report();
  return code;
}

async function setUp(context: Context, site: Site, flags: SetupFlags, source: TaskSource | null): Promise<number> {
  const facts = await findSetupFacts(site, context.env, flags.PLATFORM_DRIVER);
  const content = source === null ? NO_CONTENT : await contentFrom(site, source, flags.GITHUB_TASK_LABEL ?? null);
  const { migrate, start } = context.args;
  const done = await carryOut({ context, site, agents: facts.agents, flags, content, migrate });
  report(context, site, { ...done, content, facts });
  if (!start) return 0;
  const { next } = done;
  if (next.words !== null) return runOther(context, "run", { words: next.words, dir: site.dir });
  throw new RalphError("environment", "The project is set up, and nothing in it can be started yet.", {
    hint: `Next: ${next.command}: ${next.why}.`,
  });
}

type Outcome = Awaited<ReturnType<typeof carryOut>> & { content: Content; facts: SetupFacts };

function report(context: Context, site: Site, outcome: Outcome): void {
  const { actions, wrote, answers, content, next, notes, facts, patch } = outcome;
  const already = !changesAnything(actions);
  const counts = actionCounts(actions);
  if (context.args.json) {
    const paths = (...kinds: FileAction["kind"][]) =>
      actions.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
    const message = already
      ? "Nothing to do: the project is set up."
      : `The project ${wrote ? "is" : "would be"} set up: ${counts}.`;
    const document = {
      success: true,
      already,
      dry_run: context.args["dry-run"],
      project_name: answers.name,
      project_type: answers.type,
      files_created: paths("create"),
      files_changed: paths("update", "merge", "replace"),
      files_moved: paths("move"),
      files_removed: paths("remove"),
      files_restored: paths("restore"),
      files_kept: paths("keep"),
      templates: templatesUsed(actions),
      tasks_imported: importedTasks(actions, content),
      driver: answers.driver,
      languages: site.findings.stacks.map(({ language }) => language),
      project_dir: site.dir,
      repository_created: wrote && beginsRepository(site),
      next: next.command,
      warnings: notes,
      message,
    };
    context.stdout(jsonFile(document));
    return;
  }
  const styles = style(context.color);
  if (!context.args.quiet) {
    const found = findingsLines(site, facts, context.columns);
    const look = { style: styles, width: context.columns, begins: beginsRepository(site) };
    context.stdout(`${[...found, "", ...actionLines(actions, look), ...patch, ""].join("\n")}\n`);
  }
  for (const note of notes) context.log.warn(note);
  context.stdout(
    `${already ? "Nothing to do." : `${wrote ? "Set up" : "Would be set up"}: ${counts}.`} Next: ${styles.bold(next.command)}  ${styles.dim(next.why)}\n`,
  );
}
