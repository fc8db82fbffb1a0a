import type { StopReason } from "../../core/stop/stop-reasons.ts";
import { stopTone, type Tone } from "../../core/stop/stop-tone.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { Style } from "./style.ts";

type Paint = (text: string) => string;

/** The mark of each end. It differs without colour too. Every view takes it from here, as it takes an iteration's from iteration-mark.ts. */
export const END_MARKS = { good: "✓", calm: "■", warn: "!", bad: "✗" } as const satisfies Record<Tone, string>;

/** The end of a run whose process is gone without having recorded one. */
export const BROKE_OFF = "broke off";

/** A run's end by its mark and its one name; null for one that broke off. */
export function endWords(reason: StopReason | null, exitCode: number | null): string {
  return reason === null ? `${END_MARKS.bad} ${BROKE_OFF}` : `${END_MARKS[stopTone(reason, exitCode)]} ${reason}`;
}

/** What colours an end. */
export function endPaint(tone: Tone, style: Style): Paint {
  return { good: style.green, calm: (text: string) => text, warn: style.yellow, bad: style.red }[tone];
}

/** The mark of a run's end in its colour. */
function endMark(reason: StopReason, exitCode: number | null, style: Style): string {
  const tone = stopTone(reason, exitCode);
  return endPaint(tone, style)(END_MARKS[tone]);
}

/** A run's end by its mark and its one name, as each view of a terminal begins with it. */
export function endName(reason: StopReason, exitCode: number | null, style: Style): string {
  return `${endMark(reason, exitCode, style)} ${style.bold(singleLine(reason))}`;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** Turns once a second, while a run works. @param now epoch ms */
export function spinner(now: number): string {
  return FRAMES[Math.floor(now / 1000) % FRAMES.length] ?? "";
}

/** The mark of what happened in between, and what colours it. */
export const EVENT_MARKS = {
  good: { mark: "✓", paint: "green" },
  bad: { mark: "✗", paint: "red" },
  warn: { mark: "!", paint: "yellow" },
  quiet: { mark: "·", paint: "dim" },
} as const satisfies Record<string, { mark: string; paint: keyof Style }>;

export type EventTone = keyof typeof EVENT_MARKS;

/** What decides a gate's mark; `ok` is null before it has run. */
export type MarkedGate = { ok: boolean | null; weakened?: boolean | undefined; no_tests?: true | undefined };

/** The mark of a gate: one whose checks got weaker, or that ran no test, proves nothing. */
export function gateMark({ ok, weakened = false, no_tests = undefined }: MarkedGate, style: Style): string {
  if (ok === null) return style.dim("·");
  if (weakened || no_tests) return style.yellow("!");
  return ok ? style.green("✓") : style.red("✗");
}
