import { continueCommand } from "../../core/continue-command.ts";
import type { ControlCommand } from "../../core/control-command.ts";
import { USER_MESSAGE_MAX_CHARS } from "../../core/prompt/user-messages.ts";
import { controlReply } from "../live/control-reply.ts";
import { changesFrom, onList, onRuns, onTask, openIteration } from "./keys/list-keys.ts";
import { onClick, onWheel } from "./keys/mouse.ts";
import { clamp, movedInPanel, scrolledFromTop, scrollOf } from "./keys/scroll-keys.ts";
import type { Key } from "./parse-keys.ts";
import { act, type OnScreen, type PanelName, say, stay, type Ui, type UiResult } from "./ui-state.ts";

/** Handles a key. Pure: the caller carries out the action and shows the message for a while. */
export function onKey(ui: Ui, key: Key, on: OnScreen): UiResult {
  if (key.name === "interrupt") return act(ui, { command: "interrupt" });
  if (key.name === "wheel") return onWheel(ui, key, on);
  if (ui.entry !== null) return onEntry(ui, ui.entry, key, on);
  if (key.name === "end_of_input") return act(ui, { command: "leave" });
  if (ui.mode === "abort") return onAbort(ui, key, on);
  if (key.name === "click") return onClick(ui, key, on, (clicked) => onKey(clicked, { name: "enter" }, on));
  if (ui.mode === "help") return onHelp(ui, key, on);
  if (isPane(ui.mode) && key.name === "text" && (isSteering(key.text) || key.text === "?"))
    return onLetter(ui, key.text, on);
  if (ui.mode === "list") return onList(ui, key, on);
  if (ui.mode === "runs") return onRuns(ui, key, on);
  if (ui.mode === "task") return onTask(ui, key, on);
  return onMain(ui, key, on);
}

function onMain(ui: Ui, key: Key, on: OnScreen): UiResult {
  const moved = movedInPanel(ui, key, on);
  if (moved !== null) return stay(moved);
  switch (key.name) {
    case "enter":
      return onEnter(ui, on);
    case "tab":
      return onTab(ui, on);
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

function onEnter(ui: Ui, on: OnScreen): UiResult {
  if (ui.focus === "plan") return stay({ ...ui, mode: "task", top: 0 });
  if (ui.at !== null && on.onEdit && ui.changes === null) return stay(withChanges(ui, ui.at.seq));
  return on.iterations.length === 0
    ? say(ui, "No iteration has begun yet.")
    : stay({ ...ui, mode: "list", focus: "main", changes: null, selected: ui.opened ?? on.iterations.at(-1) ?? 0 });
}

/** The keys go on to the next panel: output, plan, activity. */
function onTab(ui: Ui, { plan }: OnScreen): UiResult {
  const after: Record<PanelName, PanelName> = {
    main: plan.length === 0 ? "activity" : "plan",
    plan: "activity",
    activity: "main",
  };
  const current = plan.findIndex(({ state }) => state === "current");
  const task = clamp(ui.focus === "main" && current !== -1 ? current : ui.task, 0, plan.length - 1);
  return stay({ ...ui, focus: after[ui.focus], task, planTop: null, activityBelow: 0 });
}

/** One step back: to the output, from a search to all lines, from an iteration to the list that it was opened in. */
function backFrom(ui: Ui): Ui {
  if (ui.focus !== "main") return { ...ui, focus: "main" };
  if (ui.filter !== "" || ui.at !== null)
    return { ...ui, filter: "", onlyMatches: false, at: null, bottom: ui.changes === null ? null : ui.bottom };
  if (ui.changes !== null) return { ...ui, ...ui.changes.back, changes: null, selected: ui.opened ?? ui.selected };
  if (ui.opened !== null) return { ...ui, mode: "list", selected: ui.opened, opened: null, bottom: null };
  return ui.bottom === null ? { ...ui, zoom: false } : { ...ui, bottom: null };
}

/** The iteration before or after the opened one. */
function onNeighbour(ui: Ui, by: -1 | 1, { iterations }: OnScreen): UiResult {
  const next = ui.opened === null ? undefined : iterations[iterations.indexOf(ui.opened) + by];
  if (next === undefined) return stay(ui);
  const { ui: opened, action } = openIteration(ui, next);
  const changes = ui.changes === null ? {} : changesFrom({ mode: "list", opened: null, bottom: null });
  return { ui: { ...opened, ...changes }, action, message: null };
}

function withChanges(ui: Ui, seq: number | null): Ui {
  const { mode, opened, bottom } = ui;
  return { ...ui, focus: "main", ...changesFrom({ mode, opened, bottom }, seq) };
}

/** What tools changed: in the selected edit, else in the opened iteration, else in the newest. */
function onChanges(ui: Ui, on: OnScreen): UiResult {
  if (ui.changes !== null) return stay(backFrom({ ...ui, focus: "main", filter: "", at: null }));
  if (ui.at !== null && on.onEdit) return stay(withChanges(ui, ui.at.seq));
  if (ui.opened !== null) return stay(withChanges(ui, null));
  const { iteration } = on.state;
  if (iteration === 0) return say(ui, "No iteration has begun yet.");
  return act({ ...withChanges(ui, null), opened: iteration }, { command: "open", iteration });
}

/** The next match of the search, or the next edit, in its place among the other lines. */
function onNext(ui: Ui, by: -1 | 1, { found: { places, total }, page }: OnScreen): UiResult {
  if (places.length === 0) return say(ui, ui.filter === "" ? "No edit is here." : "No line has these words.");
  const { at } = ui;
  const isBefore = (place: (typeof places)[number]) =>
    at !== null && (place.seq < at.seq || (place.seq === at.seq && place.line < at.line));
  const before = places.filter(isBefore).length;
  const isOn = at !== null && places[before]?.seq === at.seq && places[before]?.line === at.line;
  const next = by === -1 ? before - 1 : before + (isOn ? 1 : 0);
  const place = places[(next + places.length) % places.length];
  if (place === undefined) return stay(ui);
  const bottom = clamp(place.bottom + Math.floor(page / 2), Math.min(page, total), total);
  return stay({ ...ui, focus: "main", at: { seq: place.seq, line: place.line }, bottom, onlyMatches: false });
}

/** A huge paste must not slow the screen; this much of it shows that it is too long. */
const MOST_TYPED = 10 * USER_MESSAGE_MAX_CHARS;

const STEERING = new Set(["p", "s", "w", "+", "t", "a"]);

/** Whether what is shown in the place of the output has keys of its own, beside those that steer. */
export function isPane(mode: Ui["mode"]): mode is "list" | "runs" | "task" {
  return mode === "list" || mode === "runs" || mode === "task";
}

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
      return stay({ ...ui, mode: "help", top: 0 });
    case "/":
      return stay({ ...ui, focus: "main", entry: { purpose: "filter", text: ui.filter } });
    case "n":
      return onNext(ui, 1, on);
    case "N":
      return onNext(ui, -1, on);
    case "d":
      return onChanges(ui, on);
    case "v":
      return stay({ ...ui, detail: !ui.detail, bottom: null });
    case "z":
      return stay({ ...ui, zoom: !ui.zoom });
    case "e":
      return act(ui, { command: "edit" });
    case "y":
      return act(ui, { command: "copy" });
    case "r":
      return on.runs === null
        ? say(ui, "A replay shows one run.")
        : act({ ...ui, mode: "runs", focus: "main", run: state.run }, { command: "runs" });
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
    // A search applies while it is typed.
    return stay(
      entry.purpose === "filter" ? { ...next, filter: text, onlyMatches: true, at: null, bottom: null } : next,
    );
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
  return stay(by === null || on.total <= on.page ? { ...ui, mode: "main" } : scrolledFromTop(ui, by, on));
}

function onAbort(ui: Ui, key: Key, on: OnScreen): UiResult {
  const main: Ui = { ...ui, mode: "main" };
  // Ignores the key that asked, because it may still be held down.
  const yes = key.name === "text" && key.text.toLowerCase() === "y";
  return yes ? command(main, { command: "stop", how: "now" }, on) : stay(main);
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
