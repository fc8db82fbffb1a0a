import type { Style } from "../style.ts";
import { clip } from "./layout.ts";

const KEYS: readonly (readonly [string, string] | null)[] = [
  ["p", "pause after this iteration, and go on again"],
  ["s", "stop after this iteration"],
  ["w", "take the stop back"],
  ["a", "abort: end the agent now (asks first)"],
  ["+", "allow one more iteration"],
  ["t", "tell the agent something: it goes into the next prompt"],
  null,
  ["↑ ↓ PgUp PgDn", "scroll; End follows the run again"],
  ["/", "show only lines with some words; esc shows all"],
  ["d", "what tools answered, too"],
  ["enter", "the iterations; enter again opens one, esc goes back"],
  null,
  ["q", "leave: that stops nothing"],
  ["?", "this help; any key closes it"],
];

export function helpLines(width: number, style: Style): string[] {
  const lines = KEYS.map((entry) => (entry === null ? "" : `  ${style.cyan(entry[0].padEnd(15))}${entry[1]}`));
  return [style.bold("Keys"), "", ...lines].map((line) => clip(line, width));
}
