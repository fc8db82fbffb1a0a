import { createLocalOffset } from "../../effects/local-offset.ts";
import { canDraw } from "../terminal.ts";
import { createLiveView, type LinesView, type LiveViewOptions } from "./live-view.ts";
import type { RunViewOptions } from "./run-view.ts";

/**
 * The lines of a run, with a footer on a terminal.
 * @param more the keys of a run that takes some; the time and the note of a replay; what a swarm has in place of the status line
 */
export function linesView(
  { context, project, verbose, live, quiet, plan }: Omit<RunViewOptions, "ralphDir" | "how">,
  more: Partial<Pick<LiveViewOptions, "keys" | "now" | "note" | "footer" | "draws">> = {},
): LinesView {
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
    offsetAt: createLocalOffset(),
    plan,
    ...more,
  });
}
