import type {
  AgentEvent,
  CallFacts,
  Command,
  CommandRequest,
  Decoder,
  DecoderKit,
  Driver,
  ErrorClass,
  Host,
  Model,
  SandboxNeeds,
  ToolCall,
  Usage,
} from "../src/driver.ts";

type Json = Record<string, unknown>;

/** OpenAI's Codex CLI. Command lines, events and errors as recorded from versions 0.169.0 and 0.171.0 (`codex exec --help`, runs). */
const codex: Driver = {
  name: "codex",
  displayName: "OpenAI Codex",
  cliBinary: "codex",
  minVersion: "0.100.0",
  validTools: ["shell", "read_file", "write_file", "edit_file", "list_directory", "search_files"],
  supportsReadOnly: true,
  sessionIds: "uuid",
  loginCommand: "codex login",
  installCommand: "npm install -g @openai/codex",
  buildCommand,
  listModels,
  decoder: codexDecoder,
  usageFiles,
  sandbox,
  permissionDenialHelp,
};
export default codex;

function sandbox({ env, home, cwd }: Host): SandboxNeeds {
  return {
    domains: ["api.openai.com", "auth.openai.com", "chatgpt.com"],
    state: [],
    guarded: [
      {
        folder: homeOf(env, home),
        keeps: ["auth.json", "sessions/", "archived_sessions/"],
        anew: ["log", "logs_*", "shell_snapshots", "thread-writer-locks", "tmp", ".tmp"],
      },
    ],
    fixed: [`${cwd}/.codex`],
    env: ["OPENAI_", "CODEX_"],
  };
}

function homeOf(env: Host["env"], home: string): string {
  return env.CODEX_HOME ?? `${home}/.codex`;
}

/**
 * The thread's file is named by the local time of its beginning, as is its id: a version 7 UUID begins with that time, and the file
 * is made a moment later.
 */
function usageFiles({ env, home }: Host, id: string): string[] {
  const began = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  if (Number.isNaN(began)) return [];
  return [began, began + 1000].map((at) => {
    const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
    const [day = "", time = ""] = local.slice(0, -".000Z".length).split("T");
    const name = `rollout-${day}T${time.replaceAll(":", "-")}-${id}.jsonl`;
    return `${homeOf(env, home)}/sessions/${day.replaceAll("-", "/")}/${name}`;
  });
}

/**
 * The prompt goes to stdin (`-`), after the loop context: Codex reads its only setting for instructions
 * (`developer_instructions`) once per thread, so a resumed thread would keep the context of its first call. All flags precede
 * `resume`, which refuses `--sandbox` after it. `exec` never asks for approval, so all permission modes use the same sandbox;
 * the user's own configuration decides what else it allows (network, commits). Inside ralph's sandbox, where the kernel refuses
 * Codex its own, that one is the wall; a call that may only read keeps Codex's.
 */
function buildCommand(request: CommandRequest): Command {
  const argv = [...request.binary, "exec"];
  if (request.format === "json") argv.push("--json");
  argv.push("--sandbox", ownSandbox(request));
  if (!request.isGitRepository) argv.push("--skip-git-repo-check");
  if (request.model !== null) argv.push("--model", request.model);
  // Values are TOML; a JSON string is a TOML string.
  if (request.effort !== null) argv.push("-c", `model_reasoning_effort=${JSON.stringify(request.effort)}`);
  if (request.resume !== null) argv.push("resume", request.resume);
  const { context, prompt } = request;
  return { argv: [...argv, "-"], stdin: context === null ? prompt : `${context}\n\n${prompt}` };
}

function ownSandbox({ readOnly, shutIn }: CommandRequest): string {
  if (readOnly) return "read-only";
  return shutIn === true ? "danger-full-access" : "workspace-write";
}

function permissionDenialHelp({ settingsFile }: { settingsFile: string }): string {
  return [
    "Codex's sandbox, workspace-write, has no network and may not commit: .git is read-only.",
    "~/.codex/config.toml widens it: network_access, writable_roots of [sandbox_workspace_write].",
    `Nothing in ${settingsFile} does, but for the command: CLAUDE_CODE_CMD.`,
  ].join("\n");
}

const IGNORED: AgentEvent = { type: "ignored" };
/** Items that are the agent's own notes, or (as `error`) the CLI's warnings, which end nothing. */
const IGNORED_ITEMS = new Set(["reasoning", "todo_list", "error", "context_compaction", "plan", "user_message"]);

/** `Reconnecting... 2/5 (reason)`, or `Reconnecting... waiting for network (reason)`, which repeats without a limit. */
const RETRY = /^Reconnecting\.\.\. (?:(\d+)\/\d+|waiting for network)\s*(?:\((.*)\))?$/s;

/**
 * Reads `codex exec --json`. Codex reports usage of the whole thread, so the usage of earlier calls (`facts`) is subtracted;
 * without facts, as for a recorded output, usage is read as printed.
 */
function codexDecoder(kit: DecoderKit, facts?: CallFacts): Decoder {
  const { isRecord, str } = kit;
  /** With what this call told of its usage so far. */
  let thread: { id: string | null; told: Usage | null } = { id: null, told: null };
  /** Items that were reported when they began. */
  const known = new Set<string>();
  /** The last error since the agent made progress. The final event repeats it; a process that was ended has none. */
  let failure: string | null = null;
  /** The turn had an item of the agent, which a warning is not. */
  let worked = false;
  let waits = 0;
  let isOver = false;

  return {
    line: (text) => [kit.json(text)].flat().filter(isRecord).flatMap(event),
    end: () => (isOver || failure === null ? [] : [errorEvent(kit, failure)]),
  };

  function event(json: Json): AgentEvent[] {
    const type = str(json.type);
    switch (type) {
      case null:
        return [{ type: "unknown", name: "object without a type" }];
      case "thread.started":
        return session(str(json.thread_id));
      case "turn.started":
        worked = false;
        return [IGNORED];
      case "item.started":
      case "item.updated":
      case "item.completed":
        failure = null;
        return isRecord(json.item) ? item(type, json.item) : [{ type: "unknown", name: `${type} without an item` }];
      case "error":
        return notice(str(json.message) ?? "");
      case "turn.completed":
        return completed(json.usage);
      case "event_msg":
        return counted(json.payload);
      case "turn.failed":
        return [errorEvent(kit, errorText(kit, json.error) ?? failure ?? "The turn failed."), ...finished(false)];
      default:
        return [{ type: "unknown", name: type }];
    }
  }

  function session(id: string | null): AgentEvent[] {
    if (id === null || id === "" || id === thread.id) return [IGNORED];
    thread = { id, told: null };
    return [{ type: "session_id", session_id: id }];
  }

  /** An error event ends nothing: it is a retry, or the reason that the final event repeats. */
  function notice(message: string): AgentEvent[] {
    failure = message;
    const retry = RETRY.exec(message);
    if (retry === null) return [IGNORED];
    const attempt = retry[1] === undefined ? ++waits : Number(retry[1]);
    return [{ type: "retry", attempt, delay_ms: null, reason: retry[2] ?? "waiting for network" }];
  }

  function item(event: "item.started" | "item.updated" | "item.completed", json: Json): AgentEvent[] {
    const type = str(json.type) ?? "";
    const id = str(json.id) ?? "";
    const isNew = id === "" || !known.has(id);
    known.add(id);
    worked ||= type !== "error" && type !== "user_message";
    if (type === "agent_message") return [event === "item.completed" ? message(kit, json) : IGNORED];
    if (IGNORED_ITEMS.has(type)) return [IGNORED];
    const calls = callsOf(kit, type, id, json);
    if (calls === null) return [{ type: "unknown", name: `item/${type}` }];
    const denied = json.status === "declined" ? calls.map((call) => kit.denied(call, call.tool_id)) : [];
    const ended = event === "item.completed" ? [...denied, ...results(kit, calls, json, isNew)] : [];
    const reported = isNew ? [...calls, ...ended] : ended;
    return reported.length === 0 ? [IGNORED] : reported;
  }

  /**
   * Versions before 0.169.0 also call a turn completed where the model was never asked, as where they cannot compact the
   * conversation (openai/codex#25619): each further one in this thread would be.
   */
  function completed(value: unknown): AgentEvent[] {
    const usage = isRecord(value) ? [printed(value)] : [];
    if (worked || !usage.some(isEmpty)) return [...usage, ...finished(true)];
    const message = "Codex completed its turn without asking the model.";
    const error = failure === null ? ({ type: "error", class: "context", message } as const) : errorEvent(kit, failure);
    return [...usage, error, ...finished(false)];
  }

  function printed(usage: Json): AgentEvent {
    const earlier = facts !== undefined && facts.resume === thread.id ? facts.used : kit.emptyUsage();
    const before = thread.told ?? earlier;
    thread.told = tokens(kit, usage);
    return { type: "usage", ...usageSince(before, thread.told) };
  }

  /**
   * In the thread's file alone: the thread's total after a request, sometimes repeated. As for the usage that is printed, a request
   * that was broken off is not in it (its own record would be), so that each token of a thread is counted once.
   */
  function counted(payload: unknown): AgentEvent[] {
    if (!isRecord(payload) || payload.type !== "token_count") return [{ type: "unknown", name: "event_msg" }];
    const { last_token_usage: last, total_token_usage: total } = kit.fields(payload.info);
    if (!isRecord(last) || !isRecord(total)) return [IGNORED];
    const before = thread.told;
    thread.told = tokens(kit, total);
    return [{ type: "usage", ...(before === null ? tokens(kit, last) : usageSince(before, thread.told)) }];
  }

  function finished(ok: boolean): AgentEvent[] {
    isOver = true;
    return [{ type: "finished", ok, text: null, duration_ms: null, cost_usd: null }];
  }
}

function message({ records, str }: DecoderKit, json: Json): AgentEvent {
  const text =
    str(json.text) ??
    records(json.content)
      .flatMap((part) => str(part.text) ?? [])
      .join("\n");
  return text === "" ? IGNORED : { type: "text", text };
}

type CallEvent = Extract<AgentEvent, { type: "tool_use" }>;

/** Items that are calls of one tool, with the tool's name. */
const TOOL_ITEMS = new Map<string, (item: Json) => string>([
  ["command_execution", () => "shell"],
  ["mcp_tool_call", (item) => `mcp__${String(item.server)}__${String(item.tool)}`],
  ["collab_tool_call", (item) => String(item.tool)],
  ["web_search", () => "web_search"],
]);

/** The tool calls in an item; null for an item of unknown type. */
function callsOf(kit: DecoderKit, type: string, id: string, json: Json): CallEvent[] | null {
  if (type === "file_change") return changes(kit, id, json);
  const name = TOOL_ITEMS.get(type)?.(json);
  if (name === undefined) return null;
  return [{ type: "tool_use", tool_id: id, ...kit.toolCall(name, argumentsOf(type, json)) }];
}

function argumentsOf(type: string, json: Json): unknown {
  if (type === "command_execution") return { command: json.command };
  if (type === "mcp_tool_call") return json.arguments ?? {};
  const { id: _id, type: _type, status: _status, ...rest } = json;
  return rest;
}

/** One item may change several files: each change is a call of its own. */
function changes(kit: DecoderKit, id: string, json: Json): CallEvent[] {
  return kit.records(json.changes).map((change, index) => ({
    type: "tool_use",
    tool_id: index === 0 ? id : `${id}/${index}`,
    ...fileCall(kit, kit.str(change.path) ?? "", kit.str(change.kind)),
  }));
}

function fileCall({ toolCall }: DecoderKit, path: string, kind: string | null): ToolCall {
  if (kind === "delete") return { tool: "Other", name: "delete_file", input: { file_path: path } };
  return toolCall(kind === "add" ? "write_file" : "edit_file", { file_path: path });
}

function results(kit: DecoderKit, calls: readonly CallEvent[], json: Json, isNew: boolean): AgentEvent[] {
  const is_error = json.status === "failed" || json.status === "declined" || (kit.num(json.exit_code) ?? 0) !== 0;
  // A change that is reported only once done needs no separate result.
  if (json.type === "file_change" && isNew && !is_error) return [];
  const content = outputOf(kit, json);
  return calls.map(({ tool_id }) => ({ type: "tool_result", tool_use_id: tool_id, content, is_error }));
}

function outputOf(kit: DecoderKit, json: Json): string {
  const { fields, records, str } = kit;
  const texts = records(fields(json.result).content).map(
    (part) => str(part.text) ?? `[${str(part.type) ?? "content"}]`,
  );
  return str(json.aggregated_output) ?? errorText(kit, json.error) ?? texts.join("\n");
}

/** Codex counts cached tokens as input; ralph does not. */
function tokens({ num, emptyUsage }: DecoderKit, reported: Json): Usage {
  const input = num(reported.input_tokens);
  const read = num(reported.cached_input_tokens);
  const written = num(reported.cache_write_input_tokens);
  return {
    ...emptyUsage(),
    input_tokens: input === null ? null : Math.max(0, input - (read ?? 0) - (written ?? 0)),
    output_tokens: num(reported.output_tokens),
    cache_read_tokens: read,
    cache_creation_tokens: written,
  };
}

const FIGURES = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens"] as const;

function isEmpty(event: AgentEvent): boolean {
  return event.type === "usage" && FIGURES.every((name) => (event[name] ?? 0) === 0);
}

/**
 * The usage of this call alone. If a figure is below the earlier usage, it cannot be the thread's total, so it is the call's.
 */
function usageSince(before: Usage, reported: Usage): Usage {
  const isThreadTotal = FIGURES.every((name) => (reported[name] ?? 0) >= (before[name] ?? 0));
  if (!isThreadTotal) return reported;
  const rest = { ...reported };
  for (const name of FIGURES) {
    const figure = reported[name];
    rest[name] = figure === null ? null : figure - (before[name] ?? 0);
  }
  return rest;
}

/** An error is an object with a message, or just the message. */
function errorText({ isRecord, str }: DecoderKit, error: unknown): string | null {
  return isRecord(error) ? str(error.message) : str(error);
}

/** Codex describes errors only in text; for a refused request, that is the provider's whole answer as JSON. */
function errorEvent(kit: DecoderKit, text: string): AgentEvent {
  const answer = kit.json(text);
  if (!kit.isRecord(answer)) {
    const status = kit.num(Number(/status:? (\d{3})\b/.exec(text)?.[1] ?? Number.NaN));
    return { type: "error", message: text, class: classify(kit, text, status) };
  }
  const message = errorText(kit, answer.error) ?? kit.str(answer.detail) ?? text;
  return { type: "error", message, class: classify(kit, text, kit.num(answer.status) ?? 400) };
}

function classify({ wordsClass, httpClass }: DecoderKit, text: string, status: number | null): ErrorClass {
  const worded = wordsClass(text, status);
  if (worded !== null) return worded;
  if (/^Incomplete response/.test(text)) return "request";
  return status === null ? "infrastructure" : httpClass(status);
}

const CATALOG_TIMEOUT_MS = 20_000;

/** `codex debug models` (0.169.0): its catalog as JSON, of which it shows those to list, by priority. The first is its default. */
async function listModels(host: Host, binary: readonly string[]): Promise<Model[] | null> {
  const { exit_code, stdout } = await host.run([...binary, "debug", "models"], CATALOG_TIMEOUT_MS);
  if (exit_code !== 0) return null;
  const listed = catalogIn(stdout).filter(({ slug, visibility }) => typeof slug === "string" && visibility === "list");
  const priority = (model: Json) => (typeof model.priority === "number" ? model.priority : Number.POSITIVE_INFINITY);
  return listed
    .toSorted((a, b) => priority(a) - priority(b))
    .map(({ slug, display_name }, place) => ({
      id: String(slug),
      label: typeof display_name === "string" ? display_name : null,
      is_default: place === 0,
    }));
}

function catalogIn(text: string): Json[] {
  try {
    const { models } = JSON.parse(text) as { models?: unknown };
    return Array.isArray(models) ? models.filter((one) => typeof one === "object" && one !== null) : [];
  } catch {
    return []; // another version's answer
  }
}
