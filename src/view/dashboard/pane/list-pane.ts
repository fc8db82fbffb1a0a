import { totalTokens } from "../../../core/journal/usage.ts";
import { money } from "../../../core/text/money.ts";
import { singleLine } from "../../../core/text/plain-text.ts";
import { duration, elapsed, tokens } from "../../text/figures.ts";
import { ITERATION_MARKS, iterationMark } from "../../text/iteration-mark.ts";
import type { Style } from "../../text/style.ts";
import { fit } from "../../text/text.ts";
import type { FrameInput } from "../frame-input.ts";
import { livedUntil } from "../header.ts";
import { iterationUnderWay, type Row } from "../model.ts";
import { spread } from "../panel-layout.ts";
import { chosenPane, type Pane } from "./pane.ts";

/** The list of iterations, the one under way included. */
export function listPane(input: FrameInput, width: number, height: number): Pane {
  const { dashboard, ui, replay, style } = input;
  const live = iterationUnderWay(dashboard);
  const all: readonly { number: number; row: Row | null }[] = [
    ...dashboard.rows.map((row) => ({ number: row.number, row })),
    ...(live === null ? [] : [{ number: live, row: null }]),
  ];
  const at = all.findIndex(({ number }) => number === ui.selected);
  const keys = `enter ${replay === null ? "opens · d changes" : "jumps there"} · esc goes back`;
  const head = spread(style.bold("Iterations"), style.dim(keys), width);
  return chosenPane(head, all, at, height, ({ number, row }, isSelected) =>
    row === null ? liveLine(input, number, isSelected, width) : rowLine(row, isSelected, width, style),
  );
}

function rowLine(row: Row, isSelected: boolean, width: number, style: Style): string {
  const figures = [row.number, duration(row.ms), tokens(row.tokens), row.cost] as const;
  return line(iterationMark(row, style), figures, row.name, isSelected, width, style);
}

function liveLine(
  { dashboard, alive, now, style }: FrameInput,
  number: number,
  isSelected: boolean,
  width: number,
): string {
  const { open } = dashboard.state;
  if (open === null) return "";
  const ms = livedUntil(dashboard.state, alive, now) - Date.parse(open.started_at);
  const { mark, word } = ITERATION_MARKS.open;
  const figures = [number, elapsed(ms), tokens(totalTokens(open.usage)), open.usage.cost_usd] as const;
  const name = dashboard.atHand === null ? word : `${word}: ${dashboard.atHand}`;
  return line(style.cyan(mark), figures, name, isSelected, width, style);
}

function line(
  mark: string,
  [number, time, used, cost]: readonly [number: number, time: string, used: string, cost: number | null],
  name: string,
  isSelected: boolean,
  width: number,
  style: Style,
): string {
  const figures = [
    String(number).padStart(5),
    time.padStart(11),
    used.padStart(7),
    cost === null ? "" : money(cost).padStart(8),
  ].filter((figure) => figure !== "");
  const shown = fit(`${figures.join(" ")}  ${singleLine(name)}`, Math.max(1, width - 4));
  return `${isSelected ? style.cyan("›") : " "} ${mark}${isSelected ? style.bold(shown) : shown}`;
}
