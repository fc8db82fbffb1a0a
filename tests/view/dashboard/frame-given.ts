import type { FrameInput } from "../../../src/view/dashboard/frame-input.ts";
import { applyEvent, emptyDashboard } from "../../../src/view/dashboard/model.ts";
import { shortener } from "../../../src/view/text/path.ts";
import { style } from "../../../src/view/text/style.ts";
import { runningRun, SECOND, START } from "../sample-run.ts";

/** What a frame of the sample run is made from, in a terminal without colour. */
export const given: Omit<FrameInput, "ui" | "size" | "output"> = {
  dashboard: runningRun.reduce(applyEvent, emptyDashboard("/project")),
  opened: null,
  partial: "",
  plan: null,
  runs: [],
  workers: [],
  now: START + 30 * SECOND,
  alive: true,
  readOnly: null,
  message: null,
  replay: null,
  style: style(false),
  shorten: shortener("/project", false),
  reading: null,
};
