import type { ControlCommand } from "../../core/control-command.ts";
import type { State } from "../../core/journal/state.ts";
import type { Found } from "./pane/pane.ts";
import type { PlanEntry } from "./plan/run-plan.ts";
import type { Place, ScrollPosition } from "./scroll-position.ts";

/** A part of the screen that scrolls by itself. */
export type PanelName = "main" | "plan" | "activity";

/** The state of the screen, as chosen by its user; nothing about the run. */
export type Ui = {
  mode: "main" | "list" | "task" | "runs" | "help" | "abort";
  /** The panel in which keys move. */
  focus: PanelName;
  /** That panel has the whole screen. */
  zoom: boolean;
  /** A line being typed; null for none. */
  entry: { purpose: "filter" | "say" | "jump"; text: string } | null;
  /** The words that are searched, or "". */
  filter: string;
  /** Lines without these words are hidden. */
  onlyMatches: boolean;
  /** The selected line of the output; null for none. */
  at: Place | null;
  /** Show what tools changed and answered. */
  detail: boolean;
  /** What tools changed is shown instead of the output: all of it, or that of one event; and where it was opened. */
  changes: { seq: number | null; back: Pick<Ui, "mode" | "opened" | "bottom"> } | null;
  /** The last line of output on the screen, counted from the start; null follows the end. */
  bottom: number | null;
  /** The number of lines above the screen, in the help and in a task's details. */
  top: number;
  /** The selected iteration in the list. */
  selected: number;
  /** The iteration whose output replaces the live one. */
  opened: number | null;
  /** The selected task, by its place in the plan. */
  task: number;
  /** The first task on the screen, where the wheel moved it; null for the place of the current one. */
  planTop: number | null;
  /** The number of activities below the screen. */
  activityBelow: number;
  /** The selected run in the list of runs. */
  run: string;
};

/** What a key asks for: a command to the run, or something of the screen's own. */
export type Action = ControlCommand | ScreenAction;

type ScreenAction =
  | { command: "leave" }
  | { command: "interrupt" }
  | { command: "open"; iteration: number }
  /** Lists the runs. */
  | { command: "runs" }
  /** Shows another run. */
  | { command: "watch"; run: string }
  /** Opens what is selected in the user's editor. */
  | { command: "edit" }
  /** Copies what is selected to the terminal's clipboard. */
  | { command: "copy" };

/** Where a panel's rows are on the screen, from 1, and which of them. */
export type Region = {
  panel: PanelName;
  top: number;
  left: number;
  width: number;
  height: number;
  /** The first row on the screen, of how many, and how many of them are shown. */
  first: number;
  total: number;
  shown: number;
};

/** The parts of the screen that keys depend on. */
export type OnScreen = {
  state: State;
  /** Numbers of the iterations, the one under way included. */
  iterations: readonly number[];
  /** Lines of the scrolling pane in total, and on one screen. */
  total: number;
  page: number;
  regions: readonly Region[];
  /** The places of the output's lines on the screen. */
  places: readonly ScrollPosition[];
  found: Found;
  /** Whether the selected line is an edit of the agent. */
  onEdit: boolean;
  plan: readonly PlanEntry[];
  /** The runs to choose from; null where there is one only, as in a replay. */
  runs: readonly string[] | null;
  alive: boolean;
  /** Why commands are refused; null if they are allowed. */
  readOnly: string | null;
};

export type UiResult = { ui: Ui; action: Action | null; message: string | null };

/** A screen without anything on it, as before the first frame. */
export const EMPTY_SCREEN: Omit<OnScreen, "state" | "iterations" | "runs" | "alive" | "readOnly"> = {
  total: 0,
  page: 1,
  regions: [],
  places: [],
  found: { places: [], total: 0 },
  onEdit: false,
  plan: [],
};

const SCREEN_ACTIONS: Readonly<Record<ScreenAction["command"], true>> = {
  leave: true,
  interrupt: true,
  open: true,
  runs: true,
  watch: true,
  edit: true,
  copy: true,
};

/** Whether an action is a command to the run. */
export function isControl(action: Action): action is ControlCommand {
  return !(action.command in SCREEN_ACTIONS);
}

export function initialUi(): Ui {
  return {
    mode: "main",
    focus: "main",
    zoom: false,
    entry: null,
    filter: "",
    onlyMatches: false,
    at: null,
    detail: false,
    changes: null,
    bottom: null,
    top: 0,
    selected: 0,
    opened: null,
    task: 0,
    planTop: null,
    activityBelow: 0,
    run: "",
  };
}

/** Whether the output's lines are still the same ones, so that the reader's position among them stays true. */
export function showsSame(before: Ui, after: Ui): boolean {
  const { filter, onlyMatches, opened, changes } = after;
  return (
    before.filter === filter &&
    before.onlyMatches === onlyMatches &&
    before.opened === opened &&
    before.changes?.seq === changes?.seq &&
    (before.changes === null) === (changes === null)
  );
}

export function act<A = Action>(ui: Ui, action: A): Omit<UiResult, "action"> & { action: A } {
  return { ui, action, message: null };
}

export function stay(ui: Ui): UiResult {
  return { ui, action: null, message: null };
}

export function say(ui: Ui, message: string | null): UiResult {
  return { ui, action: null, message };
}
