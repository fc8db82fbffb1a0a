import type { RalphEvent } from "../../../core/journal/event.ts";
import type { EventStep } from "../../../core/journal/event-step.ts";
import { type ToolChange, toolChange } from "../../../core/report/line-changes.ts";
import { singleLine } from "../../../core/text/plain-text.ts";
import type { ToolCall } from "../../../driver.ts";
import type { Shorten } from "../../text/path.ts";
import type { Style } from "../../text/style.ts";
import { fit, plain, wrap } from "../../text/text.ts";

export type ChangeOptions = { width: number; style: Style; shorten: Shorten };

/** Lines of one change: a generated file has more than anybody reads. */
const MOST_LINES = 500;
const AROUND = 3;

type Line = { text: string; seq: number };

/**
 * What the agent's tools changed, an edit after the other, as coloured lines. An edit that failed is none.
 * @param seq the event of a tool's end, for its change alone; null for all
 */
export function changeLines(events: readonly EventStep[], seq: number | null, options: ChangeOptions): Line[] {
  const shown = seq === null ? events : events.filter(({ event }) => event.seq === seq);
  const lines = shown.flatMap(({ event, previous }) => {
    const call = endedCall(event, previous.tools);
    const change = call === null ? null : toolChange(call);
    if (change === null) return [];
    return [...changeText(change, options), ""].map((text) => ({ text, seq: event.seq }));
  });
  const last = events.at(-1)?.event.seq ?? 0;
  const untold = seq === null ? untoldFiles(events, options) : [];
  const none =
    lines.length === 0 && untold.length === 0
      ? ["  The agent's tools report no edit here. All that changed: ralph diff"]
      : [];
  return [...lines, ...[...none, ...untold].map((text) => ({ text: options.style.dim(text), seq: last }))];
}

/** The tool call that a successful result belongs to; null for any other event. */
export function endedCall<T extends ToolCall & { tool_id: string }>(
  event: RalphEvent,
  running: readonly T[],
): T | null {
  if (event.type !== "agent_tool_finished" || event.is_error) return null;
  return running.find(({ tool_id }) => tool_id === event.tool_use_id) ?? null;
}

/** The lines of a change, below its file and figures. */
export function changeText(change: ToolChange, { width, style, shorten }: ChangeOptions): string[] {
  const { path, above, removed, added, below } = change;
  const figures = `${style.green(`+${added.length}`)}${removed.length > 0 ? ` ${style.red(`-${removed.length}`)}` : ""}`;
  const name = singleLine(shorten(path).replace(/^⌂[\\/]/, ""));
  const lines = [
    ...above.slice(-AROUND).map((line) => ["  ", line, style.dim] as const),
    ...removed.map((line) => ["- ", line, style.red] as const),
    ...added.map((line) => ["+ ", line, style.green] as const),
    ...below.slice(0, AROUND).map((line) => ["  ", line, style.dim] as const),
  ];
  const shown = lines
    .slice(0, MOST_LINES)
    .flatMap(([mark, line, paint]) =>
      wrap(plain(line), Math.max(1, width - 4)).map((part, index) => paint(`  ${index === 0 ? mark : "  "}${part}`)),
    );
  const more = lines.length - MOST_LINES;
  return [
    `${style.bold(fit(name, Math.max(1, width - 16)))} ${figures}`,
    ...shown,
    ...(more > 0 ? [style.dim(`  and ${more} more lines`)] : []),
  ];
}

/** Files that changed in another way, as by a command: the journal has their names only. */
function untoldFiles(events: readonly EventStep[], { width }: ChangeOptions): string[] {
  const end = events.findLast(({ event }) => event.type === "iteration_finished")?.event;
  if (end?.type !== "iteration_finished") return [];
  const edited = events.flatMap(({ event }) =>
    event.type === "agent_tool_started" ? [toolChange(event)?.path.replaceAll("\\", "/") ?? ""] : [],
  );
  const others = end.evidence.files_changed.filter(
    (file) => !edited.some((path) => path === file || path.endsWith(`/${file}`)),
  );
  return others.length === 0 ? [] : wrap(`  Also changed, not by an edit: ${others.map(singleLine).join(", ")}`, width);
}
