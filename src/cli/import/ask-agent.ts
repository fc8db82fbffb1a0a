import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { createHost } from "../../effects/host.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import type { FoundAgent } from "../../setup/decide-answers.ts";
import type { SourceDocument } from "../../setup/import/formats/convert-document.ts";
import { chooseAgent, driverLookup, requireAgent } from "../agent/agent-choice.ts";
import { requireRunTrust } from "../agent/run-trust.ts";
import type { CommandContext } from "../context.ts";
import type { ImportArgs } from "../definitions/import.ts";
import { loadSettings } from "../load-settings.ts";
import type { Site } from "../setup/inspect-site.ts";
import { openRunView } from "../show/run-view.ts";
import { type AgentImportResult, importByAgent, SIGNALLED } from "./agent-import.ts";
import { findMissing } from "./document-content.ts";
import { safeStat } from "./safe-stat.ts";

type Context = CommandContext<ImportArgs>;

/** What an agent answered to an import, with the agent's name. */
export type AgentReply = AgentImportResult & { driver: string; displayName: string };

export type ImportRequest = {
  document: SourceDocument;
  /** Canonical folder that the agent reads in. */
  project: string;
  /** The command that repeats the import. */
  repeatCommand: string;
};

/** The agent that an import would ask, checked before anything is made or spent. */
export type ImportAgent = { ask(request: ImportRequest): Promise<AgentReply>; displayName: string; driver: string };

/** The agents to choose from: the one that a flag, the environment or the settings name, else all installed ones. */
export function agentsToAsk(context: Context, site: Site, agents: readonly FoundAgent[]): readonly FoundAgent[] {
  const { settings, sources } = loadSettings({ ...context, projectDir: site.dir });
  if (sources.PLATFORM_DRIVER.source === "default") return agents.filter(({ available }) => available);
  const name = settings.PLATFORM_DRIVER;
  return [agents.find((agent) => agent.name === name) ?? { name, displayName: name, version: null, available: true }];
}

/**
 * Prepares an agent for an import.
 * @param driver the chosen agent; null for the one in the settings, or the first installed
 * @throws RalphError `environment` if it cannot be used, `config` for refused settings
 */
export async function prepareAgent(
  context: Context,
  site: Site,
  agents: readonly FoundAgent[],
  driver: string | null,
): Promise<ImportAgent> {
  const resolved = loadSettings({ settings: context.settings, env: context.env, projectDir: site.dir });
  const name = driver ?? agentsToAsk(context, site, agents)[0]?.name ?? resolved.settings.PLATFORM_DRIVER;
  const settings = { ...resolved.settings, PLATFORM_DRIVER: name };
  const chosen = { ...resolved, settings };
  const lookup = driverLookup(chosen, site.host);
  await requireRunTrust(context, chosen, projectPaths(site.dir, null, null), lookup).catch(withoutAgent);
  const agent = await chooseAgent(lookup, context.self).catch(withoutAgent);
  await requireAgent(agent, site.host).catch(withoutAgent);
  const { displayName } = agent.driver;
  if (agent.driver.supportsReadOnly !== true) {
    throw new RalphError("environment", `${displayName} cannot be limited to reading, and an import only reads.`, {
      hint: "Choose another with --driver, or import by rules alone: --no-agent",
    });
  }
  const ask = async ({ document, project, repeatCommand }: ImportRequest) => {
    const { args, isTty } = context;
    const view = openRunView({
      // stdout is for the result.
      context: {
        ...context,
        raw: context.stderr,
        get columns() {
          return context.columns;
        },
        isTty: { ...isTty, stdin: isTty.stdin && isTty.stdout, stdout: isTty.stderr && !args.quiet },
      },
      project,
      ralphDir: join(project, ".ralph"),
      how: "lines",
      verbose: settings.RALPH_VERBOSE,
      live: settings.RALPH_VERBOSE,
      quiet: args.quiet || args.json,
      plan: () => null,
    });
    try {
      const { plan } = site.findings.layout;
      const result = await importByAgent({
        project,
        settings,
        agent,
        host: createHost(project, context.env),
        document,
        source: sourceFile(context),
        plan: plan === null ? null : site.files.read(plan),
        // The command reports the end itself, after the run, once it knows what became of the answer.
        reader: {
          ...view.reader,
          onEvents: (steps) => view.reader.onEvents(steps.filter(({ event }) => event.type !== "run_finished")),
        },
        onRun: view.onRun,
        repeatCommand,
        dryRun: args["dry-run"],
        lacks: (answer) => findMissing(document, answer),
      });
      await view.onEnd({ exit_code: result.stopped === null ? 0 : STOP_REASONS[SIGNALLED[result.stopped]].exit });
      return { ...result, driver: agent.driver.name, displayName };
    } finally {
      view.close();
    }
  };
  return { ask, displayName, driver: agent.driver.name };
}

function sourceFile({ args, projectDir }: Context): string | null {
  const path = args.source === undefined ? null : resolve(projectDir, args.source);
  return path !== null && safeStat(path, { follows: true })?.isFile() === true ? realpathSync(path) : null;
}

/** Adds the way without an agent to the hint. */
function withoutAgent(error: unknown): never {
  if (error instanceof RalphError && error.code === "environment") {
    throw new RalphError("environment", error.message, {
      hint: [error.hint, "Or import without it: --no-agent"].filter((line) => line !== null).join("\n  "),
      cause: error,
    });
  }
  throw error;
}
