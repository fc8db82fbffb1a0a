import { runLine } from "../../runs.ts";
import type { FrameInput } from "../frame-input.ts";
import { spread } from "../panel-layout.ts";
import { type Pane, padded } from "./pane.ts";

/** The runs of the project to choose from, newest last. */
export function runsPane({ runs, ui, now, style }: FrameInput, width: number, height: number): Pane {
  const page = Math.max(1, height - 1);
  const at = Math.max(
    0,
    runs.findIndex(({ run }) => run === ui.run),
  );
  const from = Math.max(0, Math.min(at - Math.floor(page / 2), runs.length - page));
  const lines = runs.slice(from, from + page).map((receipt) => {
    const options = { style, width: width - 2, now: new Date(now).toISOString() };
    return `${receipt.run === ui.run ? style.cyan("› ") : "  "}${runLine(receipt, options)}`;
  });
  return padded(
    {
      lines: [spread(style.bold("Runs"), style.dim("enter shows · esc goes back"), width), ...lines],
      total: runs.length,
      page,
      head: 1,
      first: from,
      copied: runs.flatMap(({ run }) => (run === ui.run ? [run] : [])),
    },
    height,
  );
}
