import { isRecord, str } from "../../core/json-value.ts";

type Json = Record<string, unknown>;

/** How many objects of an output are examined. */
export const SAMPLE_SIZE = 200;

const CODEX = /^(?:thread|turn|item)\./;
const OPENCODE_LEGACY = /^(?:session\.created|message\.(?:updated|completed|part))/;
const COPILOT = /^(?:session|assistant|user|tool|model)\.\w/;
const CLAUDE_TYPES = ["system", "assistant", "user", "result", "stream_event", "rate_limit_event"];
/** Keys of untyped answers, as printed by old versions of Claude Code and by wrappers around it. */
const CLAUDE_KEYS = ["result", "session_id", "sessionId", "total_cost_usd"];

/** The name of the built-in driver whose CLI prints such objects; null if none does. */
export function identifyDriver(objects: readonly unknown[]): string | null {
  const sample = objects.slice(0, SAMPLE_SIZE).filter(isRecord);
  const matchers: readonly (readonly [string, (json: Json) => boolean])[] = [
    ["codex", (json) => CODEX.test(typeOf(json))],
    ["opencode", isOpencode],
    ["copilot", isCopilot],
    ["cursor", isCursor],
    ["claude-code", isClaude],
  ];
  return matchers.find(([, matches]) => sample.some(matches))?.[0] ?? null;
}

function typeOf(json: Json): string {
  return str(json.type) ?? "";
}

function isOpencode(json: Json): boolean {
  return (typeOf(json) !== "" && str(json.sessionID) !== null) || OPENCODE_LEGACY.test(typeOf(json));
}

function isCopilot(json: Json): boolean {
  return (COPILOT.test(typeOf(json)) && isRecord(json.data)) || ("exitCode" in json && str(json.sessionId) !== null);
}

function isCursor(json: Json): boolean {
  const type = typeOf(json);
  if (type === "result") return str(json.request_id) !== null;
  if (type === "thinking") return str(json.subtype) !== null;
  // Claude Code's first event lists its tools; Cursor's does not.
  if (type === "system") return json.subtype === "init" && str(json.apiKeySource) !== null && !("tools" in json);
  return type === "tool_call";
}

function isClaude(json: Json): boolean {
  const type = str(json.type);
  return type === null ? CLAUDE_KEYS.some((key) => key in json) : CLAUDE_TYPES.includes(type);
}
