import { runLine } from "../../runs.ts";
import type { FrameInput } from "../frame-input.ts";
import { spread } from "../panel-layout.ts";
import { chosenPane, type Pane } from "./pane.ts";

/** The runs of the project to choose from, newest last. */
export function runsPane({ runs, ui, now, style }: FrameInput, width: number, height: number): Pane {
  const options = { style, width: width - 2, now: new Date(now).toISOString() };
  const head = spread(style.bold("Runs"), style.dim("enter shows · esc goes back"), width);
  const at = runs.findIndex(({ run }) => run === ui.run);
  const pane = chosenPane(
    head,
    runs,
    at,
    height,
    (receipt, isSelected) => `${isSelected ? style.cyan("› ") : "  "}${runLine(receipt, options)}`,
  );
  return { ...pane, copied: at === -1 ? [] : [ui.run] };
}
