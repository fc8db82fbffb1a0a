import type { ControlCommand } from "../../core/control.ts";
import { SAID_MAX_CHARS } from "../../core/said.ts";
import type { State } from "../../core/state.ts";
import { controlWords } from "../control-words.ts";
import type { Key } from "./keys.ts";

/** What the person at the screen looks at; nothing of the run. */
export type Ui = {
  mode: "main" | "list" | "help" | "abort";
  /** A line being typed; null for none. */
  entry: { purpose: "filter" | "say" | "jump"; text: string } | null;
  filter: string;
  /** Show what tools answered. */
  detail: boolean;
  /** The last line of output on the screen, counted from its beginning; null follows the end. */
  bottom: number | null;
  /** The iteration marked in the list. */
  selected: number;
  /** The iteration whose output is shown in place of the live one. */
  opened: number | null;
};

export type Action =
  | ControlCommand
  | { command: "leave" }
  | { command: "interrupt" }
  | { command: "open"; iteration: number };

/** What is on the screen, as far as keys depend on it. */
export type OnScreen = {
  state: State;
  /** Numbers of the finished iterations. */
  iterations: readonly number[];
  /** Lines of output in all, and on one screen. */
  total: number;
  page: number;
  alive: boolean;
  /** Why commands are refused; null if they are not. */
  readOnly: string | null;
};

export type Answer = { ui: Ui; action: Action | null; message: string | null };

export function initialUi(): Ui {
  return { mode: "main", entry: null, filter: "", detail: false, bottom: null, selected: 0, opened: null };
}

/** What a key does. Pure: the caller carries the action out and shows the message for a while. */
export function onKey(ui: Ui, key: Key, on: OnScreen): Answer {
  if (key.name === "interrupt") return act(ui, { command: "interrupt" });
  if (ui.entry !== null) return onEntry(ui, ui.entry, key, on);
  if (ui.mode === "help") return stay({ ...ui, mode: "main" });
  if (ui.mode === "abort") return onAbort(ui, key, on);
  if (ui.mode === "list") return onList(ui, key, on);
  return onMain(ui, key, on);
}

function onMain(ui: Ui, key: Key, on: OnScreen): Answer {
  switch (key.name) {
    case "up":
      return stay(scrolled(ui, -1, on));
    case "down":
      return stay(scrolled(ui, 1, on));
    case "page_up":
      return stay(scrolled(ui, 1 - on.page, on));
    case "page_down":
      return stay(scrolled(ui, on.page - 1, on));
    case "home":
      return stay(scrolled(ui, -on.total, on));
    case "end":
      return stay({ ...ui, bottom: null });
    case "enter":
      return on.iterations.length === 0
        ? say(ui, "No iteration is finished yet.")
        : stay({ ...ui, mode: "list", selected: ui.opened ?? on.iterations.at(-1) ?? 0 });
    case "escape":
      return stay({ ...ui, opened: null, filter: "", bottom: null });
    case "text":
      return onLetter(ui, key.text, on);
    case "paste":
      return say(ui, "Pasted text is not taken for keys. t tells the agent something.");
    default:
      return stay(ui);
  }
}

const STEERING = new Set(["p", "s", "w", "+", "t", "a"]);

function onLetter(ui: Ui, letter: string, on: OnScreen): Answer {
  const { state } = on;
  const why = STEERING.has(letter) ? refusal(on) : null;
  if (why !== null) return say(ui, why);
  switch (letter) {
    case "q":
      return act(ui, { command: "leave" });
    case "?":
    case "h":
      return stay({ ...ui, mode: "help" });
    case "/":
      return stay({ ...ui, entry: { purpose: "filter", text: ui.filter } });
    case "d":
      return stay({ ...ui, detail: !ui.detail, bottom: null });
    case "k":
      return stay(scrolled(ui, -1, on));
    case "j":
      return stay(scrolled(ui, 1, on));
    case " ":
      return stay(scrolled(ui, on.page - 1, on));
    case "g":
      return stay(scrolled(ui, -on.total, on));
    case "G":
      return stay({ ...ui, bottom: null });
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

function onEntry(ui: Ui, entry: NonNullable<Ui["entry"]>, key: Key, on: OnScreen): Answer {
  const typing = (text: string) => {
    const next = { ...ui, entry: { ...entry, text } };
    // A filter works while it is being typed.
    return stay(entry.purpose === "filter" ? { ...next, filter: text, bottom: null } : next);
  };
  switch (key.name) {
    case "text":
    case "paste":
      return typing((entry.text + key.text).slice(0, SAID_MAX_CHARS));
    case "backspace":
      return typing([...entry.text].slice(0, -1).join(""));
    case "escape":
      return stay({ ...ui, entry: null, filter: entry.purpose === "filter" ? "" : ui.filter });
    case "enter": {
      const done = { ...ui, entry: null };
      const text = entry.text.trim();
      return entry.purpose === "filter" || text === "" ? stay(done) : command(done, { command: "say", text }, on);
    }
    default:
      return stay(ui);
  }
}

function onAbort(ui: Ui, key: Key, on: OnScreen): Answer {
  const main: Ui = { ...ui, mode: "main" };
  // Not the key that asked: a key that is held down answers nothing.
  const yes = key.name === "text" && key.text.toLowerCase() === "y";
  return yes ? command(main, { command: "stop", how: "now" }, on) : stay(main);
}

function onList(ui: Ui, key: Key, { iterations, page }: OnScreen): Answer {
  const at = iterations.indexOf(ui.selected);
  const move = (by: number) => {
    const next = iterations[Math.min(iterations.length - 1, Math.max(0, at + by))];
    return stay(next === undefined ? ui : { ...ui, selected: next });
  };
  const main: Ui = { ...ui, mode: "main" };
  switch (key.name) {
    case "up":
      return move(-1);
    case "down":
      return move(1);
    case "page_up":
      return move(1 - page);
    case "page_down":
      return move(page - 1);
    case "home":
      return move(-iterations.length);
    case "end":
      return move(iterations.length);
    case "enter":
      return act({ ...main, opened: ui.selected, bottom: null }, { command: "open", iteration: ui.selected });
    case "text":
      return key.text === "k" ? move(-1) : key.text === "j" ? move(1) : key.text === "q" ? stay(main) : stay(ui);
    default:
      return stay(main);
  }
}

function scrolled(ui: Ui, by: number, { total, page }: OnScreen): Ui {
  const bottom = Math.max(Math.min(page, total), (ui.bottom ?? total) + by);
  return { ...ui, bottom: bottom >= total ? null : bottom };
}

function refusal({ state, readOnly, alive }: OnScreen): string | null {
  if (alive) return readOnly;
  if (state.run === "") return "There is no run yet.";
  return state.finished === null ? "The run's process is gone. Go on with: ralph run" : "The run is over.";
}

function command(ui: Ui, action: ControlCommand, on: OnScreen): Answer {
  const why = refusal(on);
  if (why !== null) return say(ui, why);
  const words = controlWords(action, on.state);
  // Beside the keys the command that takes it back is not needed.
  const [message = ""] = words.text.split(/(?<=\.) /);
  return { ui, action: words.do === "send" ? action : null, message };
}

function act(ui: Ui, action: Action): Answer {
  return { ui, action, message: null };
}

function stay(ui: Ui): Answer {
  return { ui, action: null, message: null };
}

function say(ui: Ui, message: string | null): Answer {
  return { ui, action: null, message };
}
