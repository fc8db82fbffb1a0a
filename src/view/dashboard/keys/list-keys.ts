import type { Key } from "../parse-keys.ts";
import { act, initialUi, type OnScreen, stay, type Ui, type UiResult } from "../ui-state.ts";
import { clamp, scrolledFromTop, scrollOf } from "./scroll-keys.ts";

/** Keys in the list of iterations. */
export function onList(ui: Ui, key: Key, on: OnScreen): UiResult {
  const selected = moved(ui.selected, on.iterations, key, on);
  if (selected !== undefined) return stay({ ...ui, selected });
  const main: Ui = { ...ui, mode: "main", focus: "main", at: null };
  if (key.name === "enter") return openIteration(main, ui.selected);
  if (key.name === "text" && key.text === "d")
    return act(
      { ...main, opened: ui.selected, ...changesFrom({ mode: "list", opened: null, bottom: null }) },
      { command: "open", iteration: ui.selected },
    );
  return stay(key.name === "text" && key.text !== "q" ? ui : main);
}

/** Shows an iteration's output. */
export function openIteration(ui: Ui, iteration: number): UiResult {
  const opened: Ui = { ...ui, mode: "main", focus: "main", changes: null, at: null, opened: iteration, bottom: null };
  return act(opened, { command: "open", iteration });
}

/** The view of what tools changed, which begins at its top. */
export function changesFrom(
  back: NonNullable<Ui["changes"]>["back"],
  seq: number | null = null,
): Pick<Ui, "changes" | "bottom" | "at" | "filter"> {
  return { changes: { seq, back }, bottom: 1, at: null, filter: "" };
}

/** Keys in the list of runs. */
export function onRuns(ui: Ui, key: Key, on: OnScreen): UiResult {
  const run = moved(ui.run, on.runs ?? [], key, on);
  if (run !== undefined) return stay({ ...ui, run });
  if (key.name === "enter") return act({ ...initialUi(), run: ui.run }, { command: "watch", run: ui.run });
  return stay(key.name === "text" && key.text !== "q" ? ui : { ...ui, mode: "main" });
}

/** Keys in the details of a task. */
export function onTask(ui: Ui, key: Key, on: OnScreen): UiResult {
  const by = scrollOf(key, on);
  if (by !== null) return stay(scrolledFromTop(ui, by, on));
  const last = on.plan[ui.task]?.work?.rows.at(-1);
  switch (key.name === "text" ? key.text : key.name) {
    case "left":
    case "right":
      return stay({ ...ui, top: 0, task: clamp(ui.task + (key.name === "left" ? -1 : 1), 0, on.plan.length - 1) });
    case "enter":
      return last === undefined ? stay(ui) : stay({ ...ui, mode: "list", selected: last.number });
    case "e":
      return act(ui, { command: "edit" });
    case "y":
      return act(ui, { command: "copy" });
    case "z":
      return stay({ ...ui, zoom: !ui.zoom });
    case "escape":
    case "q":
    case "tab":
      return stay({ ...ui, mode: "main", focus: "plan" });
    default:
      return stay(ui);
  }
}

/** The row that a key moves the selection to; undefined if it does not move it. */
function moved<T>(selected: T, rows: readonly T[], key: Key, on: OnScreen): T | undefined {
  const by = scrollOf(key, on);
  return by === null ? undefined : (rows[clamp(rows.indexOf(selected) + by, 0, rows.length - 1)] ?? selected);
}
