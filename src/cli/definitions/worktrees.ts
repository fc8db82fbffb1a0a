import { type Args, defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS, JSON_FLAG } from "./json-flag.ts";

export const WORKTREES_LIST = defineCommand({
  meta: { name: "worktrees list", description: "the worktrees of this project, their branches and runs" },
  args: JSON_ARGS,
  examples: [["ralph run --worktree=login", "makes one, or goes on in it"]],
  load: () => import("../commands/worktrees-list.ts"),
});

const WORKTREES_REMOVE_ARGS = {
  name: { type: "positional", valueHint: "NAME", required: true, description: "a worktree of this project" },
  force: { type: "boolean", description: "also if its work is merged nowhere", group: "task" },
  json: JSON_FLAG,
} as const satisfies Args;
export type WorktreesRemoveArgs = typeof WORKTREES_REMOVE_ARGS;

export const WORKTREES_REMOVE = defineCommand({
  meta: { name: "worktrees remove", description: "remove one whose work is merged, after a checkpoint" },
  args: WORKTREES_REMOVE_ARGS,
  examples: [["ralph worktrees remove login", "its branch goes too, if another has its commits"]],
  load: () => import("../commands/worktrees-remove.ts"),
});

export const WORKTREES = defineGroup({
  meta: { name: "worktrees", description: "the worktrees that runs work in" },
  subCommands: { list: WORKTREES_LIST, remove: WORKTREES_REMOVE },
  default: "list",
});
