import type { FrameInput } from "../frame-input.ts";
import { helpLines } from "../key-help.ts";
import { spread } from "../panel-layout.ts";
import { type Pane, topPane } from "./pane.ts";

/** All keys; it needs the whole screen, since a cut list is useless. */
export function helpPane({ dashboard, replay, ui, style }: FrameInput, width: number, height: number): Pane {
  const shown = replay !== null ? "replay" : dashboard.state.started_by === "import" ? "import" : "run";
  const lines = helpLines(width, shown, style);
  const below = lines.length - ui.top - Math.max(1, height - 2);
  const head = spread(style.bold("Keys"), style.dim(below > 0 ? `${below} below` : "any key closes this"), width);
  return topPane(head, lines, ui.top, height);
}
