import type { Style } from "../text/style.ts";
import { fit, wrap } from "../text/text.ts";

type Entry = readonly [key: string, does: string] | null;

const STEERING: readonly Entry[] = [
  ["p", "pause after this iteration, and go on again"],
  ["s", "stop after this iteration"],
  ["w", "take the stop back"],
  ["a", "abort: end the agent now (asks first)"],
  ["+", "allow one more iteration"],
  ["t", "tell the agent something: it goes into the next prompt"],
  null,
];
const PLAYING: readonly Entry[] = [
  ["space", "pause, and go on again"],
  ["→ n", "pause, and show the next step"],
  ["←", "back to the iteration before"],
  ["+ -", "twice, or half, as fast"],
  ["g", "jump to an iteration by its number"],
  null,
];
const LOOKING: readonly Entry[] = [
  ["↑ ↓", "scroll, as PgUp and PgDn do; End follows the run again"],
  ["/", "show only lines with some words; esc shows all"],
  ["d", "what tools answered, too"],
];
const LEAVING: readonly Entry[] = [null, ["q", "leave: that stops nothing"], ["?", "this help; any key closes it"]];

/** In the lines of `ralph run`: what steers, and the way to the dashboard and back. */
const IN_LINES: readonly Entry[] = [
  ...STEERING.slice(0, -1),
  ["m", "the dashboard of this run; q there leads back here"],
  ["^C", "stop after this iteration; once more ends the agent now"],
  ["?", "this help; any key closes it"],
];

const LABEL = 7;
const LEAST_ROOM = 10;

/** The keys and their actions; steering keys only where they work. */
export function helpLines(width: number, shown: "run" | "import" | "replay" | "lines", style: Style): string[] {
  if (shown === "lines") return IN_LINES.flatMap((entry) => entryLines(entry, width, style));
  const list: Entry = [
    "enter",
    shown === "replay"
      ? "the iterations; enter again jumps to one, esc goes back"
      : "the iterations; enter again opens one, ← → its neighbours, esc goes back",
  ];
  const first = { run: STEERING, import: [], replay: PLAYING }[shown];
  return [...first, ...LOOKING, list, ...LEAVING].flatMap((entry) => entryLines(entry, width, style));
}

function entryLines(entry: Entry, width: number, style: Style): string[] {
  if (entry === null) return [""];
  const [key, does] = entry;
  return wrap(does, Math.max(LEAST_ROOM, width - LABEL - 2)).map((line, index) =>
    fit(`  ${index === 0 ? style.cyan(key.padEnd(LABEL)) : " ".repeat(LABEL)}${line}`, width),
  );
}
