import { RalphError } from "../../core/errors.ts";
import { fieldsOf, num, str } from "../../core/json-value.ts";
import { projectTitle } from "../../core/project-name.ts";
import { systemClock } from "../../effects/clock.ts";
import { createHost } from "../../effects/host.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import type { PartOfRoutes } from "../../effects/ui/server.ts";
import { type Looked, readLooked, writeLooked } from "../../effects/user/looked.ts";
import { forgetProject } from "../../effects/user/project-list.ts";
import { diffPage } from "../../view/ui/diff-page.ts";
import { morningPage } from "../../view/ui/morning-page.ts";
import type { CommandContext } from "../context.ts";
import type { UiArgs } from "../definitions/ui.ts";
import { liveRun } from "../run/send-control.ts";
import { runDiff } from "../show/run-diff.ts";
import { taskDiff } from "../show/task-diff.ts";
import { knownUpdate } from "../update/known-update.ts";
import { contextIn } from "./act.ts";
import { createMorningReader } from "./morning.ts";
import { outdated } from "./outdated.ts";
import { projectWithId } from "./projects.ts";

const MOST_ACCEPTED = 2000;
/** A clock may be a little behind the one of a project's machine. */
const AHEAD_MS = 60_000;

/**
 * What home and the morning page ask, below /api/home and /api/morning.
 * @param projects the user's projects now, absolute
 * @param control whether the page may change something; `change` is only called with it
 */
export function homeRoutes(context: CommandContext<UiArgs>, projects: () => string[], control: boolean): PartOfRoutes {
  const user = createHost(context.projectDir, context.env);
  const morning = createMorningReader();
  return {
    async read(path, query) {
      if (path === "/api/morning")
        return { html: morningPage(await morning(projects(), readLooked(user), systemClock.now()), control) };
      if (path === "/api/home/update") return { json: knownUpdate(context.env, context.self) };
      if (path !== "/api/morning/diff" && path !== "/api/home/diff") return null;
      const projectDir = projectWithId(projects(), query.get("project"));
      if (path === "/api/home/diff") {
        const whole = await runDiff({ ...context, projectDir }, query.get("run"), null);
        return { html: diffPage(whole, control) };
      }
      const diff = await taskDiff({ ...context, projectDir }, query.get("task") ?? "", query.get("run"));
      return { html: diffPage(diff, control) };
    },
    async change(path, body) {
      const given = fieldsOf(body);
      if (path === "/api/morning/seen") {
        const looked = seen(readLooked(user), str(given.until) ?? "", systemClock.now());
        writeLooked(user, looked);
        return { json: { told: "Seen. From here on only what is new." } };
      }
      if (path === "/api/home/forget") {
        const project = projectWithId(projects(), str(given.project));
        if (liveRun(checkRalphDir(project)) !== null)
          throw new RalphError("environment", "A run is live in this project: end it first.");
        forgetProject(project, user);
        return { json: { told: `${projectTitle(project)} is off the list. Its next run puts it back.` } };
      }
      if (path !== "/api/morning/accept" && path !== "/api/morning/undo") return null;
      const project = projectWithId(projects(), str(given.project));
      if (path === "/api/morning/undo") return { json: { told: await undo(context, project, str(given.task) ?? "") } };
      const [run, mark, at] = [str(given.run), num(given.mark), str(given.at)];
      if (run === null || mark === null || at === null || Number.isNaN(Date.parse(at)))
        throw outdated("usage", "What is to be accepted is not named.");
      writeLooked(user, accepted(readLooked(user), { project, run, mark, at }));
      return { json: { told: "Accepted." } };
    },
  };
}

/** All up to a time was seen, and so is what was accepted before. @throws RalphError `usage` for a time that is none, or is to come */
function seen({ accepted: all }: Looked, until: string, now: number): Looked {
  const at = Date.parse(until);
  if (Number.isNaN(at) || at > now + AHEAD_MS)
    throw outdated("usage", `${until} is no time up to which something was seen.`);
  const looked_at = new Date(at).toISOString();
  return { looked_at, accepted: all.filter((one) => one.at > looked_at) };
}

function accepted(looked: Looked, work: Looked["accepted"][number]): Looked {
  return { ...looked, accepted: [...looked.accepted, work].slice(-MOST_ACCEPTED) };
}

/** As `ralph undo --task`, whose words it tells. @throws RalphError as that command */
async function undo(context: CommandContext<UiArgs>, project: string, task: string): Promise<string> {
  if (task === "") throw outdated("usage", "The task is not named.");
  const { run } = await import("../commands/undo.ts");
  const { here, told } = contextIn(context, project);
  await run({ ...here, args: { ...here.args, task, json: false, iteration: undefined, to: undefined } });
  return told();
}
