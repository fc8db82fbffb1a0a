import { text } from "./html.ts";

const WIDTH = 360;
const HEIGHT = 150;
const LEFT = 44;
const RIGHT = 6;
const TOP = 10;
const BOTTOM = 22;
const PLOT = { width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM };
const WIDEST_BAR = 24;

export type Column = {
  /** The tooltip. */
  title: string;
  href: string;
  /** Stacked from the bottom up; negative values hang below the zero line. */
  parts: readonly { value: number; tone: string }[];
};

export type ChartOptions = {
  format(value: number): string;
  /** Numbers of the first and the last iteration. */
  first: number;
  last: number;
  /** Iterations per column. */
  per: number;
  label: string;
};

/** Stacked columns with a scale of three lines. Each links to its iteration; the label names the highest. */
export function columnChart(columns: readonly Column[], options: ChartOptions): string {
  const highest = Math.max(0, ...columns.map(({ parts }) => total(parts, 1)));
  const lowest = Math.min(0, ...columns.map(({ parts }) => total(parts, -1)));
  const scale = scaleOf(lowest, highest);
  const step = PLOT.width / Math.max(1, columns.length);
  const width = Math.min(WIDEST_BAR, Math.max(1, step * 0.78));
  const bars = columns.map(({ title, href, parts }, index) => {
    const x = LEFT + index * step + (step - width) / 2;
    return link(href, title, hit(index, step) + stacked(parts, x, width, scale));
  });
  const most = columns.find(({ parts }) => total(parts, 1) === highest)?.title;
  return frame(
    `${grid(scale, options)}${bars.join("")}${axis(options, columns.length)}`,
    `${spoken(options)}${most === undefined ? "" : `; most in ${most}`}`,
  );
}

/** A quantity that changes in steps, as a filled line below a ceiling. */
export function stepChart(
  values: readonly { value: number; title: string; href: string }[],
  ceiling: number,
  options: ChartOptions,
): string {
  const scale = scaleOf(0, Math.max(ceiling, ...values.map(({ value }) => value)));
  const step = PLOT.width / Math.max(1, values.length);
  const points = values.map(({ value }, index) => `H${n(LEFT + index * step)}V${n(scale.y(value))}`).join("");
  const end = `H${n(LEFT + values.length * step)}`;
  const base = n(scale.y(0));
  const line = `M${LEFT} ${base}${points}${end}`;
  const hits = values.map(({ title, href }, index) => link(href, title, hit(index, step)));
  const top = n(scale.y(ceiling));
  const goal = `<line class="goal" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${top}" y2="${top}"/>`;
  return frame(
    `${grid(scale, options)}${goal}<path class="area" d="${line}V${base}Z"/><path class="line" d="${line}"/>${hits.join("")}${axis(options, values.length)}`,
    spoken(options),
  );
}

/** How often a check passed and failed within one column. */
export type Mark = { passed: number; failed: number; title: string; href: string };

const MARK_HEIGHT = 14;
const MARK_ROW = MARK_HEIGHT + 24;
const WIDEST_MARK = 40;

/** Rows of marks: one row per name, one mark per column, its red part the share of failures. */
export function markChart(
  rows: readonly { name: string; marks: readonly Mark[] }[],
  options: Omit<ChartOptions, "format">,
): string {
  const { first, last } = options;
  const drawn = rows.map(({ name, marks }, row) => {
    const step = markStep(marks.length);
    const y = TOP + row * MARK_ROW;
    const cells = marks.map((mark, index) => markAt(mark, index * step, y + 8, Math.max(1.5, step * 0.82)));
    return `<text class="name" x="0" y="${n(y + 2)}">${text(name)}</text>${cells.join("")}`;
  });
  const height = TOP + rows.length * MARK_ROW + 4;
  const columns = rows[0]?.marks.length ?? 0;
  const end = columns * markStep(columns);
  const labels = `<text class="first" x="0" y="${height}">iteration ${first}</text>${end < 110 || first === last ? "" : `<text class="last" x="${n(end)}" y="${height}">${last}</text>`}`;
  return frame(`${drawn.join("")}${labels}`, spoken(options), height + 6);
}

function markStep(marks: number): number {
  return Math.min(WIDEST_MARK, WIDTH / Math.max(1, marks));
}

/**
 * A link for the pointer alone: the list below has the same iterations, and tabbing past hundreds of links helps no
 * user.
 */
function link(href: string, title: string, inner: string): string {
  return `<a href="${href}" tabindex="-1"><title>${text(title)}</title>${inner}</a>`;
}

function markAt({ passed, failed, title, href }: Mark, x: number, y: number, width: number): string {
  const bad = passed + failed === 0 ? 0 : (failed / (passed + failed)) * MARK_HEIGHT;
  const box = (tone: string, top: number, height: number) =>
    `<rect class="${tone}" x="${n(x)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" rx="${width > 6 ? 2 : 0}"/>`;
  const whole = box(passed > 0 ? "good" : failed > 0 ? "bad" : "none", y, MARK_HEIGHT);
  const part = passed > 0 && failed > 0 ? box("bad", y + MARK_HEIGHT - bad, bad) : "";
  return link(href, title, whole + part);
}

type Scale = { ticks: number[]; y(value: number): number };

function scaleOf(lowest: number, highest: number): Scale {
  const span = highest - lowest || 1;
  const unit = niceStep(span / 3);
  const from = Math.floor(lowest / unit) * unit;
  const to = Math.max(from + unit, Math.ceil((highest || unit) / unit) * unit);
  const ticks = Array.from({ length: Math.round((to - from) / unit) + 1 }, (_, index) => from + index * unit);
  return { ticks, y: (value) => TOP + PLOT.height * (1 - (value - from) / (to - from)) };
}

/** 1, 2 or 5 times a power of ten, at least `rough`. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((candidate) => candidate * power >= rough) ?? 10;
  return factor * power;
}

function grid({ ticks, y }: Scale, { format }: ChartOptions): string {
  return ticks
    .map(
      (tick) =>
        `<line class="${tick === 0 ? "zero" : "grid"}" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${n(y(tick))}" y2="${n(y(tick))}"/><text class="tick" x="${LEFT - 8}" y="${n(y(tick) + 3.5)}">${text(format(tick))}</text>`,
    )
    .join("");
}

/** Iteration numbers: the first with its word, and round ones up to the last as far as there is room. */
function axis({ first, last, per }: ChartOptions, columns: number): string {
  const y = HEIGHT - 6;
  const step = PLOT.width / Math.max(1, columns);
  const xOf = (number: number) => LEFT + (Math.floor((number - first) / per) + 0.5) * step;
  const every = Math.max(1, niceStep((last - first) / 4));
  const labels: string[] = [];
  for (let number = (Math.floor(first / every) + 1) * every; number < last; number += every) {
    const x = xOf(number);
    if (x > LEFT + 76 && x < WIDTH - RIGHT - 36)
      labels.push(`<text class="middle" x="${n(x)}" y="${y}">${number}</text>`);
  }
  if (last !== first) labels.push(`<text class="last" x="${WIDTH - RIGHT}" y="${y}">${last}</text>`);
  return `<text class="first" x="${LEFT}" y="${y}">iteration ${first}</text>${labels.join("")}`;
}

function stacked(parts: Column["parts"], x: number, width: number, { y }: Scale): string {
  let above = 0;
  let below = 0;
  return parts
    .filter(({ value }) => value !== 0)
    .map(({ value, tone }) => {
      const from = value > 0 ? above : below;
      if (value > 0) above += value;
      else below += value;
      const top = Math.min(y(from), y(from + value));
      const height = Math.max(1, Math.abs(y(from) - y(from + value)));
      return `<rect class="${tone}" x="${n(x)}" y="${n(top)}" width="${n(width)}" height="${n(height)}" rx="${width > 6 ? 2 : 0}"/>`;
    })
    .join("");
}

/** The full height of a column reacts to the pointer, not only its bar. */
function hit(index: number, step: number): string {
  return `<rect class="hit" x="${n(LEFT + index * step)}" y="${TOP}" width="${n(step)}" height="${PLOT.height}"/>`;
}

function total(parts: Column["parts"], sign: 1 | -1): number {
  return parts.reduce((sum, { value }) => (value * sign > 0 ? sum + value : sum), 0);
}

/** The chart's subject for a screen reader; its figures are in the caption and in the list. */
function spoken({ label, first, last }: Omit<ChartOptions, "format">): string {
  return `${label}, ${first === last ? `iteration ${first}` : `iterations ${first} to ${last}`}`;
}

function frame(inner: string, label: string, height = HEIGHT): string {
  return `<svg viewBox="0 0 ${WIDTH} ${n(height)}" role="img" aria-label="${text(label)}">${inner}</svg>`;
}

function n(value: number): string {
  return String(Math.round(value * 10) / 10);
}
