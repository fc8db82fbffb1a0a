import { singleLine } from "../../../core/text/plain-text.ts";
import { runningTools } from "../../live/footer.ts";
import { proseSoFar } from "../../live/prose.ts";
import type { Style } from "../../text/style.ts";
import { fit } from "../../text/text.ts";
import type { FrameInput } from "../frame-input.ts";
import { livedUntil } from "../header.ts";
import { type OutputLine, outputLine } from "../output-lines.ts";
import { spread } from "../panel-layout.ts";
import { findBottom, isSamePlace, type Place, placesOf, scrollPositionAt } from "../scroll-position.ts";
import { type Pane, padded } from "./pane.ts";
import { markWords, matchesOf, onlyMatching } from "./search.ts";

/** The output of the run or of an opened iteration, or what its tools changed. */
export function outputPane(input: FrameInput, width: number, height: number): Pane {
  const { dashboard, opened, ui, style, shorten, output } = input;
  const { filter, changes } = ui;
  const made = output(opened ?? dashboard.shown, { width, style, shorten, detail: ui.detail, changes });
  const isLive = opened === null || ui.opened === dashboard.state.open?.number;
  const writing = isLive && changes === null ? underWay(input, width) : [];
  const all = writing.length === 0 ? made : [...made, ...unfinished(made, writing)];
  const matches = filter === "" ? null : matchesOf(all, filter);
  const lines = matches !== null && ui.onlyMatches ? onlyMatching(all, matches) : all;
  const page = Math.max(1, height - 1);
  const bottom = bottomLine(input, lines, page);
  const from = Math.max(0, bottom - page);
  const visible = lines.slice(from, Math.max(bottom, Math.min(page, lines.length)));
  const places = placesOf(lines, () => true, from, from + visible.length);
  const selected = ui.at === null ? -1 : places.findIndex((place) => isSamePlace(place, ui.at));
  const found = placesOf(all, (index) => (matches === null ? all[index]?.isEdit === true : matches[index] === true));
  const none = matches?.includes(true) === false ? [style.dim("  No line has these words. esc shows all.")] : [];
  const shown = visible.map(({ text }, index) => {
    const line = filter === "" ? text : markWords(text, filter, style);
    return index === selected ? pointed(line, style) : line;
  });
  return padded(
    {
      lines: [heading(input, lines.length - bottom, found, width), ...none, ...shown],
      total: lines.length,
      page,
      head: 1 + none.length,
      first: from,
      reading: ui.bottom === null ? null : scrollPositionAt(lines, bottom),
      places,
      found: { places: found, total: all.length },
      onEdit: ui.at !== null && all.some(({ seq, isEdit }) => isEdit && seq === ui.at?.seq),
      copied: (selected === -1 ? visible : visible.slice(selected, selected + 1)).map(({ text }) => text),
    },
    height,
  );
}

function heading({ ui, style, dashboard }: FrameInput, below: number, found: readonly Place[], width: number): string {
  const at = ui.at === null ? -1 : found.findIndex((place) => isSamePlace(place, ui.at));
  const whose = ui.opened === null ? "Output" : `Iteration ${ui.opened}`;
  const title = ui.changes === null ? whose : ui.changes.seq === null ? `Changes · ${whose.toLowerCase()}` : "Change";
  const matched = at === -1 ? String(found.length) : `${at + 1} of ${found.length}`;
  const isLive = ui.opened !== null && ui.opened === dashboard.state.open?.number;
  const facts = [
    ui.filter === "" ? null : `/${singleLine(ui.filter)} ${matched}`,
    ui.detail && ui.changes === null ? "detail" : null,
    below > 0 ? `${below} below` : null,
    isLive ? "under way" : null,
    ui.changes !== null ? "d back" : ui.opened === null ? null : "← → others · esc the list",
  ].filter((fact) => fact !== null);
  return spread(style.bold(title), style.dim(facts.join(" · ")), width);
}

/** The last line on the screen: the target of a key, else the previous reading position. */
function bottomLine({ ui, reading }: FrameInput, lines: readonly OutputLine[], page: number): number {
  if (ui.bottom === null) return lines.length;
  const bottom = reading?.bottom === ui.bottom ? findBottom(reading, lines) : ui.bottom;
  return Math.min(lines.length, Math.max(bottom, Math.min(page, lines.length)));
}

/** The selected line has a mark that is seen without colours, too. */
function pointed(line: string, style: Style): string {
  return line.startsWith(" ") ? style.cyan("›") + line.slice(1) : line;
}

/** Work that is not in the output yet: the block being written, and the running tools. */
function underWay({ dashboard, partial, now, alive, style, shorten }: FrameInput, width: number): string[] {
  const written = proseSoFar(partial);
  return [
    ...(written === "" ? [] : written.split("\n")).map((line) => style.dim(fit(`  ${singleLine(line)}`, width))),
    ...runningTools(dashboard.state, { width, style, shorten, now: livedUntil(dashboard.state, alive, now) }),
  ];
}

/** Lines without an event of their own continue the last event. */
function unfinished(lines: readonly OutputLine[], texts: readonly string[]): OutputLine[] {
  const seq = lines.at(-1)?.seq ?? 0;
  return texts.map((text) => outputLine(text, seq));
}
