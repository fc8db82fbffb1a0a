import type { Style } from "../style.ts";
import { clip } from "./layout.ts";

type Entry = readonly [string, string] | null;

const STEERING: readonly Entry[] = [
  ["p", "pause after this iteration, and go on again"],
  ["s", "stop after this iteration"],
  ["w", "take the stop back"],
  ["a", "abort: end the agent now (asks first)"],
  ["+", "allow one more iteration"],
  ["t", "tell the agent something: it goes into the next prompt"],
];
const PLAYING: readonly Entry[] = [
  ["space", "pause, and go on again"],
  ["→ n", "pause, and show the next step"],
  ["←", "back to the iteration before"],
  ["+ -", "twice, or half, as fast"],
  ["g", "jump to an iteration by its number"],
];
const LOOKING: readonly Entry[] = [
  null,
  ["↑ ↓ PgUp PgDn", "scroll; End follows the run again"],
  ["/", "show only lines with some words; esc shows all"],
  ["d", "what tools answered, too"],
];
const LEAVING: readonly Entry[] = [null, ["q", "leave: that stops nothing"], ["?", "this help; any key closes it"]];

export function helpLines(width: number, isReplay: boolean, style: Style): string[] {
  const list: Entry = ["enter", `the iterations; enter again ${isReplay ? "jumps to" : "opens"} one, esc goes back`];
  const keys = [...(isReplay ? PLAYING : STEERING), ...LOOKING, list, ...LEAVING];
  const lines = keys.map((entry) => (entry === null ? "" : `  ${style.cyan(entry[0].padEnd(15))}${entry[1]}`));
  return [style.bold("Keys"), "", ...lines].map((line) => clip(line, width));
}
