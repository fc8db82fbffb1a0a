import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { opencode } from "./opencode.ts";
import type { CliName, Speech } from "./speech.ts";

/** How each of the CLIs speaks, by the name of its program. */
export const SPEECHES: Readonly<Record<CliName, Speech>> = {
  claude,
  codex,
  copilot,
  opencode,
  "cursor-agent": cursor,
};
