import { RalphError } from "../../core/errors.ts";
import { START_RUN_HINT } from "../../core/text/hints.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { checkRalphDir } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import { projectState, stateToGoOnWith } from "../project-state.ts";
import { contextOfRun, leavesSwarm, leavesWork, nextRun } from "../run/go-on.ts";
import { controlRun, liveRun, steeringRefusal } from "../run/send-control.ts";
import { run as startRun } from "./run.ts";

/**
 * `ralph resume`: ends a pause. Where no run is live it begins one that goes on with the work of the newest, with the
 * same task and flags.
 * @throws RalphError `environment` if there is nothing to go on with
 */
export async function run(context: CommandContext): Promise<number> {
  const ralph = checkRalphDir(context.projectDir);
  if (steeringRefusal(context.env) !== null || liveRun(ralph) !== null)
    return controlRun(context, { command: "resume" });
  const { state } = await projectState(context.projectDir);
  const work = await stateToGoOnWith(context.projectDir, state);
  if (!leavesWork(work))
    throw new RalphError(
      "environment",
      state.finished === null
        ? "No run is live in this project."
        : `No run is live in this project, and the newest one is over: ${singleLine(state.finished.sentence)}`,
      { hint: leavesSwarm(work) ? `Go on with: ${nextRun(work)}` : START_RUN_HINT },
    );
  return startRun(contextOfRun(work, context));
}
