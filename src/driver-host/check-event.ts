/** Whether what a user's decoder gives is an event, so that the loop can rely on each member. */
import { isRecord } from "../core/json-value.ts";
import type { AgentEvent, ErrorClass } from "../driver.ts";

/** What a member must be; with `?` it may also be null, as which a missing one counts. Figures are doubted where they are counted. */
type Part = "text" | "text?" | "time?" | "switch" | "switch?" | "number" | "object" | "anything?" | readonly string[];

/** All of them: an event of a class that is missing here would be taken for none. */
const ERROR_CLASSES: Readonly<Record<ErrorClass, true>> = {
  auth: true,
  billing: true,
  model: true,
  limit: true,
  request: true,
  session: true,
  context: true,
  infrastructure: true,
  offline: true,
  config: true,
};

const MEMBERS: { readonly [Type in AgentEvent["type"]]: Readonly<Record<string, Part>> } = {
  text: { text: "text" },
  partial: { text: "text" },
  tool_use: { tool_id: "text", tool: "text", input: "object" },
  tool_result: { tool_use_id: "text", content: "text", is_error: "switch" },
  denied: { tool: "text", command: "text?", tool_use_id: "text?" },
  rate_limited: { kind: ["usage_limit", "rate_limit"], message: "text", resets_at: "time?" },
  session_id: { session_id: "text" },
  usage: {
    input_tokens: "anything?",
    output_tokens: "anything?",
    cache_read_tokens: "anything?",
    cache_creation_tokens: "anything?",
    cost_usd: "anything?",
    duration_ms: "anything?",
    turns: "anything?",
    model: "text?",
  },
  retry: { attempt: "number", delay_ms: "anything?", reason: "text" },
  finished: { ok: "switch", text: "text?", duration_ms: "anything?", cost_usd: "anything?" },
  error: { message: "text", class: Object.keys(ERROR_CLASSES) },
  complete: { over: "switch?" },
  ignored: {},
  unknown: { name: "text" },
};

const KINDS = {
  text: ["a text", (value) => typeof value === "string"],
  time: ["a time as time(value) gives it", (value) => typeof value === "string" && !Number.isNaN(Date.parse(value))],
  switch: ["true or false", (value) => typeof value === "boolean"],
  number: ["a number", (value) => typeof value === "number"],
  object: ["an object", isRecord],
  anything: ["anything", () => true],
} as const satisfies Record<string, readonly [what: string, fits: (value: unknown) => boolean]>;

/** The event, with null for what is left out of it; a text says why it is none. */
export function checkedEvent(event: unknown): AgentEvent | string {
  if (!isRecord(event) || typeof event.type !== "string") return "it gave an event without a type";
  const { type } = event;
  if (!Object.hasOwn(MEMBERS, type)) return `it gave an event of the type ${type}, which there is not`;
  const whole: Record<string, unknown> = { ...event };
  for (const [member, part] of Object.entries(MEMBERS[type as AgentEvent["type"]])) {
    const value = event[member] ?? null;
    const mayLack = typeof part === "string" && part.endsWith("?");
    whole[member] = value;
    if (value === null && mayLack) continue;
    if (value === null) return `its ${type} event has no ${member}`;
    const wanted = wantedOf(part, value);
    if (wanted !== null) return `${member} of its ${type} event is not ${wanted}`;
  }
  // The journal is JSON. A circle, or a number that is none there, would end the run.
  JSON.stringify(whole);
  return whole as AgentEvent;
}

/** What a value should be; null if it is. */
function wantedOf(part: Part, value: unknown): string | null {
  if (typeof part !== "string")
    return part.some((word) => word === value) ? null : `one of ${part.map((word) => JSON.stringify(word)).join(", ")}`;
  const [what, fits] = KINDS[part.replace("?", "") as keyof typeof KINDS];
  return fits(value) ? null : what;
}
