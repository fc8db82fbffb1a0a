import type { SwarmYard } from "../../effects/ports.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import { swarmLines } from "../../view/swarm-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { SwarmArgs } from "../definitions/swarm.ts";
import { canDraw } from "../terminal.ts";
import { journalPrinter } from "./run-view.ts";
import { linesView } from "./run-view-lines.ts";

/** A swarm as it happens: what becomes of tasks above, on a terminal a line for each worker below. Elsewhere, lines with times. */
export function openSwarmView(
  context: CommandContext<SwarmArgs>,
  yard: Pick<SwarmYard, "workers" | "newest">,
  verbose: boolean,
): { reader: EventSubscriber; close(): void } {
  const { json, quiet } = context.args;
  if (json) return { reader: journalPrinter(context), close: () => {} };
  return linesView(
    { context, project: context.projectDir, verbose, live: false, quiet, plan: () => null },
    {
      draws: canDraw(context) && !quiet,
      footer(state) {
        const workers = yard.workers.map((worker) => ({ name: worker.name, run: yard.newest(worker) }));
        return swarmLines({ state, workers, width: context.columns, style: style(context.color), now: Date.now() });
      },
    },
  );
}
