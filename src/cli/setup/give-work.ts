import { decideAnswers } from "../../setup/decide-answers.ts";
import { changesAnything } from "../../setup/scaffold.ts";
import { openAsker } from "../ask/ask.ts";
import { isGone } from "../ask/asker.ts";
import type { CommandContext } from "../context.ts";
import { askGoal, offersOf } from "./goal.ts";
import { inspectSite } from "./inspect-site.ts";
import { planSite } from "./plan-site.ts";
import { contentFrom } from "./task-content.ts";
import { writeProject } from "./write-project.ts";

/**
 * Asks what is to be done in a project that does not say it, and writes the answer into plan, specs and prompt.
 * @returns whether it says it now
 * @throws RalphError if what the user chose cannot be read
 */
export async function giveWork(context: CommandContext): Promise<boolean> {
  const site = inspectSite(context, null);
  const asker = await openAsker(context.env);
  asker.begin("Nothing says yet what is to be done");
  // An import by an agent is a run of its own, with questions of its own.
  const offers = offersOf(site).filter(({ value }) => value.from !== "agent");
  const goal = await askGoal(asker, offers, context.env);
  if (isGone(goal) || goal.from === "none" || goal.from === "agent") return false;
  const content = await contentFrom(site, goal, null);
  const { answers } = decideAnswers({ ...site, flags: {}, agents: [], preferred: null });
  const choices = { flags: {}, content, answers, force: false, migrate: false, shims: undefined, self: context.self };
  const { layout } = site.findings;
  const written = new Set([layout.plan ?? ".ralph/@fix_plan.md", layout.prompt, ".ralph/.setup.json"]);
  const actions = planSite(site, choices).filter(
    ({ path }) => written.has(path) || content.files.some((file) => file.path === path),
  );
  if (content.tasks.length === 0 || !changesAnything(actions)) return false;
  await writeProject(context, site, actions, content);
  return true;
}
