import type { Need } from "../core/needs/needs.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { truncate } from "../core/text/truncate.ts";
import { NEED_WORDS, NEEDS_YOU } from "../core/words.ts";
import type { Shorten } from "./text/path.ts";
import type { Style } from "./text/style.ts";
import { hanging, wrap } from "./text/text.ts";

const TEXT_CHARS = 1000;

export type NeedLineOptions = {
  style: Style;
  width: number;
  shorten?: Shorten;
  /** How many are shown; default: all. */
  most?: number;
};

/** "Needs you": each thing with its words and the commands that answer it; no line for none. */
export function needLines(needs: readonly Need[], options: NeedLineOptions): string[] {
  const { style, width, most = needs.length } = options;
  if (needs.length === 0) return [];
  const left = needs.length - most;
  return [
    style.bold(style.yellow(`${NEEDS_YOU} (${needs.length})`)),
    ...needs.slice(0, most).flatMap((need) => oneNeed(need, options)),
    ...(left > 0 ? wrap(`  and ${left} more: ralph inbox`, width) : []),
  ];
}

function oneNeed(need: Need, { style, width, shorten = (text) => text }: NeedLineOptions): string[] {
  const below = (text: string) => wrap(`    ${text}`, width);
  return [
    ...hanging(`  ${style.yellow("?")} `, needHead(need), width),
    ...below(truncate(singleLine(shorten(need.text)), TEXT_CHARS)),
    ...need.commands.flatMap((command) => below(command)).map(style.cyan),
  ];
}

/** What the next step after such an end does not answer already. */
export function besideNextStep(needs: readonly Need[], reason: string | null): Need[] {
  return needs.filter(
    ({ kind }) => !((kind === "limit" && reason === "usage_limit") || (kind === "gates" && reason === "gate_weakened")),
  );
}

/** Who asks, where, and about which task. */
export function needHead({
  kind,
  iteration,
  task,
  parked,
}: Pick<Need, "kind" | "iteration" | "task" | "parked">): string {
  const about = task === null ? "" : ` · ${singleLine(task)}`;
  const aside = parked ? ", set aside" : "";
  return `${iteration === 0 ? "" : `iteration ${iteration} `}${NEED_WORDS[kind]}${aside}${about}`;
}

/** The needs in a few words, for one line. */
export function needSummary(needs: readonly Need[]): string {
  const [first] = needs;
  if (first === undefined) return "";
  const more = needs.length === 1 ? "" : ` (${needs.length})`;
  return `${NEEDS_YOU.toLowerCase()}${more}: ralph inbox · ${singleLine(first.text)}`;
}
