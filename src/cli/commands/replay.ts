import { join } from "node:path";
import { setTimeout as sleep, setImmediate as turnOfLoop } from "node:timers/promises";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/event.ts";
import { restBefore } from "../../core/replay.ts";
import { initialState, reduce, type State } from "../../core/state.ts";
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal-read.ts";
import { type Keys, openKeys } from "../../effects/keys.ts";
import { checkRalphDir } from "../../effects/project-files.ts";
import type { Step } from "../../run/recorder.ts";
import { linesOf } from "../../view/line.ts";
import { style } from "../../view/style.ts";
import { chooseRun } from "../choose-run.ts";
import type { CommandContext } from "../context.ts";
import type { REPLAY } from "../definitions.ts";
import { createLiveView, type LiveView } from "../live-view.ts";
import { wholeNumber } from "../whole-number.ts";

type Context = CommandContext<typeof REPLAY.args>;

/** What a key does: on, stay where it is, or away. */
type Hand = { isPaused: boolean; hasLeft: boolean };

/**
 * `ralph replay [RUN]`: the run again, by the same view that showed it. Off a terminal there are no pauses unless a speed
 * is given, and what is printed is what `ralph run` printed.
 * @throws RalphError `usage` for `--step` without a terminal, `environment` if there is no such run or iteration
 */
export async function run(context: Context): Promise<number> {
  const { args, isTty, env } = context;
  const isTerminal = isTty.stdin && isTty.stdout && env.TERM !== "dumb";
  if (args.step && !isTerminal)
    throw new RalphError("usage", "--step needs a terminal, whose keys it waits for.", { hint: "Leave it out." });
  const speed = speedOf(args.speed, isTerminal);
  const from = args.iteration === undefined ? null : wholeNumber("--iteration", args.iteration);
  const runsDir = join(checkRalphDir(context.projectDir), "runs");
  const run = chooseRun(listRuns(runsDir), args.run);
  const clock = { now: 0, since: Date.now() };
  const keys = isTerminal ? openKeys(process.stdin) : null;
  const hand: Hand = { isPaused: false, hasLeft: false };
  keys?.onKey((key) => turn(hand, key));
  let view: LiveView | null = null;
  let began = from === null;
  try {
    for (const step of stepsOf(context, journalEvents(join(runsDir, run, JOURNAL_FILE)))) {
      const at = Date.parse(step.event.at);
      view ??= viewOf(context, step, () => clock.now + (Date.now() - clock.since) * (speed ?? 1));
      if (!began) {
        began = step.event.type === "iteration_started" && step.event.number === from;
        clock.now = at;
        if (!began) continue;
      }
      if (args.step && keys !== null) await nextStep(keys, hand, context, step);
      else if (speed !== null && clock.now !== 0) await rest(restBefore(at - clock.now, speed), hand);
      if (hand.hasLeft) break;
      clock.now = at;
      clock.since = Date.now();
      view.reader.onEvents([step]);
    }
  } finally {
    view?.close();
    keys?.close();
  }
  if (!began)
    throw new RalphError("environment", `The run ${run} has no iteration ${from}.`, {
      hint: "See which it has with: ralph report",
    });
  return 0;
}

function speedOf(text: string | undefined, isTerminal: boolean): number | null {
  if (text === undefined) return isTerminal ? 1 : null;
  const speed = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (speed > 0) return speed;
  throw new RalphError("usage", `--speed must be a number above 0, not ${JSON.stringify(text)}.`);
}

function* stepsOf({ projectDir }: Context, events: Iterable<RalphEvent>): Generator<Step> {
  let state: State = initialState(projectDir);
  for (const event of events) {
    const previous = state;
    state = reduce(state, event);
    yield { event, state, previous };
  }
}

/** The view with what the run itself had; only the terminal is today's. */
function viewOf(context: Context, { state }: Step, now: () => number): LiveView {
  return createLiveView({
    output: { write: context.stdout },
    isTty: context.isTty.stdout && context.env.TERM !== "dumb",
    color: context.color,
    width: () => process.stdout.columns || context.columns,
    project: state.project,
    verbose: isVerbose(context, state),
    live: context.args.live ?? true,
    quiet: context.args.quiet,
    now,
    plan: () => null,
  });
}

function isVerbose(context: Context, state: State): boolean {
  return context.settings.RALPH_VERBOSE?.text === "true" || state.settings.RALPH_VERBOSE === true;
}

function turn(hand: Hand, key: string): void {
  if (key === " ") hand.isPaused = !hand.isPaused;
  if (key === "q" || key === "\u0003") hand.hasLeft = true;
}

/** Waits for a key before an event that shows something. */
async function nextStep(keys: Keys, hand: Hand, context: Context, { event, state, previous }: Step): Promise<void> {
  const options = {
    width: 80,
    style: style(false),
    shorten: (text: string) => text,
    verbose: isVerbose(context, state),
    live: true,
  };
  if (linesOf(event, state, previous, options).length === 0) return;
  const key = await keys.next();
  if (key !== " ") turn(hand, key);
}

const SLICE_MS = 50;

/** Rests in slices, so that a key is answered at once; also where there is nothing to rest for. */
async function rest(ms: number, hand: Hand): Promise<void> {
  await turnOfLoop();
  for (let left = ms; (left > 0 || hand.isPaused) && !hand.hasLeft; ) {
    const slice = hand.isPaused ? SLICE_MS : Math.min(SLICE_MS, left);
    await sleep(slice);
    if (!hand.isPaused) left -= slice;
  }
}
