import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ControlCommand } from "../core/control.ts";
import { RalphError } from "../core/errors.ts";
import { CONTROL_DIR, sendControl } from "../effects/control.ts";
import { readLock } from "../effects/lock.ts";
import { checkRalphDir } from "../effects/project-files.ts";
import type { CommandContext } from "./context.ts";

const TAKEN_WITHIN_MS = 3000;
const LOOK_MS = 15;

/** The run that lives in a project now, by its lock; null for none. */
export function liveRun(ralphDir: string): string | null {
  const lock = readLock(join(ralphDir, "lock"));
  return lock?.isHeld === true ? lock.run : null;
}

/** Why this process may not steer a run, in words; null if it may. An agent must not steer the loop that it works in. */
export function whyNotSteer(env: Readonly<Record<string, string | undefined>>): string | null {
  return (env.RALPH_RUN ?? "") === "" ? null : "An agent may not steer the run that it works for.";
}

/**
 * Tells the project's live run something, and waits until the run has it.
 * @returns the run; `taken` is false if it does not listen just now: it will have it when it does
 * @throws RalphError `environment` if no run lives, it is another user's, or this process belongs to an agent
 */
export async function tellRun(
  { projectDir, env }: Pick<CommandContext, "projectDir" | "env">,
  command: ControlCommand,
): Promise<{ run: string; taken: boolean }> {
  const refusal = whyNotSteer(env);
  if (refusal !== null) throw new RalphError("environment", refusal, { hint: "This shell carries RALPH_RUN." });
  const ralph = checkRalphDir(projectDir);
  const run = liveRun(ralph);
  if (run === null)
    throw new RalphError("environment", "No run lives in this project.", { hint: "Start one with: ralph run" });
  const sent = sendControl(join(ralph, CONTROL_DIR), run, command, Date.now());
  for (const end = Date.now() + TAKEN_WITHIN_MS; !sent.taken() && Date.now() < end; ) await sleep(LOOK_MS);
  return { run, taken: sent.taken() };
}

/** Tells the run, and says what comes of it. @returns the exit code */
export async function tellAndSay(
  context: Pick<CommandContext, "projectDir" | "env" | "stdout" | "args">,
  command: ControlCommand,
  sentence: string,
): Promise<number> {
  const { run, taken } = await tellRun(context, command);
  const words = taken ? sentence : `Run ${run} does not answer just now; it will hear this when it goes on.`;
  if (!context.args.quiet) context.stdout(`${words}\n`);
  return 0;
}
