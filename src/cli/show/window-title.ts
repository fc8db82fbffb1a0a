import { runTitle } from "../../core/run-title.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import { oscTitle, oscTitleEnd } from "../../view/text/osc.ts";
import type { CommandContext } from "../context.ts";
import { canDraw } from "../terminal.ts";

/** The title of the terminal's window, or of the tmux pane, during a run: "Ralph Loop", the agent and the task or project. */
export type WindowTitle = { reader: EventSubscriber; close(): void };

/** Leaves a stdout that is no terminal, and a title that nobody set, as they are. */
export function createWindowTitle(context: Pick<CommandContext, "raw" | "isTty" | "env">): WindowTitle {
  let isSet = false;
  return {
    reader: {
      name: "the window's title",
      onEvents(steps) {
        const state = steps.at(-1)?.state;
        if (isSet || state === undefined || !canDraw(context)) return;
        isSet = true;
        const title = ["Ralph Loop", state.display_name, runTitle(state)].join(" · ");
        context.raw(oscTitle(title, context.env));
      },
    },
    close() {
      if (isSet) context.raw(oscTitleEnd(context.env));
      isSet = false;
    },
  };
}
