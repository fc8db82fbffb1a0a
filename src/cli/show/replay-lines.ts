import process from "node:process";
import type { RalphEvent } from "../../core/journal/event.ts";
import { type EventStep, stepOf } from "../../core/journal/event-step.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { openKeys } from "../../effects/terminal/key-input.ts";
import { pendingMs } from "../../view/dashboard/parse-keys.ts";
import { eventLines } from "../../view/live/event-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { ReplayArgs } from "../definitions/replay.ts";
import { canDraw } from "../terminal.ts";
import type { LiveView } from "./live-view.ts";
import { createPace, type Pace } from "./replay-pace.ts";
import { linesView } from "./run-view-lines.ts";

type Context = CommandContext<ReplayArgs>;

export type ReplayLinesOptions = {
  events: Iterable<RalphEvent>;
  isTerminal: boolean;
  /** Null to print all at once. */
  speed: number | null;
  /** The iteration to start from; null for the beginning. */
  from: number | null;
  /** Whether something other than a key ended the replay. */
  isEnded(): boolean;
};

/**
 * Plays a run back in lines, by the view that showed it.
 * @returns false if there is no such iteration to start from
 */
export async function replayLines(context: Context, options: ReplayLinesOptions): Promise<boolean> {
  const { events, isTerminal, speed, from, isEnded } = options;
  const keys = isTerminal ? openKeys({ input: process.stdin, output: process.stdout }, { pendingMs }) : null;
  let view: LiveView | null = null;
  // An empty partial text redraws the status line; a replay has no other.
  const onChange = () => view?.onPartial(() => "");
  const isPaused = context.args.step ?? false;
  const pace = speed === null ? null : createPace({ speed, isPaused, keys, onChange, isEnded });
  let began = from === null;
  try {
    for (const step of stepsOf(context, events)) {
      began ||= step.event.type === "iteration_started" && step.event.number === from;
      view ??= viewOf(context, step, pace);
      if (!began) continue;
      await pace?.before(Date.parse(step.event.at), () => showsSomething(context, step));
      if (pace?.hasLeft() ?? isEnded()) break;
      view.reader.onEvents([step]);
    }
  } finally {
    view?.close();
    keys?.close();
  }
  return began;
}

function* stepsOf({ projectDir }: Context, events: Iterable<RalphEvent>): Generator<EventStep> {
  let state: State = initialState(projectDir);
  for (const event of events) {
    const step = stepOf(state, event);
    ({ state } = step);
    yield step;
  }
}

/** The view with the run's own settings; only the terminal is the current one. */
function viewOf(context: Context, { state }: EventStep, pace: Pace | null): LiveView {
  const { live = true, quiet } = context.args;
  return linesView(
    { context, project: state.project, verbose: isVerbose(context, state), live, quiet, plan: () => null },
    { now: () => pace?.now() ?? 0, note: () => pace?.note() ?? "" },
  );
}

function isVerbose(context: Context, state: State): boolean {
  return context.settings.RALPH_VERBOSE?.text === "true" || state.settings.RALPH_VERBOSE === true;
}

function showsSomething(context: Context, step: EventStep): boolean {
  const options = {
    width: 80,
    style: style(false),
    shorten: (text: string) => text,
    verbose: isVerbose(context, step.state),
    live: context.args.live ?? true,
    toolsAsCalled: !canDraw(context),
  };
  return eventLines(step, options).length > 0;
}
