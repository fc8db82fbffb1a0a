import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventOf } from "../../core/journal/event.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import { hasHungUp } from "../../effects/terminal/hang-up.ts";
import { type OpenDashboard, openDashboard } from "../dashboard/dashboard.ts";
import { onSignals } from "../run/signals.ts";
import { createLiveKeys, type KeyedLines } from "./live-keys.ts";
import type { LiveView } from "./live-view.ts";
import type { RunViewOptions, Steering } from "./run-view.ts";

/** A run on a terminal that takes keys: lines, and the dashboard over the same run. */
export type TerminalView = LiveView & {
  /** Called when the run is over; resolves when the user has left the dashboard, if it is open. */
  onEnd(end: Pick<EventOf<"run_finished">, "exit_code">): Promise<void>;
};

/** What was typed before the view was there was meant for the shell: it is discarded for this long. */
const DEAF_MS = 20;

/** Opens the lines or the dashboard; keys lead from one to the other. */
export async function openTerminalView(options: RunViewOptions, { stops, steer }: Steering): Promise<TerminalView> {
  let dashboard: OpenDashboard | null = null;
  let lines: KeyedLines | null = null;
  let last: EventStep | undefined;
  let over = false;
  /** Said while the dashboard had the screen. */
  const unsaid: string[] = [];
  const toDashboard = () => {
    lines?.hide();
    try {
      dashboard = openDashboard({
        project: options.project,
        ralphDir: options.ralphDir,
        run: null,
        color: options.context.color,
        plan: options.plan,
        readOnly: null,
        steer(_, command) {
          steer(command);
          return null;
        },
        onInterrupt() {
          if (over) return "leave";
          stops.request("SIGINT");
          return "stay";
        },
      });
    } catch (error) {
      lines?.show();
      throw error;
    }
    void dashboard.closed.then(toLines);
  };
  const toLines = () => {
    dashboard?.close();
    dashboard = null;
    if (lines !== null) {
      lines.show();
      return;
    }
    lines = createLiveKeys(options, steer, toDashboard);
    lines.listen();
    if (last !== undefined) lines.reader.onEvents([last]);
    for (const text of unsaid.splice(0)) lines.say(text);
  };
  if (options.how === "dashboard") toDashboard();
  else {
    lines = createLiveKeys(options, steer, toDashboard);
    await sleep(DEAF_MS);
    lines.listen();
  }
  return {
    reader: {
      name: "the live view",
      onEvents(steps) {
        last = steps.at(-1);
        lines?.reader.onEvents(steps);
      },
    },
    onPartial(read) {
      dashboard?.onPartial(read);
      lines?.onPartial(read);
    },
    say: (text) => (lines === null ? void unsaid.push(text) : lines.say(text)),
    async onEnd(end) {
      over = true;
      if (dashboard !== null) {
        const { promise: signalled, resolve } = Promise.withResolvers<void>();
        const release = onSignals(() => resolve());
        // A signal ended the run, or its user is gone: do not wait for them to look at it.
        if (end.exit_code <= 128 && !hasHungUp(process.stdin)) await Promise.race([dashboard.closed, signalled]);
        release();
        if (dashboard !== null) toLines();
      }
      lines?.close();
    },
    close() {
      dashboard?.close();
      lines?.close();
    },
  };
}
