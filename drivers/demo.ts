import type { AgentEvent, Command, CommandRequest, Decoder, DecoderKit, Driver, ErrorClass } from "../src/driver.ts";

type Json = Record<string, unknown>;

const CLASSES: readonly ErrorClass[] = [
  "auth",
  "billing",
  "model",
  "limit",
  "request",
  "session",
  "context",
  "infrastructure",
  "offline",
  "config",
];

/** The scripted agent of `ralph demo` and of the tests: ralph itself, which plays one script entry per call. */
const demo: Driver = {
  name: "demo",
  displayName: "Demo agent",
  cliBinary: (host) => host.env.RALPH_DEMO_AGENT ?? "ralph",
  validTools: ["Write", "Bash"],
  choosesSessionId: true,
  supportsReadOnly: true,
  sessionIds: "uuid",
  buildCommand,
  decoder: demoDecoder,
  sandbox: () => ({ domains: [], state: [], fixed: [], env: ["RALPH_DEMO"] }),
  permissionDenialHelp: () =>
    "The script of the demo agent says that a command was denied: look at its `denied` entries.",
};
export default demo;

function buildCommand(request: CommandRequest): Command {
  const session = request.resume === null ? ["--session-id", request.newSessionId] : ["--resume", request.resume];
  const argv = [...request.binary, "__demo-agent", ...session, "--output-format", request.format];
  if (request.partial) argv.push("--partial");
  if (request.readOnly) argv.push("--read-only");
  return { argv, stdin: request.prompt };
}

/** Reads the agent's JSON Lines: one event per line; `type` names it, and its fields are named as in `AgentEvent`. */
function demoDecoder(kit: DecoderKit): Decoder {
  const { isRecord, str, num } = kit;
  return {
    line(text) {
      const json = kit.json(text);
      return (Array.isArray(json) ? json : [json]).filter(isRecord).map(event);
    },
    end: () => [],
  };

  function event(json: Json): AgentEvent {
    const type = str(json.type) ?? "";
    switch (type) {
      case "session":
        return { type: "session_id", session_id: str(json.session_id) ?? "" };
      case "text":
      case "partial":
        return { type, text: str(json.text) ?? "" };
      case "tool":
        return { type: "tool_use", tool_id: str(json.id) ?? "", ...kit.toolCall(str(json.name) ?? "", json.input) };
      case "tool_result":
        return {
          type,
          tool_use_id: str(json.id) ?? "",
          content: str(json.content) ?? "",
          is_error: json.is_error === true,
        };
      case "usage":
        return usage(json);
      case "denied":
        return { type, tool: str(json.tool) ?? "Bash", command: str(json.command), tool_use_id: str(json.id) };
      case "limit":
        return {
          type: "rate_limited",
          kind: json.kind === "rate_limit" ? "rate_limit" : "usage_limit",
          message: str(json.message) ?? "",
          resets_at: kit.time(json.resets_at),
        };
      case "error":
        return { type, message: str(json.message) ?? "", class: errorClass(json.class) };
      case "finished":
        return {
          type,
          ok: json.ok === true,
          text: str(json.text),
          duration_ms: num(json.duration_ms),
          cost_usd: num(json.cost_usd),
        };
      default:
        return { type: "unknown", name: type === "" ? "object without a type" : type };
    }
  }

  function usage(json: Json): AgentEvent {
    return {
      type: "usage",
      ...kit.emptyUsage(),
      input_tokens: num(json.input_tokens),
      output_tokens: num(json.output_tokens),
      cost_usd: num(json.cost_usd),
      turns: num(json.turns),
      model: str(json.model),
    };
  }
}

function errorClass(value: unknown): ErrorClass {
  return CLASSES.find((one) => one === value) ?? "infrastructure";
}
