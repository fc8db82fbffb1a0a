import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_FLAG } from "./json-flag.ts";

const PLAN_ARGS = {
  file: { type: "positional", valueHint: "FILE", required: false, description: "a plan (default: the project's)" },
  json: JSON_FLAG,
} as const satisfies Args;
export type PlanArgs = typeof PLAN_ARGS;

export const PLAN_SHOW = defineCommand({
  meta: { name: "plan show", description: "the fix plan, counted: every task with its number, and which is next" },
  args: PLAN_ARGS,
  examples: [
    ["ralph plan", "what is done and what comes next"],
    ["ralph plan TODO.md --json", "another plan, for programs"],
  ],
  load: () => import("../commands/plan-show.ts"),
});

const PLAN_ADD_ARGS = {
  text: { type: "positional", valueHint: "TEXT", required: true, repeat: true, description: "the task" },
  section: { type: "string", valueHint: "NAME", description: "at the end of this section", group: "task" },
  high: { type: "boolean", description: "among the tasks of high priority", group: "task" },
  medium: { type: "boolean", description: "among those of medium priority", group: "task" },
  low: { type: "boolean", description: "among those of low priority", group: "task" },
  before: { type: "string", valueHint: "N", description: "before this task", group: "task" },
  after: { type: "string", valueHint: "N", description: "after this task", group: "task" },
} as const satisfies Args;
export type PlanAddArgs = typeof PLAN_ADD_ARGS;

export const PLAN_ADD = defineCommand({
  meta: { name: "plan add", description: "add a task; by default after the last open one" },
  args: PLAN_ADD_ARGS,
  exclusive: [["section", "high", "medium", "low", "before", "after"]],
  examples: [
    ['ralph plan add "Print the bill"', "after the last open task"],
    ['ralph plan add "Mend the build" --before 1', "next of all"],
    ['ralph plan add "Dark mode" --low', "below the heading of that priority"],
  ],
  load: () => import("../commands/plan-add.ts"),
});

const NUMBER = { type: "positional", valueHint: "N", required: true, description: "a task's number" } as const;

const PLAN_MARK_ARGS = { number: NUMBER } as const satisfies Args;
export type PlanMarkArgs = typeof PLAN_MARK_ARGS;

export const PLAN_DONE = defineCommand({
  meta: { name: "plan done", description: "tick a task" },
  args: PLAN_MARK_ARGS,
  examples: [["ralph plan done 3", "the third task is done"]],
  load: () => import("../commands/plan-done.ts"),
});

export const PLAN_OPEN = defineCommand({
  meta: { name: "plan open", description: "take the tick from a task" },
  args: PLAN_MARK_ARGS,
  examples: [["ralph plan open 3", "the third task is to be done again"]],
  load: () => import("../commands/plan-open.ts"),
});

const PLAN_EDIT_ARGS = {
  number: { type: "positional", valueHint: "N", required: false, description: "a task's number" },
  text: { type: "positional", valueHint: "TEXT", required: false, repeat: true, description: "its new words" },
} as const satisfies Args;
export type PlanEditArgs = typeof PLAN_EDIT_ARGS;

export const PLAN_EDIT = defineCommand({
  meta: { name: "plan edit", description: "the plan in $VISUAL or $EDITOR, or new words for a task" },
  args: PLAN_EDIT_ARGS,
  examples: [
    ["ralph plan edit 3", "the editor, at the third task"],
    ['ralph plan edit 3 "Print the bill as PDF"', "its words only"],
  ],
  load: () => import("../commands/plan-edit.ts"),
});

const PLAN_MOVE_ARGS = {
  number: NUMBER,
  before: { type: "string", valueHint: "N", description: "before this task", group: "task" },
} as const satisfies Args;
export type PlanMoveArgs = typeof PLAN_MOVE_ARGS;

export const PLAN_MOVE = defineCommand({
  meta: { name: "plan move", description: "move a task before another" },
  args: PLAN_MOVE_ARGS,
  examples: [["ralph plan move 7 --before 2", "with the lines below it"]],
  load: () => import("../commands/plan-move.ts"),
});

const PLAN_AFTER_ARGS = {
  number: NUMBER,
  others: {
    type: "positional",
    valueHint: "M...",
    required: false,
    repeat: true,
    description: "what it waits for; none: nothing",
  },
} as const satisfies Args;
export type PlanAfterArgs = typeof PLAN_AFTER_ARGS;

export const PLAN_AFTER = defineCommand({
  meta: { name: "plan after", description: "say which tasks a task waits for, where several workers share the plan" },
  args: PLAN_AFTER_ARGS,
  examples: [["ralph plan after 3 1 2", "the third task waits for the first two"]],
  load: () => import("../commands/plan-after.ts"),
});

export const PLAN_SKIP = defineCommand({
  meta: { name: "plan skip", description: "a task need not be done: it goes to the optional ones" },
  args: PLAN_MARK_ARGS,
  examples: [["ralph plan skip 3", "back again: ralph plan move 3 --before 2"]],
  load: () => import("../commands/plan-skip.ts"),
});

export const PLAN = defineGroup({
  meta: { name: "plan", description: "the fix plan, and its tasks: add, done, open, edit, move" },
  subCommands: {
    show: PLAN_SHOW,
    add: PLAN_ADD,
    done: PLAN_DONE,
    open: PLAN_OPEN,
    edit: PLAN_EDIT,
    move: PLAN_MOVE,
    skip: PLAN_SKIP,
    after: PLAN_AFTER,
  },
  default: "show",
  takesWord: true,
  examples: [
    ...PLAN_SHOW.examples,
    ...PLAN_ADD.examples.slice(0, 2),
    ...PLAN_DONE.examples,
    ...PLAN_EDIT.examples.slice(0, 1),
    ...PLAN_MOVE.examples,
  ],
});
