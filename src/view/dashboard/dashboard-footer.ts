import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { Style } from "../text/style.ts";
import { columns, fit } from "../text/text.ts";
import type { Dashboard } from "./model.ts";
import type { ReplayFacts } from "./replay-index.ts";
import { isPane, tooLong, whyRefused } from "./ui.ts";
import type { Ui } from "./ui-state.ts";

export type FooterInput = {
  dashboard: Dashboard;
  ui: Ui;
  alive: boolean;
  readOnly: string | null;
  message: string | null;
  replay: ReplayFacts | null;
  width: number;
  style: Style;
};

type KeyHint = readonly [key: string, does: string];

const LOOKING: readonly KeyHint[] = [
  ["enter", "iterations"],
  ["d", "changes"],
  ["/", "search"],
  ["tab", "plan"],
];
const ALWAYS: readonly KeyHint[] = [
  ["?", "help"],
  ["q", "leave"],
];
/** In a pane, whose own keys stand above it. */
const IN_PANE: readonly KeyHint[] = [
  ["?", "help"],
  ["q", "back"],
];

/** From the longest on: a question that is cut would not say which key ends the agent. */
const ABORT_QUESTIONS = [
  "End the agent now, in the middle of its work?  y yes · any other key no",
  "End the agent now?  y yes · any other key no",
  "End the agent now?  y yes · else no",
  "End it now?  y yes",
];

/** The last line: the text being typed or the open question, else a message, else the active keys. */
export function footer({ dashboard, ui, alive, readOnly, message, replay, width, style }: FooterInput): string {
  const prompt = promptLine(ui, message, { width, style });
  if (prompt !== null) return prompt;
  const inPane = isPane(ui.mode);
  if (replay !== null)
    return inPane ? keysThatFit([], IN_PANE, width, style) : keysThatFit(replayKeys(replay), ALWAYS, width, style);
  const steering =
    whyRefused({ state: dashboard.state, alive, readOnly }) === null ? steeringKeys(dashboard.state) : [];
  const word = readOnly !== null && alive ? style.dim("read-only · ") : "";
  const looking = inPane || dashboard.state.run === "" ? [] : LOOKING;
  return word + keysThatFit([...steering, ...looking], inPane ? IN_PANE : ALWAYS, width - columns(word), style);
}

/** The text being typed or the open question, else a message; null for none. */
export function promptLine(
  ui: Ui,
  message: string | null,
  { width, style }: Pick<FooterInput, "width" | "style">,
): string | null {
  if (ui.entry !== null) return entryLine(ui.entry, width, style);
  if (ui.mode === "abort") return style.yellow(abortQuestion(width));
  return message === null ? null : fit(style.yellow(singleLine(message)), width);
}

/** The keys that still change something: a stop at once is not taken back, and what is told then is the next run's. */
function steeringKeys({ stop_requested, paused, settings }: Dashboard["state"]): KeyHint[] {
  if (stop_requested?.how === "now") return [["t", "tell"]];
  return [
    ["p", paused ? "go on" : "pause"],
    stop_requested === null ? ["s", "stop"] : ["w", "withdraw the stop"],
    ["a", "abort"],
    ...(typeof settings.MAX_ITERATIONS === "number" ? [["+", "one more"] satisfies KeyHint] : []),
    ["t", "tell"],
  ];
}

function abortQuestion(width: number): string {
  return ABORT_QUESTIONS.find((question) => question.length <= width) ?? fit("y ends it", width);
}

function replayKeys({ isPaused, isOver }: ReplayFacts): KeyHint[] {
  const on: KeyHint[] = isOver
    ? []
    : [
        ["space", isPaused ? "go on" : "pause"],
        ["→", "step"],
      ];
  return [...on, ["←", "iteration"], ["+ -", "speed"], ["g", "jump"], ...LOOKING];
}

function entryLine(entry: NonNullable<Ui["entry"]>, width: number, style: Style): string {
  const { purpose, text } = entry;
  const more = tooLong(entry);
  const label =
    more > 0
      ? `${count(more, "character")} too long: `
      : { filter: "search: ", say: "tell the agent: ", jump: "iteration: " }[purpose];
  const paint = more > 0 ? style.yellow : style.cyan;
  const shown = singleLine(`.${text}`).slice(1) + (/\s$/.test(text) ? " " : "");
  const room = Math.max(1, width - label.length - 1);
  const end = columns(shown) > room ? [...shown].slice(-Math.floor(room / 2)).join("") : shown;
  return fit(`${paint(label)}${end}▏`, width);
}

/** As many keys as fit, always including the last two. */
function keysThatFit(some: readonly KeyHint[], always: readonly KeyHint[], width: number, style: Style): string {
  const show = ([key, does]: KeyHint) => `${style.cyan(key)} ${style.dim(does)}`;
  const join = (keys: readonly KeyHint[]) => keys.map(show).join("  ");
  for (let n = some.length; n > 0; n -= 1) {
    const line = join([...some.slice(0, n), ...always]);
    if (columns(line) <= width) return line;
  }
  return fit(join(always), width);
}
