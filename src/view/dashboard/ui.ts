import { continueCommand } from "../../core/continue-command.ts";
import type { ControlCommand } from "../../core/control-command.ts";
import type { State } from "../../core/journal/state.ts";
import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import { controlReply } from "../live/control-reply.ts";
import type { Key } from "./parse-keys.ts";

/** The state of the screen, as chosen by its user; nothing about the run. */
export type Ui = {
  mode: "main" | "list" | "help" | "abort";
  /** A line being typed; null for none. */
  entry: { purpose: "filter" | "say" | "jump"; text: string } | null;
  filter: string;
  /** Show the results of tools. */
  detail: boolean;
  /** The last line of output on the screen, counted from the start; null follows the end. */
  bottom: number | null;
  /** The number of help lines above the screen. */
  helpTop: number;
  /** The selected iteration in the list. */
  selected: number;
  /** The iteration whose output replaces the live one. */
  opened: number | null;
};

export type Action =
  | ControlCommand
  | { command: "leave" }
  | { command: "interrupt" }
  | { command: "open"; iteration: number };

/** The parts of the screen that keys depend on. */
export type OnScreen = {
  state: State;
  /** Numbers of the finished iterations. */
  iterations: readonly number[];
  /** Lines of the scrolling pane in total, and on one screen. */
  total: number;
  page: number;
  alive: boolean;
  /** Why commands are refused; null if they are allowed. */
  readOnly: string | null;
};

export type UiResult = { ui: Ui; action: Action | null; message: string | null };

export function initialUi(): Ui {
  return {
    mode: "main",
    entry: null,
    filter: "",
    detail: false,
    bottom: null,
    helpTop: 0,
    selected: 0,
    opened: null,
  };
}

/** Handles a key. Pure: the caller carries out the action and shows the message for a while. */
export function onKey(ui: Ui, key: Key, on: OnScreen): UiResult {
  if (key.name === "interrupt") return act(ui, { command: "interrupt" });
  if (ui.entry !== null) return onEntry(ui, ui.entry, key, on);
  if (key.name === "end_of_input") return act(ui, { command: "leave" });
  if (ui.mode === "help") return onHelp(ui, key, on);
  if (ui.mode === "abort") return onAbort(ui, key, on);
  if (ui.mode === "list") return onList(ui, key, on);
  return onMain(ui, key, on);
}

function onMain(ui: Ui, key: Key, on: OnScreen): UiResult {
  const by = scrollOf(key, on);
  if (by !== null) return stay(scrolled(ui, by, on));
  switch (key.name) {
    case "enter":
      return on.iterations.length === 0
        ? say(ui, "No iteration is finished yet.")
        : stay({ ...ui, mode: "list", selected: ui.opened ?? on.iterations.at(-1) ?? 0 });
    case "escape":
      return stay(backFrom(ui));
    case "left":
    case "right":
      return onNeighbour(ui, key.name === "left" ? -1 : 1, on);
    case "text":
      return onLetter(ui, key.text, on);
    case "paste":
      return say(ui, "Pasted text is not taken for keys. t tells the agent something.");
    default:
      return stay(ui);
  }
}

/** One step back: from a filter to all lines, from an iteration to the list that it was opened in. */
function backFrom(ui: Ui): Ui {
  const all: Ui = { ...ui, filter: "", bottom: null };
  if (ui.filter !== "" || ui.opened === null) return { ...all, opened: ui.filter === "" ? null : ui.opened };
  return { ...all, mode: "list", selected: ui.opened, opened: null };
}

/** The iteration before or after the opened one. */
function onNeighbour(ui: Ui, by: -1 | 1, { iterations }: OnScreen): UiResult {
  const next = ui.opened === null ? undefined : iterations[iterations.indexOf(ui.opened) + by];
  if (next === undefined) return stay(ui);
  return act({ ...ui, opened: next, bottom: null }, { command: "open", iteration: next });
}

/** A huge paste must not slow the screen; this much of it shows that it is too long. */
const MOST_TYPED = 10 * USER_MESSAGE_MAX_CHARS;

const STEERING = new Set(["p", "s", "w", "+", "t", "a"]);

/** Whether a letter is a command to the run. */
export function isSteering(letter: string): boolean {
  return STEERING.has(letter);
}

function onLetter(ui: Ui, letter: string, on: OnScreen): UiResult {
  const { state } = on;
  const why = isSteering(letter) ? whyRefused(on) : null;
  if (why !== null) return say(ui, why);
  switch (letter) {
    case "q":
      return act(ui, { command: "leave" });
    case "?":
    case "h":
      return stay({ ...ui, mode: "help", helpTop: 0 });
    case "/":
      return stay({ ...ui, entry: { purpose: "filter", text: ui.filter } });
    case "d":
      return stay({ ...ui, detail: !ui.detail, bottom: null });
    case "p":
      return command(ui, { command: state.paused ? "resume" : "pause" }, on);
    case "s":
      return command(ui, { command: "stop", how: "after_iteration" }, on);
    case "w":
      return command(ui, { command: "withdraw" }, on);
    case "+":
      return command(ui, { command: "extend", iterations: 1 }, on);
    case "t":
      return stay({ ...ui, entry: { purpose: "say", text: "" } });
    case "a":
      return stay({ ...ui, mode: "abort" });
    default:
      return stay(ui);
  }
}

function onEntry(ui: Ui, entry: NonNullable<Ui["entry"]>, key: Key, on: OnScreen): UiResult {
  const typing = (text: string) => {
    const next = { ...ui, entry: { ...entry, text } };
    // A filter applies while it is typed.
    return stay(entry.purpose === "filter" ? { ...next, filter: text, bottom: null } : next);
  };
  switch (key.name) {
    case "text":
    case "paste":
      return typing((entry.text + key.text).slice(0, MOST_TYPED));
    case "backspace":
      return typing([...entry.text].slice(0, -1).join(""));
    case "escape":
      return stay({ ...ui, entry: null, filter: entry.purpose === "filter" ? "" : ui.filter });
    case "enter": {
      const done = { ...ui, entry: null };
      const text = entry.text.trim();
      if (tooLong(entry) > 0) return stay(ui);
      return entry.purpose === "filter" || text === "" ? stay(done) : command(done, { command: "say", text }, on);
    }
    default:
      return stay(ui);
  }
}

/** How many characters of the typed text exceed the limit for a message to the agent. */
export function tooLong({ purpose, text }: NonNullable<Ui["entry"]>): number {
  return purpose === "say" ? Math.max(0, text.trim().length - USER_MESSAGE_MAX_CHARS) : 0;
}

function onHelp(ui: Ui, key: Key, on: OnScreen): UiResult {
  const by = scrollOf(key, on);
  const most = on.total - on.page;
  if (by === null || most <= 0) return stay({ ...ui, mode: "main" });
  return stay({ ...ui, helpTop: Math.min(most, Math.max(0, ui.helpTop + by)) });
}

function onAbort(ui: Ui, key: Key, on: OnScreen): UiResult {
  const main: Ui = { ...ui, mode: "main" };
  // Ignores the key that asked, because it may still be held down.
  const yes = key.name === "text" && key.text.toLowerCase() === "y";
  return yes ? command(main, { command: "stop", how: "now" }, on) : stay(main);
}

function onList(ui: Ui, key: Key, on: OnScreen): UiResult {
  const { iterations } = on;
  const main: Ui = { ...ui, mode: "main" };
  const by = scrollOf(key, on);
  if (by !== null) {
    const at = iterations.indexOf(ui.selected) + by;
    const next = iterations[Math.min(iterations.length - 1, Math.max(0, at))];
    return stay(next === undefined ? ui : { ...ui, selected: next });
  }
  if (key.name === "enter")
    return act({ ...main, opened: ui.selected, bottom: null }, { command: "open", iteration: ui.selected });
  return stay(key.name === "text" && key.text !== "q" ? ui : main);
}

/** How many lines a key scrolls down; null if it does not scroll. */
function scrollOf(key: Key, { total, page }: OnScreen): number | null {
  switch (key.name === "text" ? key.text : key.name) {
    case "up":
    case "k":
      return -1;
    case "down":
    case "j":
      return 1;
    case "page_up":
      return 1 - page;
    case "page_down":
    case " ":
      return page - 1;
    case "home":
    case "g":
      return -total;
    case "end":
    case "G":
      return total;
    default:
      return null;
  }
}

function scrolled(ui: Ui, by: number, { total, page }: OnScreen): Ui {
  const bottom = Math.max(Math.min(page, total), (ui.bottom ?? total) + by);
  return { ...ui, bottom: bottom >= total ? null : bottom };
}

/** Why keys cannot steer a run, in words; null if they can. */
export function whyRefused({ state, readOnly, alive }: Pick<OnScreen, "state" | "readOnly" | "alive">): string | null {
  if (alive) return readOnly ?? (state.started_by === "import" ? "An import takes no commands." : null);
  if (state.run === "") return "There is no run yet.";
  if (state.finished !== null) return "The run is over.";
  return `The process is gone. Go on with: ${continueCommand(state)}`;
}

function command(ui: Ui, action: ControlCommand, on: OnScreen): UiResult {
  const why = whyRefused(on);
  if (why !== null) return say(ui, why);
  const words = controlReply(action, on.state);
  // The hint at the undo command is not needed beside the keys.
  const [message = ""] = words.text.split(/(?<=\.) /);
  return { ui, action: words.action === "send" ? action : null, message };
}

function act(ui: Ui, action: Action): UiResult {
  return { ui, action, message: null };
}

function stay(ui: Ui): UiResult {
  return { ui, action: null, message: null };
}

function say(ui: Ui, message: string | null): UiResult {
  return { ui, action: null, message };
}
