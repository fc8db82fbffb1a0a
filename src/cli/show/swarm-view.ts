import { initialState, type State } from "../../core/journal/state.ts";
import { foldsCase } from "../../core/project-path.ts";
import type { SwarmYard } from "../../effects/ports.ts";
import { plainPrinter, terminalPrinter } from "../../effects/terminal/printer.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import { eventLines } from "../../view/live/event-lines.ts";
import { swarmLines } from "../../view/swarm-lines.ts";
import { shortener } from "../../view/text/path.ts";
import { style } from "../../view/text/style.ts";
import { columns } from "../../view/text/text.ts";
import type { CommandContext } from "../context.ts";
import type { SwarmArgs } from "../definitions/swarm.ts";
import { canDraw } from "../terminal.ts";
import { PLAIN_COLUMNS, stamped } from "./live-view.ts";
import { journalPrinter } from "./run-view.ts";

const TICK_MS = 1000;

/** A swarm as it happens: what becomes of tasks above, on a terminal a line for each worker below. Elsewhere, lines with times. */
export function openSwarmView(
  context: CommandContext<SwarmArgs>,
  yard: Pick<SwarmYard, "workers" | "newest">,
  verbose: boolean,
): { reader: EventSubscriber; close(): void } {
  const { args, isTty, color, projectDir } = context;
  if (args.json) return { reader: journalPrinter(context), close: () => {} };
  const output = { write: context.raw };
  const draws = canDraw(context) && !args.quiet;
  const rowsOf = (line: string) => Math.max(1, Math.ceil(columns(line) / context.columns));
  const printer = draws ? terminalPrinter(output, rowsOf) : plainPrinter(output);
  const options = {
    ...{ style: style(color), verbose, live: false, toolsAsCalled: false },
    shorten: shortener(projectDir, foldsCase(process.platform)),
  };
  let state: State = initialState(projectDir);
  const footer = () => {
    if (!draws) return [];
    const workers = yard.workers.map((worker) => ({ name: worker.name, run: yard.newest(worker) }));
    return swarmLines({ state, workers, width: context.columns, style: options.style, now: Date.now() });
  };
  const ticker = draws ? setInterval(() => printer.print([], footer()), TICK_MS) : null;
  ticker?.unref();
  return {
    reader: {
      name: "the live view",
      onEvents(steps) {
        const width = isTty.stdout ? context.columns : PLAIN_COLUMNS;
        const lines = steps.flatMap((step) => {
          if (args.quiet && step.event.type !== "run_finished") return [];
          const own = eventLines(step, { ...options, width });
          return isTty.stdout ? own : stamped(own, step.event.at);
        });
        state = steps.at(-1)?.state ?? state;
        if (lines.length > 0) printer.print(lines, footer());
      },
    },
    close() {
      if (ticker !== null) clearInterval(ticker);
      printer.close();
    },
  };
}
