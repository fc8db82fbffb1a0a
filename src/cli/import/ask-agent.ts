import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { createHost } from "../../effects/host.ts";
import { isRalphProject } from "../../effects/project-files.ts";
import type { FoundAgent } from "../../setup/decide.ts";
import type { SourceDocument } from "../../setup/import/convert.ts";
import { chooseAgent, driverLookup, requireAgent } from "../agent-choice.ts";
import type { CommandContext } from "../context.ts";
import type { IMPORT } from "../definitions.ts";
import { createLiveView } from "../live-view.ts";
import { loadSettings } from "../load-settings.ts";
import type { Site } from "../setup/look-around.ts";
import { type AgentImportResult, importByAgent } from "./agent-import.ts";
import { lacksOf } from "./document-content.ts";

type Context = CommandContext<typeof IMPORT.args>;

/** An agent that was asked for its name, and what came of asking it for more. */
export type Asked = AgentImportResult & { driver: string };

/** The agent that an import would ask, checked before anything is made or spent. */
export type Ready = { ask(): Promise<Asked>; displayName: string; driver: string };

/**
 * Finds the agent, and what it takes to ask it.
 * @throws RalphError `environment` if it cannot be used, `config` for settings that are refused
 */
export async function readyAgent(
  context: Context,
  site: Site,
  document: SourceDocument,
  agents: readonly FoundAgent[],
): Promise<Ready> {
  const resolved = loadSettings({ settings: context.settings, env: context.env, projectDir: site.dir });
  const isOpen = resolved.sources.PLATFORM_DRIVER.source === "default";
  const first = agents.find(({ available }) => available)?.name;
  const settings = isOpen && first !== undefined ? { ...resolved.settings, PLATFORM_DRIVER: first } : resolved.settings;
  const agent = await chooseAgent(driverLookup({ ...resolved, settings }, site.host, context), context.self).catch(
    withoutAgent,
  );
  await requireAgent(agent, site.host).catch(withoutAgent);
  if (agent.driver.supportsReadOnly !== true) {
    throw new RalphError(
      "environment",
      `${agent.driver.displayName} cannot be held to reading, and an import only reads.`,
      { hint: HINT },
    );
  }
  const ask = async () => {
    const project = workFolder(context, site);
    const view = createLiveView({
      output: { write: context.stderr },
      isTty: context.isTty.stderr && context.env.TERM !== "dumb" && !context.args.quiet,
      color: context.color,
      width: () => process.stdout.columns ?? context.columns,
      project,
      verbose: settings.RALPH_VERBOSE,
      live: settings.RALPH_VERBOSE,
      quiet: context.args.quiet || context.args.json,
      now: Date.now,
      plan: () => null,
    });
    try {
      const host = createHost(project, context.env);
      const { plan } = site.findings.layout;
      const input = {
        project,
        settings,
        agent,
        host,
        document,
        plan: plan === null ? null : site.files.read(plan),
        reader: view.reader,
      };
      const result = await importByAgent({ ...input, lacks: (answer) => lacksOf(document, answer) });
      return { ...result, driver: agent.driver.name };
    } finally {
      view.close();
      if (project.startsWith(join(realpathSync(tmpdir()), "ralph-import-")) && context.args["dry-run"])
        rmSync(project, { recursive: true, force: true });
    }
  };
  return { ask, displayName: agent.driver.displayName, driver: agent.driver.name };
}

/** The project's folder; one of its own where nothing may change and no project is there to keep the journal. */
function workFolder({ args }: Context, { dir }: Site): string {
  if (args["dry-run"] && !(existsSync(dir) && isRalphProject(dir)))
    return realpathSync(mkdtempSync(join(tmpdir(), "ralph-import-")));
  mkdirSync(dir, { recursive: true });
  return realpathSync(dir);
}

const HINT = "Choose another with --driver, or import by rules alone: --no-agent";

/** Without an agent there is still a way. */
function withoutAgent(error: unknown): never {
  if (error instanceof RalphError && error.code === "environment") {
    throw new RalphError("environment", error.message, {
      hint: [error.hint, "Or import without it: --no-agent"].filter((line) => line !== null).join("\n  "),
      cause: error,
    });
  }
  throw error;
}
