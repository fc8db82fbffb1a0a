import { canDraw } from "../terminal.ts";
import { createLiveView, type KeyArea, type LinesView } from "./live-view.ts";
import type { RunViewOptions } from "./run-view.ts";

/** The lines of a run, with a footer on a terminal. */
export function linesView({ context, project, verbose, live, quiet, plan }: RunViewOptions, keys?: KeyArea): LinesView {
  return createLiveView({
    output: { write: context.raw },
    isTty: context.isTty.stdout,
    draws: canDraw(context),
    color: context.color,
    width: () => context.columns,
    project,
    verbose,
    live,
    quiet,
    now: Date.now,
    plan,
    ...(keys === undefined ? {} : { keys }),
  });
}
