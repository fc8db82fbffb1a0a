import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import type { CommandContext } from "../context.ts";
import type { ImportArgs } from "../definitions/import.ts";
import { SIGNALLED } from "../import/agent-import.ts";
import type { ImportAgent } from "../import/ask-agent.ts";
import { findByFlags } from "../import/find-by-flags.ts";
import { type ImportSource, namedIn } from "../import/find-content.ts";
import { finishImport } from "../import/finish-import.ts";
import { resolveTarget } from "../import/import-target.ts";
import { hasOwnRalph, openImportWorkspace } from "../import/import-workspace.ts";
import { type Attempt, agentFailed, nothingImported } from "../import/nothing-imported.ts";
import { type ImportSetup, isInteractive, prepareImport } from "../import/prepare-import.ts";
import { onSignals } from "../run/signals.ts";
import { runOther } from "../run-other.ts";
import { inspectSite, type Site } from "../setup/inspect-site.ts";
import { shellWord } from "../setup/next-command.ts";
import { settingsWarning } from "../setup/settings-warning.ts";

type Context = CommandContext<ImportArgs>;

const CANCELLED_EXIT_CODE = 130;

/**
 * `ralph import FILE|FOLDER|ISSUE [NAME]`: turns a description into the project's plan and specs, through the agent or
 * by rules. Without FILE it imports the project's task sources. Outside a Ralph project it makes one.
 * @throws RalphError if the source or the agent cannot be used; nothing is written then
 */
export async function run(context: Context): Promise<number> {
  const target = resolveTarget(context);
  const found = await findByFlags(context, inspectSite({ ...context, projectDir: target.from }, target.name));
  const setup = await prepareImport(context, target, found);
  if (setup === null) return leave(context);
  const source = namedIn(setup.site.dir, found);
  if (setup.agent !== null && "document" in source) return importWithAgent(setup.agent, { context, setup, source });
  // An import by rules needs no setting. But a setting that every run refuses is reported before the project counts as
  // ready.
  for (const text of settingsWarning(context, setup.site.dir)) context.log.warn(text);
  const done = await finishImport(context, { ...setup, source, reply: null, confirms: isInteractive(context) });
  if (done === "left") return leave(context);
  return done.starts === null ? done.exit : runOther(context, "run", { words: done.starts, dir: setup.site.dir });
}

type Job = { context: Context; setup: ImportSetup; source: Extract<ImportSource, { document: unknown }> };

/** Imports through the agent. Until something is written, everything made for it is removed again. */
async function importWithAgent(agent: ImportAgent, { context, setup, source }: Job): Promise<number> {
  const { site } = setup;
  const temporary = context.args["dry-run"] && !hasOwnRalph(site.dir);
  const work = openImportWorkspace(site.dir, { temporary });
  const gone = new AbortController();
  let code = CANCELLED_EXIT_CODE;
  const release = onSignals((_, signalled) => {
    if (!gone.signal.aborted) code = signalled;
    gone.abort();
  });
  let isWritten = false;
  let starts: readonly string[] | null = null;
  try {
    const { repeatCommand } = setup;
    const reply = await agent.ask({ document: source.document, project: work.project, repeatCommand });
    work.settle();
    const attempt: Attempt = { reply, repeatCommand, logs: work.isKept ? logsCommand(context, site, reply.run) : null };
    if (reply.stopped !== null) {
      context.log.log(nothingImported(attempt));
      return STOP_REASONS[SIGNALLED[reply.stopped]].exit;
    }
    if (reply.failure !== null && reply.answer.files.size === 0) throw agentFailed(attempt, reply.failure);
    const done = await finishImport(
      context,
      { ...setup, source, reply, confirms: isInteractive(context) },
      gone.signal,
    );
    if (done === "left") {
      context.log.log(nothingImported(attempt));
      return code;
    }
    ({ isWritten, starts } = done);
    code = done.exit;
  } finally {
    release();
    if (!isWritten) work.cleanUp();
  }
  return starts === null ? code : runOther(context, "run", { words: starts, dir: site.dir });
}

function logsCommand({ projectDir }: Context, { dir }: Site, run: string): string {
  return `ralph ${dir === projectDir ? "" : `-C ${shellWord(dir)} `}logs ${run}`;
}

function leave(context: Context): number {
  context.log.log("Nothing was written.");
  return CANCELLED_EXIT_CODE;
}
