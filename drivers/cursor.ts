import type {
  AgentEvent,
  Command,
  CommandRequest,
  Decoder,
  DecoderKit,
  Driver,
  Host,
  Model,
  SandboxNeeds,
  ToolCall,
  Usage,
} from "../src/driver.ts";

type Json = Record<string, unknown>;

/**
 * Cursor's agent CLI. It cannot be installed from a package registry, so nothing here was recorded: flags and events follow
 * its public documentation and programs that read its output. It reports no cost, and tokens since 2026 (chenhg5/cc-connect#1810,
 * paperclipai/paperclip#12908).
 */
const cursor: Driver = {
  name: "cursor",
  displayName: "Cursor CLI",
  cliBinary,
  minVersion: "0.1.0",
  validTools: ["file_edit", "file_read", "file_write", "terminal", "search"],
  sessionIds: "uuid",
  loginCommand: "cursor-agent login",
  installCommand: "curl https://cursor.com/install -fsS | bash",
  experimental: true,
  buildCommand,
  listModels,
  decoder: cursorDecoder,
  checkAvailable,
  sandbox,
  permissionDenialHelp,
};
export default cursor;

function sandbox({ home, cwd }: Host): SandboxNeeds {
  return {
    domains: ["api2.cursor.sh", "*.cursor.sh", "cursor.com", "authentication.cursor.sh"],
    state: [],
    guarded: [
      { folder: `${home}/.cursor`, keeps: ["chats/", "projects/"], anew: [] },
      { folder: `${home}/.config/cursor`, keeps: ["auth.json"], anew: [] },
    ],
    fixed: [`${cwd}/.cursor`],
    env: ["CURSOR_"],
  };
}

const STATUS_TIMEOUT_MS = 10_000;

/**
 * `cursor-agent`, or `agent` as newer installers call it; the name takes precedence over the order of the PATH. On Windows
 * also command files, and the installer's folder in case it could not change the PATH.
 */
function cliBinary(host: Host): string {
  const isWindows = host.platform === "win32";
  const names = isWindows ? ["cursor-agent", "cursor-agent.cmd", "agent", "agent.cmd"] : ["cursor-agent", "agent"];
  const { LOCALAPPDATA = "" } = host.env;
  const installed = ["cursor-agent.cmd", "agent.cmd"].map((name) => `${LOCALAPPDATA}\\cursor-agent\\${name}`);
  const candidates = isWindows && LOCALAPPDATA !== "" ? [...names, ...installed] : names;
  return candidates.find((candidate) => host.which(candidate) !== null) ?? "cursor-agent";
}

/** An API key needs no login. A `status` that fails for another reason, or that an old version lacks, proves nothing. */
async function checkAvailable(host: Host): Promise<string | null> {
  const program = host.which(cliBinary(host));
  if (program === null || (host.env.CURSOR_API_KEY ?? "") !== "") return null;
  const { stdout, stderr } = await host.run([program, "status"], STATUS_TIMEOUT_MS);
  if (!/\bnot (?:logged|signed) in\b|\bnot authenticated\b|\bauthentication required\b/i.test(`${stdout}\n${stderr}`)) {
    return null;
  }
  return "Cursor CLI is not logged in: run `cursor-agent login`, or set CURSOR_API_KEY.";
}

/**
 * The prompt goes to stdin, after the loop context: no flag adds to the system prompt. `--force` also trusts the folder and
 * allows every command that the CLI's own rules do not deny; the other permission modes have no flag.
 */
function buildCommand(request: CommandRequest): Command {
  const argv = [...request.binary, "-p", ...(request.readOnly ? ["--mode", "ask", "--trust"] : ["--force"])];
  argv.push("--output-format", request.format === "json" ? "stream-json" : "text");
  if (request.format === "json" && request.partial) argv.push("--stream-partial-output");
  if (request.model !== null) argv.push("--model", request.model);
  if (request.resume !== null) argv.push("--resume", request.resume);
  const { context, prompt } = request;
  return { argv, stdin: context === null ? prompt : `${context}\n\n${prompt}` };
}

function permissionDenialHelp({ settingsFile }: { settingsFile: string }): string {
  return [
    "ralph starts Cursor CLI with --force, so only a rule of its own refuses: permissions.deny in",
    "~/.cursor/cli-config.json or .cursor/cli.json, or your team's settings.",
    `ALLOWED_TOOLS and CLAUDE_PERMISSION_MODE (${settingsFile}) are nothing to it.`,
  ].join("\n");
}

const IGNORED_TYPES = new Set(["user", "thinking", "connection"]);
const IGNORED: AgentEvent = { type: "ignored" };

/** Reads `stream-json`, with or without partial output, and the single object of `json`. */
function cursorDecoder(kit: DecoderKit): Decoder {
  const { isRecord, str, num } = kit;
  const said = textBlocks();
  const calls = new Map<string, ToolCall>();
  let sessionId: string | null = null;
  let model: string | null = null;
  let finished = false;

  return { line: (text) => [kit.json(text)].flat().filter(isRecord).flatMap(event), end };

  function event(json: Json): AgentEvent[] {
    const type = str(json.type);
    if (type === null) {
      return [Object.keys(json).length === 0 ? IGNORED : { type: "unknown", name: "object without a type" }];
    }
    const events = typed(type, json);
    return type === "result" ? events : [...session(json), ...events];
  }

  function typed(type: string, json: Json): AgentEvent[] {
    if (type === "assistant") return assistant(json);
    if (type === "tool_call") return toolCall(json);
    if (type === "result") return result(json);
    if (type === "retry") return [retryOf(kit, json)];
    if (type === "system" && json.subtype === "init") {
      model = str(json.model);
      return [IGNORED];
    }
    const name = type === "system" ? `system/${str(json.subtype) ?? ""}` : type;
    return [IGNORED_TYPES.has(type) ? IGNORED : { type: "unknown", name }];
  }

  function session(json: Json): AgentEvent[] {
    const id = str(json.session_id);
    if (id === null || id === "" || id === sessionId) return [];
    sessionId = id;
    return [{ type: "session_id", session_id: id }];
  }

  /** With partial output, an event with a time and without a model call is a piece; the full block follows. */
  function assistant(json: Json): AgentEvent[] {
    const text = messageText(kit, kit.fields(json.message).content);
    if (text === "") return [IGNORED];
    const isPiece = num(json.timestamp_ms) !== null && str(json.model_call_id) === null;
    return [isPiece ? said.piece(text) : (said.whole(text) ?? IGNORED)];
  }

  function toolCall(json: Json): AgentEvent[] {
    const before = said.close();
    const id = str(json.call_id) ?? "";
    const part = toolPart(kit, json);
    if (json.subtype !== "completed") {
      said.answersAnew();
      const call = kit.toolCall(part.name, part.args);
      calls.set(id, call);
      return [...before, { type: "tool_use", tool_id: id, ...call }];
    }
    const call = calls.get(id) ?? kit.toolCall(part.name, part.args);
    calls.delete(id);
    if (part.outcome === null) return [...before, IGNORED];
    return [...before, ...toolResult(kit, id, call, part.outcome, part.result)];
  }

  function result(json: Json): AgentEvent[] {
    finished = true;
    const before = said.close();
    const duration_ms = num(json.duration_ms);
    const subtype = str(json.subtype) ?? "success";
    const isOk = json.is_error !== true && !subtype.startsWith("error");
    const message = str(json.result) ?? "";
    return [
      ...before,
      ...session(json),
      { type: "usage", ...tokens(kit, json.usage), duration_ms, model },
      ...(isOk ? [] : [failure(kit, message === "" ? `Cursor ended with ${subtype}.` : message)]),
      { type: "finished", ok: isOk, text: isOk ? said.answerOf(str(json.result)) : null, duration_ms, cost_usd: null },
    ];
  }

  function end(): AgentEvent[] {
    return finished ? [] : said.close();
  }
}

/** The text of the main agent, block by block. */
function textBlocks() {
  /** The block in progress. */
  let partial = "";
  /** A block that was closed before the CLI repeated it in full. */
  let closed: string | null = null;
  /** Blocks since the last tool call: the answer. The final event joins it to all earlier text. */
  let answer: string[] = [];

  function block(text: string): AgentEvent {
    answer.push(text);
    return { type: "text", text };
  }

  return {
    piece(text: string): AgentEvent {
      partial += text;
      return { type: "partial", text: partial };
    },
    /** @returns null for one that was told when it was closed */
    whole(text: string): AgentEvent | null {
      const isRepeated = text === closed;
      partial = "";
      closed = null;
      return isRepeated ? null : block(text);
    },
    close(): AgentEvent[] {
      if (partial === "") return [];
      closed = partial;
      partial = "";
      return [block(closed)];
    },
    answersAnew(): void {
      answer = [];
    },
    /** Only the last blocks if the final event joined them to the earlier text: the status block must begin on its own line. */
    answerOf: (whole: string | null): string | null =>
      whole !== null && answer.length > 0 && whole.endsWith(answer.join("")) ? answer.join("\n") : whole,
  };
}

/** The input is without what was read from the cache. */
function tokens({ fields, num, emptyUsage }: DecoderKit, value: unknown): Usage {
  const usage = fields(value);
  return {
    ...emptyUsage(),
    input_tokens: num(usage.inputTokens),
    output_tokens: num(usage.outputTokens),
    cache_read_tokens: num(usage.cacheReadTokens),
    cache_creation_tokens: num(usage.cacheWriteTokens),
  };
}

function retryOf({ num }: DecoderKit, json: Json): AgentEvent {
  if (json.subtype !== "starting") return IGNORED;
  return { type: "retry", attempt: num(json.attempt) ?? 1, delay_ms: null, reason: "connection lost" };
}

function messageText({ records, str }: DecoderKit, content: unknown): string {
  if (typeof content === "string") return content;
  const texts = records(content).map((part) => str(part.text));
  return texts.filter((text) => text !== null).join("\n");
}

/** A tool call: its name and arguments, and its outcome and result once it has ended. */
type ToolPart = { name: string; args: unknown; outcome: string | null; result: Json };

/**
 * There are three documented shapes: `{<name>ToolCall: {args, result}}`, `{function: {name, arguments}}`, and flat fields.
 */
function toolPart(kit: DecoderKit, json: Json): ToolPart {
  const { fields, isRecord, str } = kit;
  const nested = fields(json.tool_call);
  const [key, value] = Object.entries(nested).find(([name]) => name.endsWith("ToolCall")) ?? [null, null];
  if (key !== null) {
    const { args, result } = fields(value);
    const name = key.slice(0, -"ToolCall".length);
    return { name, args: withDescription(kit, args, nested), ...toolOutcome(kit, result) };
  }
  const named = isRecord(nested.function) ? nested.function : nested;
  const name = str(named.name) ?? str(json.name) ?? "";
  const args = named.arguments ?? named.input ?? named.args ?? json.input;
  if (json.is_error !== undefined || json.error !== undefined) return { name, args, ...flatOutcome(kit, json) };
  return { name, args, ...toolOutcome(kit, nested.result ?? named.result) };
}

function withDescription({ isRecord }: DecoderKit, args: unknown, { description }: Json): unknown {
  return isRecord(args) && description !== undefined ? { description, ...args } : args;
}

function toolOutcome({ fields, isRecord }: DecoderKit, result: unknown): { outcome: string | null; result: Json } {
  if (!isRecord(result)) return { outcome: result === undefined ? null : "success", result: { message: result } };
  const outcome = Object.keys(result).find((key) => isRecord(result[key])) ?? null;
  return { outcome, result: outcome === null ? {} : fields(result[outcome]) };
}

function flatOutcome(
  { isRecord, str }: DecoderKit,
  { is_error, error, result }: Json,
): { outcome: string; result: Json } {
  const details = isRecord(error) ? error : { message: error ?? result };
  if (is_error !== true && error === undefined) return { outcome: "success", result: details };
  const isDenied = /^permission denied\.?$/i.test(str(details.message) ?? "");
  return { outcome: isDenied ? "denied" : "error", result: details };
}

/** Keys of a tool's result that mean it was refused; `success` means it was done. */
const REFUSED = /reject|denied/i;

function toolResult(kit: DecoderKit, id: string, call: ToolCall, outcome: string, body: Json): AgentEvent[] {
  const is_error = outcome !== "success" || (kit.num(body.exitCode) ?? 0) !== 0;
  const result = { type: "tool_result", tool_use_id: id, content: resultContent(kit, body), is_error } as const;
  return REFUSED.test(outcome) ? [result, kit.denied(call, id)] : [result];
}

function resultContent({ str }: DecoderKit, body: Json): string {
  const output = [body.stdout, body.stderr].map(str).filter((text) => text !== null && text !== "");
  if (output.length > 0) return output.join("\n");
  const texts = [body.content, body.message, body.error, body.errorMessage, body.reason].map(str);
  return (
    texts.find((text) => text !== null && text !== "") ?? (Object.keys(body).length === 0 ? "" : JSON.stringify(body))
  );
}

/** Cursor describes errors only in text. */
function failure({ wordsClass }: DecoderKit, message: string): AgentEvent {
  return { type: "error", class: wordsClass(message, null) ?? "infrastructure", message };
}

const LIST_TIMEOUT_MS = 20_000;

/** `cursor-agent --list-models`, after programs that read it: lines `id - Label  (default)` below a heading. */
async function listModels(host: Host, binary: readonly string[]): Promise<Model[] | null> {
  const { exit_code, stdout } = await host.run([...binary, "--list-models"], LIST_TIMEOUT_MS);
  if (exit_code !== 0) return null;
  return stdout.split(/\r?\n/).flatMap((line) => {
    const [, id, label, mark] = /^\s*([\w./-]*\w) - (.+?)(?:\s+\((default|current)[^)]*\))?\s*$/.exec(line) ?? [];
    return id === undefined ? [] : [{ id, label: label ?? null, is_default: mark === "default" }];
  });
}
