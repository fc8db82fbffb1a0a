import { checkRalphDir } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import { projectState } from "../project-state.ts";
import { recordInNewestRun } from "../reset.ts";
import { controlRun, refuseAgents } from "../run/send-control.ts";

/**
 * `ralph gates accept`: a person wants the gates as they are. A live run takes what its newest judgement found as the measure;
 * without one, the next run takes what it finds.
 * @throws RalphError `environment` if an agent asks, or this is no Ralph project
 */
export async function run(context: CommandContext): Promise<number> {
  const ralph = checkRalphDir(context.projectDir);
  if (refuseAgents(context, ralph) !== null) return controlRun(context, { command: "accept_gates" });
  const { state } = await projectState(context.projectDir);
  const isFrozen = state.gate_trust.frozen !== null;
  if (isFrozen) await recordInNewestRun(context, async ({ append }) => append({ type: "gate_accepted" }));
  if (!context.args.quiet)
    context.stdout(`${isFrozen ? "Accepted" : "Nothing is frozen"}: the next run takes the gates as it finds them.\n`);
  return 0;
}
