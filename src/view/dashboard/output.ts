import { type LineOptions, linesOf } from "../line.ts";
import { fit, plain } from "../text.ts";
import type { Shown } from "./model.ts";

export type OutputOptions = Omit<LineOptions, "verbose" | "live"> & {
  /** What tools answered, too. */
  detail: boolean;
};

const DETAIL_LINES = 8;

/** Turns events into the lines of the output: those of the live view, by the same function. */
export type OutputLines = (shown: readonly Shown[], options: OutputOptions) => string[];

/** Remembers the lines of each event, since most of a frame is what the last one was. */
export function createOutput(): OutputLines {
  let known = new WeakMap<Shown, string[]>();
  let made = "";
  return (shown, options) => {
    const key = `${options.width} ${options.detail}`;
    if (key !== made) known = new WeakMap();
    made = key;
    return shown.flatMap((one) => {
      const lines = known.get(one) ?? linesOfShown(one, options);
      known.set(one, lines);
      return lines;
    });
  };
}

function linesOfShown({ event, state, previous }: Shown, options: OutputOptions): string[] {
  const lines = linesOf(event, state, previous, { ...options, verbose: false, live: true });
  if (!options.detail || event.type !== "agent_tool_finished" || event.is_error) return lines;
  const answered = plain(event.content).trimEnd().split("\n");
  const told = answered.slice(0, DETAIL_LINES).map((line) => options.style.dim(`    ${fit(line, options.width - 4)}`));
  return answered.length > DETAIL_LINES ? [...lines, ...told, options.style.dim("    …")] : [...lines, ...told];
}
