import process from "node:process";
import type { EventStep } from "../../core/journal/event-step.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { takeableTasks } from "../../core/needs/questions.ts";
import type { ParsedPlan, PlanTask } from "../../core/plan/fix-plan.ts";
import { foldsCase } from "../../core/project-path.ts";
import { localStamp } from "../../core/text/time-text.ts";
import { type Printer, plainPrinter, terminalPrinter } from "../../effects/terminal/printer.ts";
import type { EventSubscriber } from "../../run/recorder.ts";
import { eventLines, type LineOptions } from "../../view/live/event-lines.ts";
import { footerLines } from "../../view/live/footer.ts";
import { shortener } from "../../view/text/path.ts";
import { style } from "../../view/text/style.ts";
import { columns, wrap } from "../../view/text/text.ts";

export type LiveView = {
  reader: EventSubscriber;
  onPartial(read: () => string): void;
  /** Shows a text for the user that is no event of the run. */
  say(text: string): void;
  close(): void;
};

/** A live view that can make room for something else on the terminal. */
export type LinesView = LiveView & {
  /** Removes the footer, and keeps all lines until `show`. */
  hide(): void;
  show(): void;
  redraw(): void;
};

/** The part of keys in a live view that takes some. */
export type KeyArea = {
  /** The lines below the status line. */
  lines(width: number): string[];
  /** Whether keys are read; a background job draws nothing over the shell's line. */
  isReading(): boolean;
};

export type LiveViewOptions = {
  output: { write(text: string): unknown };
  /** A terminal gets lines of its width; anything else gets timestamped ones. */
  isTty: boolean;
  /** Whether lines may be drawn over: a footer, and text as it is written. */
  draws: boolean;
  color: boolean;
  width(): number;
  project: string;
  verbose: boolean;
  live: boolean;
  quiet: boolean;
  now(): number;
  /** By how many ms local time is ahead of UTC at a time. */
  offsetAt(at: number): number;
  plan(): ParsedPlan | null;
  /** The beginning of the status line; "" for none. */
  note?(): string;
  /** What is below the lines in place of the status line. */
  footer?(state: State): string[];
  /** Left out where no keys are taken. */
  keys?: KeyArea;
};

/** Width of lines off a terminal: the same for everyone. */
export const PLAIN_COLUMNS = 100;
const FRAME_MS = 100;
const TICK_MS = 1000;
const USUAL_ROWS = 24;

/** The run as it happens: lines above; on a terminal, the block being written and a status line below. */
export function createLiveView(options: LiveViewOptions): LinesView {
  const rowsOf = (line: string) => Math.max(1, Math.ceil(columns(line) / options.width()));
  const printer: Printer = options.draws ? terminalPrinter(options.output, rowsOf) : plainPrinter(options.output);
  const styles = style(options.color);
  const shorten = shortener(options.project, foldsCase(process.platform));
  const stampOf = createStamps(options.offsetAt);
  let state: State = initialState(options.project);
  let partial = () => "";
  let next: PlanTask | null = null;
  let frame: ReturnType<typeof setTimeout> | null = null;

  let hidden: string[] | null = null;

  const footer = () => {
    const { keys } = options;
    if (keys?.isReading() === false) return [];
    const width = options.width();
    const own =
      options.footer?.(state) ??
      footerLines({
        state,
        partial: partial(),
        next,
        width,
        style: styles,
        shorten,
        now: options.now(),
        note: options.note?.() ?? "",
        takesKeys: keys !== undefined,
      });
    const lines = own.length === 0 ? [] : [...own, ...(keys?.lines(width) ?? [])];
    // A footer taller than the screen could not be erased.
    return lines.slice(-Math.max(1, (process.stdout.rows || USUAL_ROWS) - 1));
  };
  const draw = (lines: readonly string[]) => {
    if (hidden === null) printer.print(lines, options.draws ? footer() : []);
    else hidden.push(...lines);
  };
  const tick = () => {
    next = takeableTasks(options.plan()?.tasks ?? [], state)[0] ?? null;
    draw([]);
  };
  const drawSoon = () => {
    if (!options.draws || frame !== null) return;
    frame = setTimeout(() => {
      frame = null;
      tick();
    }, FRAME_MS);
  };
  const linesOfStep = (step: EventStep, lineOptions: LineOptions) => {
    const { event } = step;
    if (event.type === "agent_text" || event.type === "agent_finished") partial = () => "";
    if (options.quiet && event.type !== "run_finished") return [];
    const lines = eventLines(step, lineOptions);
    return options.isTty || lines.length === 0 ? lines : withStamp(lines, stampOf(event.at));
  };
  const ticker = options.draws ? setInterval(tick, TICK_MS) : null;
  ticker?.unref();

  return {
    reader: {
      name: "the live view",
      onEvents(steps) {
        const lineOptions: LineOptions = {
          width: options.isTty ? options.width() : PLAIN_COLUMNS,
          style: styles,
          shorten,
          verbose: options.verbose,
          live: options.live,
          toolsAsCalled: !options.draws,
        };
        const lines = steps.flatMap((step) => linesOfStep(step, lineOptions));
        state = steps.at(-1)?.state ?? state;
        // The footer is out of date now. After the end of the run nothing else would erase it.
        if (lines.length > 0 || state.finished !== null) draw(lines);
        else drawSoon();
      },
    },
    onPartial(read) {
      partial = read;
      drawSoon();
    },
    say(text) {
      const width = options.isTty ? options.width() : PLAIN_COLUMNS;
      const lines = ["", ...wrap(text, width - 2).map((line) => (line === "" ? "" : styles.dim(`  ${line}`))), ""];
      draw(options.isTty ? lines : stamped(lines, new Date(options.now()).toISOString()));
    },
    hide() {
      if (hidden !== null) return;
      printer.print([], []);
      hidden = [];
    },
    show() {
      const lines = hidden ?? [];
      hidden = null;
      draw(lines);
    },
    redraw: () => draw([]),
    close() {
      if (ticker !== null) clearInterval(ticker);
      if (frame !== null) clearTimeout(frame);
      printer.close();
    },
  };
}

/** Stamps each line with day and time, for output that is not a terminal. Drops empty lines. */
export function stamped(lines: readonly string[], at: string): string[] {
  return withStamp(lines, localStamp(Date.parse(at)));
}

function withStamp(lines: readonly string[], stamp: string): string[] {
  return lines.filter((line) => line !== "").map((line) => `[${stamp}] ${line}`);
}

/** The stamp of an ISO time; events of one chunk of output have the same. */
function createStamps(offsetAt: LiveViewOptions["offsetAt"]): (at: string) => string {
  let last = { at: "", stamp: "" };
  return (at) => {
    if (last.at !== at) last = { at, stamp: localStamp(Date.parse(at), offsetAt(Date.parse(at))) };
    return last.stamp;
  };
}
