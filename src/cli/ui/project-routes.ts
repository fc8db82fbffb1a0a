import { RalphError } from "../../core/errors.ts";
import { fieldsOf, str } from "../../core/json-value.ts";
import { projectTitle } from "../../core/project-name.ts";
import { masksOf } from "../../core/secrets/mask.ts";
import { SETTING_NAMES, settingSpec } from "../../core/settings/settings.ts";
import { reasonOf } from "../../core/system-error.ts";
import { listedInPlan, saidPlaces } from "../../core/tasks/task-graph.ts";
import type { PartOfRoutes } from "../../effects/ui/server.ts";
import { type ProjectPage, projectPage } from "../../view/ui/project-page.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { loadSettings } from "../load-settings.ts";
import { openPlan } from "../plan-file.ts";
import { givenText, sourceText, warningText } from "../show/config-text.ts";
import { contextIn } from "./act.ts";
import { outdated } from "./outdated.ts";
import { projectId, projectWithId } from "./projects.ts";

/**
 * The plan and the settings of a project, below /api/project.
 * @param projects the user's projects now, absolute
 * @param control whether the page may change something; `change` is only called with it
 */
export function projectRoutes(
  context: CommandContext<UiArgs>,
  projects: () => string[],
  control: boolean,
): PartOfRoutes {
  return {
    async read(path, query) {
      if (path !== "/api/project") return null;
      const project = projectWithId(projects(), query.get("project"));
      return { html: projectPage({ ...contentOf({ ...context, projectDir: project }), control }) };
    },
    async change(path, body) {
      if (path !== "/api/project") return null;
      const given = fieldsOf(body);
      const project = projectWithId(projects(), str(given.project));
      return { json: { told: await changed(context, project, given) } };
    },
  };
}

/** What the page shows, with secrets masked as `ralph config` masks them. */
function contentOf(context: CommandContext<UiArgs>): Omit<ProjectPage, "control"> {
  const { projectDir } = context;
  const resolved = loadSettings(context);
  const mask = masksOf(resolved.settings, context.env).text;
  return {
    id: projectId(projectDir),
    title: projectTitle(projectDir),
    path: projectDir,
    plan: planOf(context),
    settings: SETTING_NAMES.map((name) => {
      const given = givenText(name, resolved);
      const value = mask(given);
      const from = resolved.sources[name].source;
      const source = sourceText(resolved, name);
      const isFixed = value !== given || from === "env";
      return { name, value, source, isDefault: from === "default", isFixed, help: settingSpec(name).help };
    }),
    warnings: resolved.warnings.map((warning) => mask(warningText(warning))),
  };
}

function planOf(context: CommandContext<UiArgs>): ProjectPage["plan"] {
  try {
    const { name, plan } = openPlan(context);
    const said = saidPlaces(listedInPlan(plan));
    const tasks = plan.boxes.map(({ text, section, isDone, optional }, at) => ({
      number: at + 1,
      after: said(at).map((place) => place + 1),
      text,
      section,
      done: isDone,
      optional,
    }));
    return { name, tasks };
  } catch (error) {
    return { fault: reasonOf(error) };
  }
}

/**
 * Changes plan or settings as the command of that name does.
 * @returns what the command prints
 * @throws RalphError as the command, or if a task that is meant is another one by now
 */
async function changed(
  context: CommandContext<UiArgs>,
  project: string,
  given: Record<string, unknown>,
): Promise<string> {
  const { here, told } = contextIn(context, project);
  const words = (name: string) => (str(given[name]) ?? "").trim();
  const what = words("do");
  const number = sameTask(here, words("number"), str(given.text));
  const other = sameTask(here, words("other"), str(given.other_text));
  const text = [words("words")];
  const place = { section: undefined, high: false, medium: false, low: false, before: undefined, after: undefined };
  if (what === "add") {
    const after = words("after") === "" ? undefined : words("after");
    const { run } = await import("../commands/plan-add.ts");
    await run({ ...here, args: { ...here.args, ...place, text, after } });
  } else if (what === "up" || what === "down") {
    const { run } = await import("../commands/plan-move.ts");
    const [moved, before] = what === "up" ? [number, other] : [other, number];
    await run({ ...here, args: { ...here.args, number: moved, before } });
  } else if (what === "done" || what === "open") {
    const { run } = await (what === "done" ? import("../commands/plan-done.ts") : import("../commands/plan-open.ts"));
    await run({ ...here, args: { ...here.args, number } });
  } else if (what === "skip") {
    const { run } = await import("../commands/plan-skip.ts");
    await run({ ...here, args: { ...here.args, number } });
  } else if (what === "after") {
    const { run } = await import("../commands/plan-after.ts");
    const others = words("words")
      .split(/[\s,]+/)
      .filter((word) => word !== "");
    await run({ ...here, args: { ...here.args, number, others } });
  } else if (what === "reword") {
    const { run } = await import("../commands/plan-edit.ts");
    if (text[0] === "") throw new RalphError("usage", "The task would have no words.");
    await run({ ...here, args: { ...here.args, number, text } });
  } else if (what === "set") {
    const { run } = await import("../commands/config-set.ts");
    await run({ ...here, args: { ...here.args, words: [words("setting"), words("value")], user: false } });
  } else if (what === "unset") {
    const { run } = await import("../commands/config-unset.ts");
    await run({ ...here, args: { ...here.args, names: [words("setting")], user: false } });
  } else throw outdated("usage", "What is to be done is not named.");
  return told();
}

/**
 * The number of a task that the page shows, if it has the same words still: somebody may have changed the plan meanwhile.
 * @throws RalphError `environment` if it is another task by now
 */
function sameTask(context: CommandContext<UiArgs>, number: string, text: string | null): string {
  if (number === "") return number;
  const task = openPlan(context).plan.boxes[Number(number) - 1];
  if (task !== undefined && task.text === text) return number;
  throw new RalphError("environment", `Task ${number} is another one by now: the plan was changed.`, {
    hint: "It is shown as it is now. Try again.",
  });
}
