import type { EventStep } from "../../run/recorder.ts";
import { onSignals } from "../run/signals.ts";
import { type OpenDashboard, openDashboard } from "./dashboard.ts";
import type { LiveView } from "./live-view.ts";
import type { RunView, RunViewOptions } from "./run-view.ts";
import { linesView } from "./run-view-lines.ts";

/** The dashboard. After the user leaves it, the rest of the run is shown as lines. */
export function dashboardView(options: RunViewOptions): RunView {
  let dashboard: OpenDashboard | null = null;
  let after: LiveView | null = null;
  let last: EventStep | undefined;
  let over = false;
  /** Said while the dashboard had the screen. */
  const unsaid: string[] = [];
  const leave = () => {
    dashboard?.close();
    dashboard = null;
    after ??= linesView(options);
    if (last !== undefined) after.reader.onEvents([last]);
    for (const text of unsaid.splice(0)) after.say(text);
  };
  return {
    reader: {
      name: "the dashboard",
      onEvents(steps) {
        last = steps.at(-1);
        after?.reader.onEvents(steps);
      },
    },
    onPartial: (text) => (after ?? dashboard)?.onPartial(text),
    say: (text) => (after === null ? void unsaid.push(text) : after.say(text)),
    onRun(stops, steer) {
      dashboard = openDashboard({
        project: options.context.projectDir,
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
      void dashboard.closed.then(leave);
    },
    async onEnd(end) {
      over = true;
      const { promise: signalled, resolve } = Promise.withResolvers<void>();
      const release = onSignals(() => resolve());
      // A signal ended the run, so do not wait for the user to look at it.
      const unattended = end.exit_code > 128;
      if (dashboard !== null && !unattended) await Promise.race([dashboard.closed, signalled]);
      release();
      if (dashboard !== null) leave();
      after?.close();
    },
    close() {
      dashboard?.close();
      after?.close();
    },
  };
}
