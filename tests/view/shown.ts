import type { RalphEvent } from "../../src/core/journal/event.ts";
import { stepOf } from "../../src/core/journal/event-step.ts";
import { initialState, type State } from "../../src/core/journal/state.ts";
import { eventLines, type LineOptions } from "../../src/view/live/event-lines.ts";
import { footerLines, type LiveFooterInput } from "../../src/view/live/footer.ts";
import { shortener } from "../../src/view/text/path.ts";
import { style } from "../../src/view/text/style.ts";

const plain = { style: style(false), shorten: shortener("/project", false) };

/** The lines of a run in /project, without colour, 72 columns wide by default. */
export function linesOfRun(events: readonly RalphEvent[], more: Partial<LineOptions> = {}): string[] {
  const options = { ...plain, width: 72, verbose: false, live: true, toolsAsCalled: false, ...more };
  let state: State = initialState("/project");
  return events.flatMap((event) => {
    const step = stepOf(state, event);
    ({ state } = step);
    return eventLines(step, options);
  });
}

/** The footer below those lines. */
export function footerOf(state: State, about: Pick<LiveFooterInput, "now"> & Partial<LiveFooterInput>): string[] {
  return footerLines({ ...plain, state, partial: "", next: null, width: 80, note: "", takesKeys: false, ...about });
}
