import { RalphError } from "../../core/errors.ts";
import type { CommandContext } from "../context.ts";
import type { ExtendArgs } from "../definitions/extend.ts";
import { controlRun } from "../run/send-control.ts";

/**
 * `ralph extend [N]`: allows N more iterations than MAX_ITERATIONS.
 * @throws RalphError `usage` if N is not a number, `environment` if the run has no such bound
 */
export async function run(context: CommandContext<ExtendArgs>): Promise<number> {
  return controlRun(context, { command: "extend", iterations: parseIterations(context.args.iterations ?? "1") });
}

function parseIterations(text: string): number {
  const n = /^\d+$/.test(text) ? Number(text) : 0;
  if (n >= 1 && n <= 1000) return n;
  throw new RalphError("usage", `${JSON.stringify(text)} is no number of iterations from 1 to 1000.`);
}
