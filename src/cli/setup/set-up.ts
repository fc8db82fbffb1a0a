import { decideAnswers, type FoundAgent, type SetupDecision, type SetupFlags } from "../../setup/decide-answers.ts";
import type { Content } from "../../setup/prepare.ts";
import { changesAnything, type FileAction } from "../../setup/scaffold.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { SetupArgs } from "../definitions/setup.ts";
import { patchLines } from "../import/import-report.ts";
import type { Site } from "./inspect-site.ts";
import { afterRefusal } from "./next-command.ts";
import { nextCommandFor, planSite, warnings } from "./plan-site.ts";
import { refusalWarning } from "./settings-warning.ts";
import { writeProject } from "./write-project.ts";

type Context = CommandContext<SetupArgs>;

/** What a set-up works on, and what was answered so far. */
export type SetUp = {
  context: Context;
  site: Site;
  agents: readonly FoundAgent[];
  flags: SetupFlags;
  content: Content;
  migrate: boolean;
};

/** The answers to all questions of a set-up, and those that are open. */
export function decisionOf({ context, site, agents, flags }: Pick<SetUp, "context" | "site" | "agents" | "flags">) {
  return decideAnswers({ ...site, flags, agents, preferred: context.env.PLATFORM_DRIVER ?? null });
}

/** What a set-up would change, and the command to type after it. Call it before anything is written. */
export function planned(setUp: SetUp): {
  actions: FileAction[];
  answers: SetupDecision["answers"];
  next: ReturnType<typeof nextCommandFor>;
} {
  const { context, site, agents } = setUp;
  const { answers } = decisionOf(setUp);
  const { force, shims } = context.args;
  const actions = planSite(site, { ...setUp, answers, force, shims, self: context.self });
  return { actions, answers, next: nextCommandFor(context, site, { actions, agents, answers }) };
}

/**
 * Writes what is planned, unless it is only to be shown.
 * @returns what was done, notes on what a person should look at, and what would be done as lines of a patch
 */
export async function carryOut(
  setUp: SetUp,
): Promise<ReturnType<typeof planned> & { wrote: boolean; notes: string[]; patch: string[] }> {
  const { context, site, content } = setUp;
  const plan = planned(setUp);
  // It looks at the folder before the writing moves old files.
  const notes = warnings(site, plan.actions, content);
  if (context.args["dry-run"]) {
    const styles = context.isTty.stdout ? style(context.color) : null;
    return { ...plan, wrote: false, notes, patch: ["", ...patchLines(site, plan.actions, styles)] };
  }
  const wrote = changesAnything(plan.actions);
  if (wrote) await writeProject(context, site, plan.actions, content);
  const refusals = refusalWarning(context, site.dir);
  const next = refusals.length === 0 ? plan.next : afterRefusal(plan.next);
  return { ...plan, next, wrote, notes: [...notes, ...refusals], patch: [] };
}
