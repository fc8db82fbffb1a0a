import type { ParsedPlan } from "../../core/plan.ts";
import { foldsCase } from "../../core/project-path.ts";
import { initialState, type State } from "../../core/state.ts";
import { type Printer, plainPrinter, terminalPrinter } from "../../effects/terminal.ts";
import type { Reader, Step } from "../../run/recorder.ts";
import { clockTime } from "../../view/clock-time.ts";
import { footerLines } from "../../view/footer.ts";
import { type LineOptions, linesOf } from "../../view/line.ts";
import { shortener } from "../../view/path.ts";
import { style } from "../../view/style.ts";

export type LiveView = { reader: Reader; onPartial(text: string): void; close(): void };

export type LiveViewOptions = {
  output: { write(text: string): unknown };
  /** A terminal: colours where wanted, footer, text as it is written; otherwise timestamped lines. */
  isTty: boolean;
  color: boolean;
  width(): number;
  project: string;
  verbose: boolean;
  live: boolean;
  quiet: boolean;
  now(): number;
  plan(): ParsedPlan | null;
  /** What the status line begins with; "" for nothing. */
  note?(): string;
};

const FRAME_MS = 100;
const TICK_MS = 1000;

/** The run as it happens: lines above, and on a terminal the block being written and one status line below. */
export function createLiveView(options: LiveViewOptions): LiveView {
  const printer: Printer = options.isTty ? terminalPrinter(options.output) : plainPrinter(options.output);
  const styles = style(options.color);
  const shorten = shortener(options.project, foldsCase(process.platform));
  let state: State = initialState(options.project);
  let partial = "";
  let frame: ReturnType<typeof setTimeout> | null = null;

  const draw = () => {
    const next = options.plan()?.tasks[0] ?? null;
    const width = options.width();
    printer.footer(
      footerLines({
        state,
        partial,
        next,
        width,
        style: styles,
        shorten,
        now: options.now(),
        note: options.note?.() ?? "",
      }),
    );
  };
  const drawSoon = () => {
    if (!options.isTty || frame !== null) return;
    frame = setTimeout(() => {
      frame = null;
      draw();
    }, FRAME_MS);
  };
  const linesOfStep = ({ event, state: after, previous }: Step, lineOptions: LineOptions) => {
    if (event.type === "agent_text" || event.type === "agent_finished") partial = "";
    if (options.quiet && event.type !== "run_finished") return [];
    const lines = linesOf(event, after, previous, lineOptions);
    return options.isTty ? lines : stamped(lines, event.at);
  };
  const ticker = options.isTty ? setInterval(draw, TICK_MS) : null;
  ticker?.unref();

  return {
    reader: {
      name: "the live view",
      onEvents(steps) {
        const lineOptions: LineOptions = {
          width: options.isTty ? options.width() : 100,
          style: styles,
          shorten,
          verbose: options.verbose,
          live: options.live,
        };
        printer.lines(steps.flatMap((step) => linesOfStep(step, lineOptions)));
        state = steps.at(-1)?.state ?? state;
        // What stood below is no longer so, and nothing comes any more that would take it away.
        if (state.finished !== null && options.isTty) draw();
        else drawSoon();
      },
    },
    onPartial(text) {
      partial = text;
      drawSoon();
    },
    close() {
      if (ticker !== null) clearInterval(ticker);
      if (frame !== null) clearTimeout(frame);
      printer.close();
    },
  };
}

/** Off a terminal every line carries its time; empty ones are left out. */
export function stamped(lines: readonly string[], at: string): string[] {
  return lines.filter((line) => line !== "").map((line) => `[${clockTime(at)}] ${line}`);
}
