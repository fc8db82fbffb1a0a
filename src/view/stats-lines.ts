import { settingText } from "../core/settings/setting-text.ts";
import { SETTING_NAMES } from "../core/settings/settings.ts";
import { stopTone } from "../core/stop/stop-tone.ts";
import { count } from "../core/text/count.ts";
import { START_RUN_HINT } from "../core/text/hints.ts";
import { money } from "../core/text/money.ts";
import { localDay } from "../core/text/time-text.ts";
import type { OutcomeRow, RunStats, SavingRow } from "../core/what-if/run-stats.ts";
import { cost, spent } from "./text/figures.ts";
import { endPaint, endWords } from "./text/marks.ts";
import type { Style } from "./text/style.ts";
import { fit } from "./text/text.ts";

const MOST_OUTCOMES = 8;
const LABEL = 12;
const SETTING = 28;
const MONEY = 8;

type Look = {
  style: Style;
  width: number;
  /** Whether a run is live, which counts once it has ended. */
  live: boolean;
};

/** `ralph stats`: at most 25 lines, whatever the runs. */
export function statsLines(stats: RunStats, { style, width, live }: Look): string[] {
  const { runs, done, first_at, last_at, iterations_to_done: toDone, cost_per_done_usd, savings } = stats;
  if (runs === 0) {
    const hint = live ? "The live one counts when it has ended. See it with: ralph ps" : START_RUN_HINT;
    return ["There is no finished run here yet.", style.dim(hint)];
  }
  const cut = (text: string) => fit(text, width);
  const row = (label: string, text: string) => cut(label.padEnd(LABEL) + text);
  const within =
    toDone === null
      ? ""
      : toDone.least === toDone.most
        ? `, in ${count(toDone.most, "iteration")}`
        : `, in ${toDone.least} to ${toDone.most} iterations, half of them within ${toDone.median}`;
  const told = cost(stats) ?? (stats.cost_usd === null ? null : money(0));
  const each = cost_per_done_usd === null ? "" : `, ${money(cost_per_done_usd)} for each run that got done`;
  const shown = stats.outcomes.slice(0, MOST_OUTCOMES);
  const others = stats.outcomes.slice(MOST_OUTCOMES).reduce((sum, one) => sum + one.runs, 0);
  return [
    row("Runs", `${runs}, ${day(first_at)} to ${day(last_at)}`),
    row("Got done", `${done} of ${runs}${within}`),
    row("Money", told === null ? "unknown: the agents told none" : `${told} in all${each}`),
    "",
    style.bold(cut("How they ended")),
    ...shown.map((one) => outcomeLine(one, cut, style)),
    ...(others === 0 ? [] : [cut(style.dim(`${String(others).padStart(4)}  in other ways`))]),
    "",
    style.bold(cut("What other settings would have saved")),
    ...(savings.length === 0 ? [cut("Nothing: none of the settings asked would have ended a run earlier.")] : []),
    ...savings.map((one) => savingLine(one, cut)),
  ];
}

function outcomeLine(row: OutcomeRow, cut: (text: string) => string, style: Style) {
  const { stop_reason, exit_code, runs } = row;
  const tone = stop_reason === null ? "bad" : stopTone(stop_reason, exit_code);
  const end = endWords(stop_reason, exit_code).padEnd(26);
  return cut(`${String(runs).padStart(4)}  ${endPaint(tone, style)(end)} ${cost(row) ?? ""}`.trimEnd());
}

function savingLine(row: SavingRow, cut: (text: string) => string): string {
  const names = SETTING_NAMES.filter((name) => name in row.settings);
  const setting = names.map((name) => `${name}=${settingText(name, row.settings[name] ?? null)}`).join(" ");
  const cuts = [
    row.cut_done === 0 ? null : `${row.cut_done} done`,
    row.cut_working === 0 ? null : `${row.cut_working} still at work`,
  ].filter((part) => part !== null);
  // What it would have broken comes first: a narrow terminal cuts the end.
  const parts = [
    cuts.length === 0 ? "cuts none" : `cuts ${cuts.join(", ")}`,
    row.runs === 0 ? null : `${count(row.saved_iterations, "iteration")} of ${count(row.runs, "run")}`,
    row.done_earlier === 0 ? null : `${row.done_earlier} done earlier`,
    row.unknown === 0 ? null : `${row.unknown} unknown`,
  ].filter((part) => part !== null);
  return cut(`${(spent(row.saved_usd) ?? "").padStart(MONEY)}  ${setting.padEnd(SETTING)} ${parts.join("; ")}`);
}

function day(iso: string | null): string {
  return iso === null ? "?" : localDay(Date.parse(iso));
}
