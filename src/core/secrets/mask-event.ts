import type { EventBody } from "../journal/event.ts";
import type { Mask } from "./mask.ts";

/** Names that things are found by again: a secret there would be none, and the loop compares them with what it meets later. */
const IDS: ReadonlySet<string> = new Set([
  ...["type", "at", "run", "of_run", "session_id", "resume", "tool_id", "tool_use_id", "marker", "start_time"],
  ...[
    "head",
    "snapshot",
    "fingerprint",
    "digest",
    "files_changed",
    "commits",
    "trees",
    "project",
    "path",
    "file",
    "driver",
  ],
  // What ralph itself runs, and runs again: gates, and the commands of looks.
  ...["command", "commands", "check", "TEST_COMMAND", "QUALITY_GATES"],
]);
/** Those of an agent's events; what its tools got may have any key. */
const AGENT_IDS = new Set(["type", "session_id", "tool_id", "tool_use_id", "marker", "start_time"]);

/** The event as it is recorded: without secrets in its texts. Returns the same object if it has none. */
export function maskEvent<B extends EventBody>(body: B, mask: Mask): B {
  const isOfAgent = body.type.startsWith("agent_");
  // Only strings change.
  return masked(body, mask, isOfAgent ? AGENT_IDS : IDS, isOfAgent ? NONE : IDS) as B;
}

const NONE: ReadonlySet<string> = new Set();

type Fields = Record<string, unknown>;

/** @param below the keys that are kept in objects within this one */
function masked(value: unknown, mask: Mask, kept: ReadonlySet<string>, below: ReadonlySet<string>): unknown {
  if (typeof value === "string") return mask(value);
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value) ? maskedItems(value, mask, below) : maskedFields(value as Fields, mask, kept, below);
}

function maskedItems(items: unknown[], mask: Mask, kept: ReadonlySet<string>): unknown[] {
  const now = items.map((item) => masked(item, mask, kept, kept));
  return now.some((item, index) => item !== items[index]) ? now : items;
}

function maskedFields(fields: Fields, mask: Mask, kept: ReadonlySet<string>, below: ReadonlySet<string>): Fields {
  let copy: Fields | null = null;
  // Every event of a flood comes by here: a list of all pairs costs three times as much.
  for (const key of Object.keys(fields)) {
    if (kept.has(key)) continue;
    const old = fields[key];
    const now = masked(old, mask, below, below);
    if (now === old) continue;
    copy ??= { ...fields };
    copy[key] = now;
  }
  return copy ?? fields;
}
