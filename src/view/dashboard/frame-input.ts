import type { EventStep } from "../../core/journal/event-step.ts";
import type { ParsedPlan } from "../../core/plan/fix-plan.ts";
import type { RunReceipt } from "../../core/report/run-receipt.ts";
import type { WorkerRow } from "../swarm-lines.ts";
import type { Shorten } from "../text/path.ts";
import type { Style } from "../text/style.ts";
import type { Dashboard } from "./model.ts";
import type { OutputLines } from "./output-lines.ts";
import type { ReplayFacts } from "./replay-index.ts";
import type { ScrollPosition } from "./scroll-position.ts";
import type { Ui } from "./ui-state.ts";

export type Size = { columns: number; rows: number };

/** Everything that a frame shows. */
export type FrameInput = {
  dashboard: Dashboard;
  /** The events of the opened iteration; null for the live output. */
  opened: readonly EventStep[] | null;
  /** The block that the agent is writing, or "". */
  partial: string;
  /** Today's plan; null if there is none, or if it is not that of the shown run. */
  plan: ParsedPlan | null;
  /** The runs to choose from, oldest first. */
  runs: readonly RunReceipt[];
  /** Those of a swarm that have a task; empty for any other run. */
  workers: readonly WorkerRow[];
  ui: Ui;
  size: Size;
  /** Epoch ms. */
  now: number;
  alive: boolean;
  readOnly: string | null;
  message: string | null;
  /** The state of a replay, with `now` as its time; null for a followed run. */
  replay: ReplayFacts | null;
  style: Style;
  shorten: Shorten;
  output: OutputLines;
  /** The scroll position of the previous frame, which stays put while output comes and goes; null for the end. */
  reading: ScrollPosition | null;
};
