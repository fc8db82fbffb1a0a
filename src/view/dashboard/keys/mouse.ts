import type { Click, Wheel } from "../parse-keys.ts";
import { isSamePlace } from "../scroll-position.ts";
import { type OnScreen, type Region, stay, type Ui, type UiResult } from "../ui-state.ts";
import { onList, onRuns } from "./list-keys.ts";
import { clamp, scrolled, scrolledFromTop } from "./scroll-keys.ts";

const WHEEL_LINES = 3;

/** The wheel moves the panel under it, and leaves the keys where they are. */
export function onWheel(ui: Ui, { by, ...where }: Wheel, on: OnScreen): UiResult {
  const region = regionAt(where, on.regions);
  const lines = by * WHEEL_LINES;
  if (region === null) return stay(ui);
  switch (region.panel) {
    case "plan":
      return stay({ ...ui, planTop: clamp((ui.planTop ?? region.first) + lines, 0, region.total - region.shown) });
    case "activity":
      return stay({ ...ui, activityBelow: clamp(ui.activityBelow - lines, 0, region.total - 1) });
    case "main": {
      const key = { name: by < 0 ? "up" : "down" } as const;
      if (ui.mode === "list") return onList(ui, key, on);
      if (ui.mode === "runs") return onRuns(ui, key, on);
      return stay(ui.mode === "main" ? scrolled(ui, lines, on) : scrolledFromTop(ui, lines, on));
    }
  }
}

/** A click selects a row and gives its panel the keys; on the selected row it is Enter. */
export function onClick(ui: Ui, click: Click, on: OnScreen, enter: (ui: Ui) => UiResult): UiResult {
  const region = regionAt(click, on.regions);
  if (region === null || ui.mode === "help") return stay(ui);
  const row = region.first + click.row - region.top;
  const focused: Ui = { ...ui, focus: region.panel };
  if (region.panel === "activity") return stay(focused);
  if (region.panel === "plan") {
    if (row >= region.first + region.shown) return stay(focused);
    const main: Ui = { ...focused, mode: "main", task: row, planTop: ui.planTop ?? region.first };
    return ui.focus === "plan" && ui.task === row ? enter(main) : stay(main);
  }
  if (ui.mode === "list") return onRow(focused, "selected", on.iterations[row], enter);
  if (ui.mode === "runs") return onRow(focused, "run", on.runs?.[row], enter);
  const place = on.places[click.row - region.top];
  if (ui.mode === "task" || place === undefined) return stay(focused);
  const at = { seq: place.seq, line: place.line };
  return isSamePlace(at, ui.at) && on.onEdit ? enter(focused) : stay({ ...focused, at, bottom: bottomOf(focused, on) });
}

function onRow<K extends "selected" | "run">(
  ui: Ui,
  key: K,
  value: Ui[K] | undefined,
  enter: (ui: Ui) => UiResult,
): UiResult {
  if (value === undefined) return stay(ui);
  return ui[key] === value ? enter(ui) : stay({ ...ui, [key]: value });
}

/** A selected line must not run away under the hand: the output stays where it is. */
function bottomOf({ bottom }: Ui, { total, page }: OnScreen): number | null {
  return bottom ?? (total > page ? total : null);
}

function regionAt({ column, row }: { column: number; row: number }, regions: readonly Region[]): Region | null {
  return (
    regions.find(
      ({ top, left, width, height }) => row >= top && row < top + height && column >= left && column < left + width,
    ) ?? null
  );
}
