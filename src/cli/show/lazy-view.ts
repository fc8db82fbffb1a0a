import type { LiveView } from "./live-view.ts";

/** A view that is loaded late; `settled` resolves once it has shown every event so far. */
export type LazyView = LiveView & {
  /** Loads the view now. */
  open(): void;
  settled(): Promise<void>;
};

/** The view is loaded only at one of these: laying out the first lines takes longer than starting the agent. */
const FIRST_WORK = new Set(["agent_started", "wait_started", "land_stacked", "run_finished"]);

/**
 * A live view whose code is loaded when the first agent runs, or when there is nothing to run. Earlier events are kept
 * and shown then.
 * @param name names the view in error messages, as the view's own reader does
 */
export function lazyView(load: () => Promise<LiveView>): LazyView {
  let view: LiveView | null = null;
  let loading: Promise<void> | null = null;
  let closed = false;
  const waiting: ((view: LiveView) => void)[] = [];
  const openNow = async () => {
    view = await load();
    for (const show of waiting.splice(0)) show(view);
    if (closed) view.close();
  };
  const open = () => {
    loading ??= openNow();
    // `settled` reports a failure; this keeps it from counting as unhandled until then.
    loading.catch(() => {});
  };
  const show = (what: (view: LiveView) => void) => (view === null ? void waiting.push(what) : what(view));
  return {
    reader: {
      name: "the live view",
      onEvents(steps) {
        show(({ reader }) => reader.onEvents(steps));
        if (steps.some(({ event }) => FIRST_WORK.has(event.type))) open();
      },
    },
    onPartial: (read) => view?.onPartial(read),
    say: (text) => show((now) => now.say(text)),
    close() {
      closed = true;
      view?.close();
    },
    open,
    settled: async () => loading ?? undefined,
  };
}
