import type { EventStep } from "../../run/recorder.ts";
import type { LiveView } from "./live-view.ts";

/** A view that is loaded late; `settled` waits until it has shown all that it was told. */
export type LazyView = LiveView & { settled(): Promise<void> };

/** What the first agent is not to wait for: laying out the first lines costs more than starting it. */
const FIRST_WORK = new Set(["agent_started", "wait_started", "run_finished"]);

/**
 * A live view whose code is loaded when the first agent runs, or there is nothing to run. What happens before is kept
 * and shown then.
 * @param name for the report of a failure, as the view's own reader has it
 */
export function lazyView(name: string, load: () => Promise<LiveView>): LazyView {
  let view: LiveView | null = null;
  let loading: Promise<void> | null = null;
  let closed = false;
  const waiting: EventStep[] = [];
  const open = async () => {
    view = await load();
    view.reader.onEvents(waiting.splice(0));
    if (closed) view.close();
  };
  return {
    reader: {
      name,
      onEvents(steps) {
        if (view !== null) return view.reader.onEvents(steps);
        waiting.push(...steps);
        if (loading !== null || !steps.some(({ event }) => FIRST_WORK.has(event.type))) return;
        loading = open();
        // Whoever waits for it is told; until then a failure is not an unhandled one.
        loading.catch(() => {});
      },
    },
    onPartial: (text) => view?.onPartial(text),
    close() {
      closed = true;
      view?.close();
    },
    settled: async () => loading ?? undefined,
  };
}
