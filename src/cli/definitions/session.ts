import { defineCommand, defineGroup } from "../args/define.ts";
import { JSON_ARGS } from "./json-flag.ts";

export const SESSION_STATUS = defineCommand({
  meta: { name: "session status", description: "the agent's session that is resumed next" },
  args: JSON_ARGS,
  examples: [["ralph session status", "its id and its age"]],
  load: () => import("../commands/session-status.ts"),
});

export const SESSION_RESET = defineCommand({
  meta: { name: "session reset", description: "forget the agent's session" },
  args: {},
  examples: [["ralph session reset", "the next iteration begins a new one"]],
  load: () => import("../commands/session-reset.ts"),
});

export const SESSION = defineGroup({
  meta: { name: "session", description: "look at the agent's session, or forget it" },
  subCommands: { status: SESSION_STATUS, reset: SESSION_RESET },
  default: "status",
});
