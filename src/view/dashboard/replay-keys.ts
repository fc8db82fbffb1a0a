import type { PlayKey } from "../../core/report/playback.ts";
import type { Key } from "./parse-keys.ts";
import { onKey } from "./ui.ts";
import { type Action, act, type OnScreen, stay, type Ui, type UiResult } from "./ui-state.ts";

/** The actions of a replay's user, in addition to those of a dashboard. */
export type ReplayAction = Action | { command: "play"; key: PlayKey } | { command: "jump"; iteration: number };

export type ReplayUiResult = Omit<UiResult, "action"> & { action: ReplayAction | null };

const MOST_DIGITS = 6;

/** The replay key for a terminal key; null for none. Lines and dashboard share it. */
export function playKeyOf(key: Key): PlayKey | null {
  if (key.name === "right") return "step";
  if (key.name === "left") return "previous";
  if (key.name !== "text") return null;
  switch (key.text) {
    case " ":
      return "toggle";
    case "n":
      return "step";
    case "+":
    case "=":
      return "faster";
    case "-":
      return "slower";
    default:
      return null;
  }
}

/** Handles a key on a replay's dashboard. Pure, like `onKey`, which handles all keys that only change the view. */
export function onReplayKey(ui: Ui, key: Key, on: OnScreen): ReplayUiResult {
  if (key.name === "interrupt") return act(ui, { command: "leave" });
  if (ui.entry?.purpose === "jump") return onNumber(ui, ui.entry.text, key);
  if (ui.mode === "list" && key.name === "enter")
    return act({ ...ui, mode: "main", bottom: null }, { command: "jump", iteration: ui.selected });
  // An iteration of the list may be still to come: only what was played has changes to show.
  if (ui.mode === "list" && key.name === "text" && key.text === "d") return stay(ui);
  const isFree = ui.mode === "main" && ui.entry === null && ui.focus === "main";
  // `n` goes to the next match of a search, as in every dashboard.
  const isNext = ui.filter !== "" && key.name === "text" && key.text === "n";
  const played = isFree && !isNext ? playKeyOf(key) : null;
  if (played !== null) return act({ ...ui, bottom: null }, { command: "play", key: played });
  if (isFree && key.name === "text" && key.text === "g") return stay({ ...ui, entry: { purpose: "jump", text: "" } });
  return onKey(ui, key, on);
}

function onNumber(ui: Ui, text: string, key: Key): ReplayUiResult {
  const typing = (next: string) => stay({ ...ui, entry: { purpose: "jump", text: next } });
  const done: Ui = { ...ui, entry: null };
  switch (key.name) {
    case "text":
      return /^\d$/.test(key.text) ? typing((text + key.text).slice(0, MOST_DIGITS)) : typing(text);
    case "backspace":
      return typing(text.slice(0, -1));
    case "enter":
      return text === "" ? stay(done) : act({ ...done, bottom: null }, { command: "jump", iteration: Number(text) });
    case "escape":
      return stay(done);
    default:
      return typing(text);
  }
}
