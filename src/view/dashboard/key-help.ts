import type { Style } from "../text/style.ts";
import { fit, wrap } from "../text/text.ts";
import { beside } from "./panel-layout.ts";

type Group = { title: string; keys: readonly (readonly [key: string, does: string])[] };

const STEERING: Group = {
  title: "The run",
  keys: [
    ["p", "pause after it, and go on"],
    ["s", "stop after this iteration"],
    ["w", "take the stop back"],
    ["a", "end the agent now (asks)"],
    ["+", "allow one more iteration"],
    ["t", "tell the agent something"],
  ],
};
const PLAYING: Group = {
  title: "The replay",
  keys: [
    ["space", "pause, and go on again"],
    ["→ n", "pause; show the next step"],
    ["←", "the iteration before"],
    ["+ -", "twice, or half, as fast"],
    ["g", "jump to an iteration"],
  ],
};
const MOVING: Group = {
  title: "Move",
  keys: [
    ["↑ ↓ j k", "a line; the wheel, too"],
    ["PgUp PgDn", "a page"],
    ["g G", "the beginning; the end"],
    ["tab", "the plan, the activity"],
    ["z", "this panel, whole screen"],
    ["esc", "one step back"],
  ],
};
const OPENING: Group = {
  title: "Look",
  keys: [
    ["enter", "iterations; a task's details"],
    ["← →", "the iteration before, after"],
    ["d", "what was changed"],
    ["v", "what tools answered, too"],
    ["r", "another run"],
  ],
};
const FINDING: Group = {
  title: "Find and take along",
  keys: [
    ["/", "search; esc shows all"],
    ["n N", "next, previous match or edit"],
    ["y", "copy the line or the screen"],
    ["e", "the file, in your editor"],
  ],
};
const LEAVING: Group = {
  title: "Leave",
  keys: [
    ["q", "leave: that stops nothing"],
    ["?", "this help"],
  ],
};

const TO_DASHBOARD = ["m", "the dashboard of this run; q there leads back here"] as const;
const CLOSE_HELP = ["?", "this help; any key closes it"] as const;
/** In the lines of `ralph run`: what steers, and the way to the dashboard and back. */
const IN_LINES: Group = {
  title: "Keys",
  keys: [...STEERING.keys, TO_DASHBOARD, ["^C", "stop after this iteration; once more ends the agent now"], CLOSE_HELP],
};
/** In the lines of `ralph import`, whose one call cannot be steered. */
const IN_IMPORT: Group = {
  title: "Keys",
  keys: [TO_DASHBOARD, ["^C", "end the import now: nothing is written"], CLOSE_HELP],
};

/** Of the lines where nothing is drawn over: what the help says stays, and there is no dashboard. */
const LAST_PLAIN = ["?", "this help"] as const;

const LABEL = 9;
const LEAST_ROOM = 10;
const TWO_COLUMNS_FROM = 76;
const GAP = 2;

/** The keys and what they do, in groups; steering keys only where they work. Two columns where there is room. */
export function helpLines(width: number, shown: "run" | "import" | "replay", style: Style): string[] {
  const first = { run: [STEERING], import: [], replay: [PLAYING] }[shown];
  const moving = shown === "replay" ? without(MOVING, "g G") : MOVING;
  const opening = shown === "replay" ? without(without(OPENING, "r"), "← →") : OPENING;
  const columns = [
    [...first, opening],
    [moving, FINDING, LEAVING],
  ];
  const blocks = (groups: readonly Group[], room: number) => {
    const lines = groups.flatMap((group) => ["", ...groupLines(group, room, style)]);
    return lines.slice(1);
  };
  if (width < TWO_COLUMNS_FROM) return blocks(columns.flat(), width);
  const half = Math.floor((width - GAP) / 2);
  const [left = [], right = []] = columns.map((groups) => blocks(groups, half));
  const both = [left, right].map((lines) => ({ lines, width: half }));
  return beside(both, " ".repeat(GAP), Math.max(left.length, right.length));
}

/**
 * The keys of a run's lines, without a heading.
 * @param shown `draws`: whether the help is drawn over, as a dashboard is, and not printed
 */
export function lineKeysHelp(width: number, shown: { isImport: boolean; draws: boolean }, style: Style): string[] {
  const { title, keys } = shown.isImport ? IN_IMPORT : IN_LINES;
  const plain = [...keys.filter((key) => key !== TO_DASHBOARD && key !== CLOSE_HELP), LAST_PLAIN];
  return groupLines({ title, keys: shown.draws ? keys : plain }, width, style).slice(1);
}

function groupLines({ title, keys }: Group, width: number, style: Style): string[] {
  const room = Math.max(LEAST_ROOM, width - LABEL - 2);
  return [
    style.bold(fit(title, width)),
    ...keys.flatMap(([key, does]) =>
      wrap(does, room).map((line, index) =>
        fit(` ${index === 0 ? style.cyan(key.padEnd(LABEL)) : " ".repeat(LABEL)} ${line}`, width),
      ),
    ),
  ];
}

function without({ title, keys }: Group, key: string): Group {
  return { title, keys: keys.filter(([name]) => name !== key) };
}
