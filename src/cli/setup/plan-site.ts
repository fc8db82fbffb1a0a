import { basename, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { parsePlan } from "../../core/plan/fix-plan.ts";
import { count } from "../../core/text/count.ts";
import { findBuiltIn } from "../../driver-host/registry.ts";
import { sha256Of } from "../../effects/files/sha256.ts";
import { READ_HINT, requireText } from "../../effects/project/project-paths.ts";
import { readOwnTemplates } from "../../effects/user/own-templates.ts";
import type { Answers } from "../../setup/answers.ts";
import type { FoundAgent, SetupFlags } from "../../setup/decide-answers.ts";
import { namesOldPlaces } from "../../setup/migrate.ts";
import { type Content, prepareProject } from "../../setup/prepare.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import { placesOf } from "../../setup/scaffold-files.ts";
import { planShims } from "../../setup/shims.ts";
import { TEMPLATES } from "../../setup/templates.ts";
import { VERSION } from "../../version.ts";
import type { Site } from "./inspect-site.ts";
import { nextCommand } from "./next-command.ts";

/** The decisions about a folder. */
export type Choices = {
  flags: SetupFlags;
  content: Content;
  answers: Answers;
  force: boolean;
  migrate: boolean;
  /** Whether the originals' scripts should call this program; undefined leaves them unchanged. */
  shims: boolean | undefined;
  /** The command that starts this program. */
  self: readonly string[];
};

/**
 * Requires that a plan which is there can take tasks. One that is not read would keep as it is, and the tasks be lost.
 * @throws RalphError `environment` if it is no UTF-8 text, or a link out of the project
 */
export function requirePlan({ dir, files, findings }: Pick<Site, "dir" | "files" | "findings">): void {
  const { plan } = placesOf(findings.layout);
  if (!files.exists(plan) || files.read(plan) !== null) return;
  const path = join(dir, plan);
  requireText(path, "The plan", READ_HINT);
  throw new RalphError("environment", `The plan ${path} is a link that leads outside the project.`, {
    hint: "Replace it with a real file.",
  });
}

/**
 * The changes that a set-up would make to the folder.
 * @throws RalphError `environment` if there are tasks and the plan cannot take them
 */
export function planSite(site: Site, choices: Choices): FileAction[] {
  if (choices.content.tasks.length > 0) requirePlan(site);
  const { files, findings, isNew } = site;
  const { layout, hasSource } = findings;
  const templates = { ...TEMPLATES, ...readOwnTemplates(Object.keys(TEMPLATES), site.host) };
  const looks =
    findBuiltIn(choices.answers.driver)?.driver.supportsReadOnly === true && choices.answers.driver !== "demo";
  const preparation = { ...choices, looks, templates, files, layout, isNew, hasSource, version: VERSION };
  const actions = prepareProject(preparation, sha256Of);
  const { shims, self } = choices;
  return shims === undefined ? actions : [...actions, ...planShims(shims, files, self)];
}

/** Number of tasks that this set-up added to the plan. */
export function importedTasks(actions: readonly FileAction[], content: Content): number {
  const action = actions.find(({ path }) => /fix_plan\.md$/.test(path));
  return action?.kind === "create" || action?.kind === "merge" ? content.tasks.length : 0;
}

type Planned = { actions: readonly FileAction[]; agents: readonly FoundAgent[]; answers: Answers };

/** The command to type next. Call it before anything is written: it reads the folder as it was. */
export function nextCommandFor(
  { projectDir }: { projectDir: string },
  site: Site,
  { actions, agents, answers }: Planned,
): ReturnType<typeof nextCommand> {
  const planned = actions.find(({ path }) => /fix_plan\.md$/.test(path));
  const text =
    planned !== undefined && "content" in planned
      ? planned.content
      : planned === undefined
        ? null
        : site.files.read(planned.path);
  const tasks = parsePlan(text ?? "", []).counts;
  const plan = planned?.kind === "move" ? planned.to : (planned?.path ?? ".ralph/@fix_plan.md");
  return nextCommand(site, { here: projectDir, plan, tasks, driver: answers.driver, agents });
}

/** What the user should check. Call it before anything is written. */
export function warnings(site: Site, actions: readonly FileAction[], { questions = [] }: Content): string[] {
  const asked = questions.length === 0 ? [] : [questionsSentence(questions.length)];
  return [...movedWarnings(site, actions), ...templateWarnings(actions), ...asked];
}

/** Where the open questions of a document wait for an answer. */
export function questionsSentence(number: number): string {
  return `${count(number, "open question")}: answer ${number === 1 ? "it" : "them"} with \`ralph inbox\`.`;
}

/** A prompt of a user's own, or of the originals, may be made for other places than the project has. */
function templateWarnings(actions: readonly FileAction[]): string[] {
  const plan = actions.find(({ path }) => /fix_plan\.md$/.test(path))?.path ?? "";
  return actions.flatMap((action) => {
    const template = "template" in action ? action.template : undefined;
    if (template === undefined || basename(template) !== "PROMPT.md" || !("content" in action)) return [];
    if (action.content.includes(plan)) return [];
    return [`Your template ${template} does not name the plan of this project, ${plan}: {{PLAN}} stands for it.`];
  });
}

function movedWarnings(site: Site, actions: readonly FileAction[]): string[] {
  const moved = actions.find((action) => action.kind === "move" && action.path === "PROMPT.md");
  if (moved === undefined || !namesOldPlaces(site.files.read("PROMPT.md") ?? "")) return [];
  return ["Look through .ralph/PROMPT.md: it names files at their old places (specs/, @fix_plan.md, …)."];
}
