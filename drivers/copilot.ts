import type {
  AgentEvent,
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

/**
 * GitHub's Copilot CLI. Command lines, events and errors as recorded from version 1.0.102 (`copilot --help`, runs, and the
 * event schema that the program unpacks). The stream has no tokens; the session's file has those of each request, at once. The
 * file of `--usage-output-file` is written at the end alone, and counts the whole session.
 */
const copilot: Driver = {
  name: "copilot",
  displayName: "GitHub Copilot CLI",
  cliBinary,
  minVersion: "0.0.418",
  forVersion: (version) => (version.startsWith("0.") ? oldCopilot() : copilot),
  validTools: ["shell", "shell(git:*)", "shell(npm:*)", "write"],
  supportsReadOnly: true,
  choosesSessionId: true,
  sessionIds: "uuid",
  loginCommand: "copilot login",
  installCommand: "npm install -g @github/copilot",
  buildCommand,
  listModels,
  decoder: copilotDecoder,
  usageFiles: ({ env, home }, id) => [`${homeOf(env, home)}/session-state/${id}/events.jsonl`],
  sandbox,
  permissionDenialHelp,
};
export default copilot;

function sandbox({ env, home, cwd }: Host): SandboxNeeds {
  return {
    domains: ["api.github.com", "github.com", "*.githubcopilot.com", "copilot-proxy.githubusercontent.com"],
    state: [],
    guarded: [
      {
        folder: homeOf(env, home),
        keeps: ["session-state/", "history-session-state/"],
        anew: ["logs", "tmp"],
      },
      // The CLI unpacks itself here, and runs that: a version that was not started outside yet is unpacked in each call.
      { folder: env.COPILOT_CACHE_HOME ?? `${home}/.cache/copilot`, keeps: [], anew: [] },
    ],
    fixed: [`${cwd}/.github/hooks`],
    env: ["COPILOT_", "GH_TOKEN", "GITHUB_TOKEN"],
  };
}

function homeOf(env: Host["env"], home: string): string {
  return env.COPILOT_HOME ?? `${home}/.copilot`;
}

/** Packages of the native program by platform; npm installs only the matching one. */
const PACKAGES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ["copilot-linux-x64", "copilot-linux-arm64", "copilot-linuxmusl-x64", "copilot-linuxmusl-arm64"],
  darwin: ["copilot-darwin-arm64", "copilot-darwin-x64"],
  win32: ["copilot-win32-x64", "copilot-win32-arm64"],
};

/**
 * The native program, found through npm's layout (on the PATH, in a project, installed globally), because npm's wrapper
 * `copilot` does not pass signals on. Otherwise `copilot`: other installers make that the native program.
 */
function cliBinary(host: Host): string {
  const folder = host.which("copilot")?.replace(/[\\/][^\\/]*$/, "") ?? null;
  const file = host.platform === "win32" ? "copilot.exe" : "copilot";
  const candidates = (PACKAGES[host.platform] ?? []).flatMap((name) => {
    if (folder === null) return [name];
    const nested = `node_modules/@github/copilot/node_modules/@github/${name}/${file}`;
    return [name, `${folder}/../@github/${name}/${file}`, `${folder}/../lib/${nested}`, `${folder}/${nested}`];
  });
  return candidates.find((candidate) => host.which(candidate) !== null) ?? "copilot";
}

/**
 * The prompt goes to stdin, after the loop context: no flag adds to the system prompt. Without `-p` the program reads stdin
 * to its end, answers once and exits; `--autopilot` would continue by itself, for up to 51 requests.
 */
function buildCommand(request: CommandRequest): Command {
  const argv = [...request.binary, ...(request.format === "json" ? ["--output-format", "json"] : ["--silent"])];
  argv.push("--no-ask-user", "--no-auto-update", ...permissionFlags(request));
  if (request.model !== null) argv.push("--model", request.model);
  if (request.effort !== null) argv.push("--reasoning-effort", request.effort);
  if (request.resume === null) argv.push("--session-id", request.newSessionId);
  else argv.push(`--resume=${request.resume}`);
  const { context, prompt } = request;
  return { argv, stdin: context === null ? prompt : `${context}\n\n${prompt}` };
}

/** Before 1.0: text alone, and no session to choose or resume, as the driver contract has it. */
function oldCopilot(): Driver {
  const { decoder: _, forVersion: __, ...rest } = copilot;
  return {
    ...rest,
    supportsSessions: false,
    supportsLiveOutput: false,
    choosesSessionId: false,
    buildCommand: buildOldCommand,
  };
}

/** Only the flags that all of those versions have; they take the prompt as an argument. */
function buildOldCommand({ binary, readOnly, permissionMode, model, context, prompt }: CommandRequest): Command {
  const argv = [...binary, "--allow-all-tools", ...denyFlags(readOnly ? "plan" : permissionMode)];
  if (model !== null) argv.push("--model", model);
  // With `=` a prompt that begins with a dash is no flag.
  argv.push(`--prompt=${context === null ? prompt : `${context}\n\n${prompt}`}`);
  return { argv };
}

/** The kinds of tools that a permission mode denies. */
const DENIED: ReadonlyMap<string, readonly string[]> = new Map([
  ["acceptEdits", ["shell"]],
  ["default", ["write", "shell"]],
  ["dontAsk", ["write", "shell"]],
  ["plan", ["write", "shell"]],
]);

/**
 * A denied kind of tool stays denied despite `--allow-all-tools`; nobody could approve the others. A review is offered only
 * tools that read. The flags use `=` because they otherwise take all following words.
 */
function permissionFlags({ readOnly, permissionMode }: CommandRequest): string[] {
  if (readOnly) return ["--available-tools=view,glob,grep", ...denyFlags("plan"), "--disable-builtin-mcps"];
  return ["--allow-all-tools", ...denyFlags(permissionMode)];
}

function denyFlags(permissionMode: string): string[] {
  return (DENIED.get(permissionMode) ?? []).map((kind) => `--deny-tool=${kind}`);
}

function permissionDenialHelp({ settingsFile }: { settingsFile: string }): string {
  return [
    "Of the modes, bypassPermissions is every tool, acceptEdits all but the shell; ALLOWED_TOOLS is",
    `nothing to it. CLAUDE_CODE_CMD="copilot --allow-all-paths --allow-all-urls" (${settingsFile})`,
    "allows files and addresses outside. A deny rule of Copilot or of the organisation beats both.",
  ].join("\n");
}

/**
 * Events that only report progress, according to the CLI's schema. Questions to a person (permission, user_input …) are not
 * in the list: nobody answers them here, so they should be visible.
 */
const IGNORED_TYPES = new Set(
  `agent.interrupted assistant.intent assistant.reasoning assistant.reasoning_delta assistant.server_tool_progress
  assistant.streaming_delta assistant.tool_call_delta assistant.turn_end capabilities.changed command.completed command.execute
  command.queued commands.changed external_tool.completed external_tool.requested hook.end hook.progress hook.start
  mcp.headers_refresh_completed mcp.headers_refresh_required mcp.prompts.list_changed mcp.resources.list_changed
  mcp.tools.list_changed mcp_app.tool_call_complete model.call_final_result model.call_finished model.call_start
  pending_messages.modified sandbox.decision session.auto_mode_resolved session.auto_tier_recommendation
  session.autopilot_objective_changed session.autopilot_stopped session.background_tasks_changed session.binary_asset
  session.compaction_complete session.compaction_start session.completion_receipt session.context_changed
  session.context_cleared session.custom_agents_updated session.custom_notification session.extensions_loaded
  session.handoff session.idle session.indexed_search session.info session.managed_plugin_progress
  session.managed_settings_enforced session.managed_settings_resolved session.mcp_server_removed
  session.mcp_server_status_changed session.mcp_server_tools_loaded session.mcp_servers_loaded session.memory_changed
  session.mode_changed session.mode_notice_delivered session.model_change session.permission_recovery
  session.permissions_changed session.plan_changed session.quota_observation session.remote_steerable_changed
  session.request_body_compression_disabled session.resume session.session_limits_changed session.shutdown
  session.skills_loaded session.snapshot_rewind session.start session.task_complete session.title_changed
  session.todos_changed session.truncation session.usage_checkpoint session.usage_info session.warning
  session.workspace_file_changed skill.context_delivered skill.context_delivered_ref skill.invoked skill.invoked_ref
  subagent.completed subagent.configured subagent.deselected subagent.failed subagent.selected subagent.started
  system.message system.notification tool.execution_partial_result tool.execution_progress tool.shell_output
  tool.user_requested tool_search.activated user.message`.split(/\s+/),
);

const IGNORED: AgentEvent = { type: "ignored" };

/**
 * Reads `--output-format json`: one event per line with its fields in `data`, and a final `result` with fields of its own.
 */
function copilotDecoder(kit: DecoderKit): Decoder {
  const { fields, isRecord, str, num } = kit;
  const turn = {
    /** The newest message of the main agent was its answer: it calls no tool, and no further turn began. */
    isAnswered: false,
    /** The agent has nothing more to do, and only the final event is missing. */
    isOver: false,
  };
  const trouble: Trouble = { failure: null, aborted: null, request: null };
  const usage: Usage = kit.emptyUsage();
  /** By the id of the CLI's call, which may patch several files. */
  const calls = new Map<string, ToolCall[]>();
  /** The text block in progress. */
  let partial = "";
  let startedAt: number | null = null;
  let finished = false;

  type Handler = (data: Json, nested: boolean) => AgentEvent[];
  const handlers = new Map<string, Handler>([
    ["assistant.turn_start", beginTurn],
    ["assistant.turn_retry", retry],
    ["assistant.message_start", restart],
    ["assistant.message_delta", delta],
    ["assistant.message", message],
    ["assistant.usage", addTokens],
    ["session.usage_record", recordedTokens],
    ["session.tools_updated", useModel],
    ["tool.execution_start", toolUse],
    ["tool.execution_complete", toolResult],
    ["model.call_failure", failedRequest],
    ["session.error", fail],
    ["assistant.idle", idle],
    ["abort", abort],
  ]);

  return { line: (text) => [kit.json(text)].flat().filter(isRecord).flatMap(event), end };

  function event(json: Json): AgentEvent[] {
    const type = str(json.type);
    if (type === null) {
      return [Object.keys(json).length === 0 ? IGNORED : { type: "unknown", name: "object without a type" }];
    }
    startedAt ??= timeOf(kit, json);
    if (type === "result") return result(json);
    const handler = handlers.get(type);
    if (handler === undefined) return [IGNORED_TYPES.has(type) ? IGNORED : { type: "unknown", name: type }];
    const data = fields(json.data);
    return handler(data, str(json.agentId) !== null || str(data.parentToolCallId) !== null);
  }

  function beginTurn(_: Json, nested: boolean): AgentEvent[] {
    if (nested) return [IGNORED];
    usage.turns = (usage.turns ?? 0) + 1;
    const goesOn = turn.isOver;
    turn.isAnswered = false;
    turn.isOver = false;
    return [goesOn ? { type: "complete", over: null } : IGNORED];
  }

  function retry(data: Json, nested: boolean): AgentEvent[] {
    restart(data, nested);
    const reason = str(data.reason) ?? "unknown";
    const { status = null, attempt = 1 } = nested ? {} : (trouble.request ?? {});
    return [{ type: "retry", attempt, delay_ms: null, reason: status === null ? reason : `${reason} (${status})` }];
  }

  /** A retried request repeats all of its text. */
  function restart(_: Json, nested: boolean): AgentEvent[] {
    if (!nested) partial = "";
    return [IGNORED];
  }

  /** A sub-agent's text would be mixed into the main agent's; its complete blocks come as messages. */
  function delta(data: Json, nested: boolean): AgentEvent[] {
    const text = str(data.deltaContent) ?? "";
    if (nested || text === "") return [IGNORED];
    partial += text;
    return [{ type: "partial", text: partial }];
  }

  /** The message's tool requests come again as events when they run. */
  function message(data: Json, nested: boolean): AgentEvent[] {
    restart(data, nested);
    if (!nested) {
      useModel(data);
      trouble.failure = null;
      turn.isAnswered = !Array.isArray(data.toolRequests) || data.toolRequests.length === 0;
    }
    const text = str(data.content) ?? "";
    return [text === "" ? IGNORED : { type: "text", text, ...(nested ? { nested } : {}) }];
  }

  function useModel(data: Json): AgentEvent[] {
    usage.model = str(data.model) ?? usage.model;
    return [IGNORED];
  }

  /** In the CLI's schema, but not yet seen in its stream. */
  function addTokens(data: Json): AgentEvent[] {
    const sum = (known: number | null, more: unknown) => (num(more) === null ? known : (known ?? 0) + (num(more) ?? 0));
    usage.input_tokens = sum(usage.input_tokens, data.inputTokens);
    usage.output_tokens = sum(usage.output_tokens, data.outputTokens);
    usage.cache_read_tokens = sum(usage.cache_read_tokens, data.cacheReadTokens);
    usage.cache_creation_tokens = sum(usage.cache_creation_tokens, data.cacheWriteTokens);
    return [IGNORED];
  }

  /** Of one request, in the session's file alone. Input has the cached tokens in it. */
  function recordedTokens(data: Json): AgentEvent[] {
    const used = fields(data.usage);
    usage.model ??= str(used.model);
    const cached = (num(used.cacheReadTokens) ?? 0) + (num(used.cacheWriteTokens) ?? 0);
    return addTokens({ ...used, inputTokens: Math.max(0, (num(used.inputTokens) ?? 0) - cached) });
  }

  function toolUse(data: Json, nested: boolean): AgentEvent[] {
    const id = str(data.toolCallId) ?? "";
    const made = kit.toolCalls(str(data.toolName) ?? "", data.arguments);
    calls.set(id, made);
    const mark = nested ? { nested } : {};
    return made.map((call, index) => ({ type: "tool_use", tool_id: partOf(id, index), ...mark, ...call }));
  }

  function toolResult(data: Json): AgentEvent[] {
    const id = str(data.toolCallId) ?? "";
    const made = calls.get(id) ?? [kit.toolCall("unknown", {})];
    calls.delete(id);
    const results = made.map((_, index) => resultEvent(kit, data, partOf(id, index)));
    const denied = fields(data.error).code === "denied" ? made.slice(0, 1) : [];
    return [...results, ...denied.map((call) => kit.denied(call, id))];
  }

  function failedRequest(data: Json, nested: boolean): AgentEvent[] {
    if (!nested) trouble.request = { status: num(data.statusCode), attempt: (num(data.retryAttempt) ?? 0) + 1 };
    return [IGNORED];
  }

  /**
   * Kept until the agent answers again: after a limit the CLI may continue with another model. A sub-agent's error belongs to its tool call.
   */
  function fail(data: Json, nested: boolean): AgentEvent[] {
    if (nested) return [IGNORED];
    trouble.failure = readFailure(kit, data, trouble.request?.status ?? null);
    return [IGNORED];
  }

  /** Only the final event follows. */
  function idle(data: Json, nested: boolean): AgentEvent[] {
    if (nested) return [IGNORED];
    turn.isOver = trouble.failure === null && trouble.aborted === null && data.aborted !== true;
    return [turn.isOver ? { type: "complete", over: true } : IGNORED];
  }

  function abort(data: Json, nested: boolean): AgentEvent[] {
    if (!nested) trouble.aborted = str(data.reason) ?? "unknown";
    return [IGNORED];
  }

  /** If the turn was aborted, or ended by an error in the place of an answer, exit code 0 is not success. */
  function result(json: Json): AgentEvent[] {
    finished = true;
    const sessionId = str(json.sessionId);
    const exitCode = num(json.exitCode) ?? (trouble.failure === null ? 0 : 1);
    const isOk = exitCode === 0 && trouble.aborted === null && (trouble.failure === null || turn.isAnswered);
    const unstated = errorEvent("infrastructure", `Copilot ended with exit code ${exitCode} and did not say why.`);
    const endedAt = timeOf(kit, json);
    // The durations in `result.usage` cover the whole session.
    usage.duration_ms = startedAt === null || endedAt === null ? null : Math.max(0, endedAt - startedAt);
    return [
      ...unfinishedText(),
      ...(sessionId === null || sessionId === "" ? [] : [{ type: "session_id", session_id: sessionId } as const]),
      { type: "usage", ...usage },
      ...(isOk ? [] : [statedError(kit, trouble) ?? unstated]),
      finishedEvent(isOk, usage.duration_ms),
    ];
  }

  /** The text in progress when the agent was interrupted. */
  function unfinishedText(): AgentEvent[] {
    const text = partial;
    partial = "";
    return text === "" ? [] : [{ type: "text", text }];
  }

  function end(): AgentEvent[] {
    if (finished || startedAt === null) return [];
    const error = statedError(kit, trouble);
    return [
      ...unfinishedText(),
      { type: "usage", ...usage },
      ...(error === null ? [] : [error]),
      // An interruption ends the turn, even if the CLI had no time left to report the outcome.
      ...(trouble.aborted === null ? [] : [finishedEvent(false, null)]),
    ];
  }
}

/** What went wrong for the main agent. */
type Trouble = {
  failure: Failure | null;
  /** Why the turn was aborted. */
  aborted: string | null;
  /** HTTP status and attempt of the last failed request; a final error does not always repeat them. */
  request: { status: number | null; attempt: number } | null;
};

function statedError(kit: DecoderKit, { failure, aborted }: Trouble): AgentEvent | null {
  if (failure !== null) return errorEvent(classify(kit, failure), failure.message);
  return aborted === null ? null : errorEvent("infrastructure", `Copilot was interrupted (${aborted}).`);
}

function errorEvent(kind: ErrorClass, message: string): AgentEvent {
  return { type: "error", class: kind, message };
}

function finishedEvent(ok: boolean, duration_ms: number | null): AgentEvent {
  return { type: "finished", ok, text: null, duration_ms, cost_usd: null };
}

/** The id of one file's part in a call. */
function partOf(id: string, index: number): string {
  return index === 0 ? id : `${id}/${index}`;
}

function timeOf({ str }: DecoderKit, json: Json): number | null {
  const time = Date.parse(str(json.timestamp) ?? "");
  return Number.isNaN(time) ? null : time;
}

function resultEvent({ fields, str, num }: DecoderKit, data: Json, tool_use_id: string): AgentEvent {
  const content = str(fields(data.result).content) ?? str(fields(data.error).message) ?? "";
  const is_error = data.success === false || (num(fields(data.shellExecution).exitCode) ?? 0) !== 0;
  return { type: "tool_result", tool_use_id, content, is_error };
}

/** An error that ended the turn, with the CLI's own class and code and the HTTP status. */
type Failure = { kind: string; code: string | null; status: number | null; message: string };

/** @param otherwise the HTTP status of the last failed request, which a final error does not always repeat */
function readFailure({ str, num }: DecoderKit, data: Json, otherwise: number | null): Failure {
  return {
    kind: str(data.errorType) ?? "",
    code: str(data.errorCode),
    status: num(data.statusCode) ?? otherwise,
    message: str(data.message) ?? "Copilot failed and did not say why.",
  };
}

/** Codes of a quota (of 1.0.102). What one session may spend is used up with it: a new one goes on. */
const CODES: ReadonlyMap<string, ErrorClass> = new Map([
  ["billing_not_configured", "billing"],
  ["quota_exceeded", "billing"],
  ["additional_spend_limit_reached", "billing"],
  ["session_quota_exceeded", "context"],
]);

const CLASSES: ReadonlyMap<string, ErrorClass> = new Map([
  ["authentication", "auth"],
  ["authorization", "auth"],
  ["policy", "config"],
  ["quota", "limit"],
  ["rate_limit", "limit"],
  ["context_limit", "context"],
]);

function classify({ httpClass, wordsClass }: DecoderKit, { kind, code, status, message }: Failure): ErrorClass {
  const coded = code === null ? undefined : CODES.get(code);
  if (coded !== undefined) return coded;
  const worded = wordsClass(message, status);
  if (worded !== null) return worded;
  return CLASSES.get(kind) ?? (status === null ? "infrastructure" : httpClass(status));
}

const HELP_TIMEOUT_MS = 20_000;

/** `copilot help config` (1.0.102) lists the values of its setting `model`, quoted, a line each. */
async function listModels(host: Host, binary: readonly string[]): Promise<Model[] | null> {
  const { exit_code, stdout } = await host.run([...binary, "help", "config"], HELP_TIMEOUT_MS);
  const values = /^\s*`model`:[^\n]*\n((?:\s+- "[^"\n]+"[^\n]*\n?)+)/m.exec(stdout.replaceAll("\r\n", "\n"))?.[1];
  if (exit_code !== 0 || values === undefined) return null;
  return [...values.matchAll(/- "([^"\n]+)"/g)].map(([, id]) => ({ id: id ?? "", label: null, is_default: false }));
}
