import { relative, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { FoundAgent } from "../../setup/decide-answers.ts";
import { openAsker } from "../ask/ask.ts";
import type { CommandContext } from "../context.ts";
import type { ImportArgs } from "../definitions/import.ts";
import { agentsAt, holdsNothingBut, inspectSite, type Site } from "../setup/inspect-site.ts";
import { shellWord } from "../setup/next-command.ts";
import { requirePlan } from "../setup/plan-site.ts";
import { canAsk } from "../terminal.ts";
import { agentsToAsk, type ImportAgent, prepareAgent } from "./ask-agent.ts";
import { type ImportSource, isDetailedEnough } from "./find-content.ts";
import { askImporter, askPlace } from "./import-questions.ts";
import { roughSentence } from "./import-report.ts";
import { shownFolder, type Target } from "./import-target.ts";

type Context = CommandContext<ImportArgs>;

/** What is settled before anything is made or spent. */
export type ImportSetup = {
  site: Site;
  agents: readonly FoundAgent[];
  /** The agent that reads the document; null for an import by rules. */
  agent: ImportAgent | null;
  /** The command that repeats the import. */
  repeatCommand: string;
};

/** Whether the user can be asked. */
export function isInteractive({ args, isTty, env }: Context): boolean {
  return canAsk({ isTty, env }) && !args.yes && !args.json && !args["dry-run"];
}

/**
 * Settles where the project goes and who reads the document, and asks what remains open. Null if the user cancels.
 * @throws RalphError `environment` if the plan cannot take tasks, or the agent cannot be used and there is nobody to choose another way
 */
export async function prepareImport(
  context: Context,
  target: Target,
  source: ImportSource,
): Promise<ImportSetup | null> {
  const { args, projectDir } = context;
  const asker = isInteractive(context) ? await openAsker(context.env) : null;
  asker?.begin("ralph import");
  const isBare = holdsOnly(projectDir, args.source ?? "");
  let place = target.name;
  if (asker !== null && target.isOpen && target.name !== null) {
    const chosen = await askPlace(asker, target.name, isBare);
    if (chosen === undefined) return null;
    place = chosen;
  }
  const site = siteAt(context, target, place, isBare);
  if (site.dir !== projectDir && !target.isOpen)
    asker?.say("info", `The project is ${shownFolder(projectDir, site.dir)}`);
  requirePlan(site);
  const agents = await agentsAt(site, context.env, context.settings.PLATFORM_DRIVER?.text);
  const repeatCommand = repeatCommandFor(context, target.isOpen && place !== target.name ? (place ?? ".") : null);
  const rules = { site, agents, agent: null, repeatCommand };
  const rough = "document" in source ? roughSentence(source.document) : null;
  if (!("document" in source) || !(args.agent ?? !isDetailedEnough(source.issue))) {
    if (rough !== null) context.log.warn(rough);
    return rules;
  }
  if (asker === null) return { ...rules, agent: await prepareAgent(context, site, agents, null) };

  const { usable, problem } = await usableAgents(context, site, agents);
  if (problem !== null) asker.say("warn", problem);
  if (rough !== null) asker.say("warn", rough);
  const who = await askImporter(asker, source.document.name, usable);
  if (who === null) return null;
  return { ...rules, agent: usable.find(({ driver }) => who !== "rules" && driver === who.agent) ?? null };
}

/** Inspects the place. A folder that holds nothing but the document counts as new. */
function siteAt(context: Context, { from }: Target, place: string | null, isBare: boolean): Site {
  const site = inspectSite({ ...context, projectDir: from }, place);
  return isBare && site.dir === context.projectDir ? { ...site, isNew: true } : site;
}

/** Whether a folder holds the source, a repository, and nothing else. */
function holdsOnly(folder: string, source: string): boolean {
  const path = resolve(folder, source);
  return path !== folder && holdsNothingBut(folder, [relative(folder, path)]);
}

/** The agents that the user may choose from, or why there are none. */
async function usableAgents(
  context: Context,
  site: Site,
  agents: readonly FoundAgent[],
): Promise<{ usable: ImportAgent[]; problem: string | null }> {
  const wanted = agentsToAsk(context, site, agents);
  if (wanted.length === 0) {
    return { usable: [], problem: "No agent is installed here: ralph doctor says how to get one." };
  }
  const usable: ImportAgent[] = [];
  const problems: string[] = [];
  for (const { name } of wanted) {
    try {
      usable.push(await prepareAgent(context, site, agents, name));
    } catch (error) {
      if (!(error instanceof RalphError) || error.code !== "environment") throw error;
      problems.push([error.message, ...(error.hint?.split("\n").slice(0, 1) ?? [])].join("\n"));
    }
  }
  return { usable, problem: usable.length > 0 ? null : problems.join("\n") };
}

/** @param folder the chosen folder; null if the command finds it by itself */
function repeatCommandFor({ args, settings }: Context, folder: string | null): string {
  const driver = settings.PLATFORM_DRIVER?.text;
  const flags = Object.entries({ "--from": args.from, "--driver": driver });
  const words = [args.source, args.folder ?? folder, ...flags.flatMap(([name, value]) => (value ? [name, value] : []))];
  return ["ralph", "import", ...words.filter((word) => typeof word === "string").map(shellWord)].join(" ");
}
