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
} from "../src/driver.ts";

type Json = Record<string, unknown>;
type Failure = Extract<AgentEvent, { type: "error" }>;
type Finished = Extract<AgentEvent, { type: "finished" }>;
type ToolUse = Extract<AgentEvent, { type: "tool_use" }>;

/** Anthropic's Claude Code. Command lines, events and errors as recorded from versions 2.1.197 and 2.1.332 (`claude --help`, runs). */
const claudeCode: Driver = {
  name: "claude-code",
  displayName: "Claude Code",
  cliBinary: "claude",
  minVersion: "2.0.76",
  validTools: [
    "Write",
    "Read",
    "Edit",
    "MultiEdit",
    "Glob",
    "Grep",
    "Task",
    "TodoWrite",
    "WebFetch",
    "WebSearch",
    "AskUserQuestion",
    "EnterPlanMode",
    "ExitPlanMode",
    "Bash",
    "Bash(git *)",
    "Bash(npm *)",
    "Bash(bats *)",
    "Bash(python *)",
    "Bash(node *)",
    "NotebookEdit",
  ],
  supportsToolAllowlist: true,
  supportsReadOnly: true,
  choosesSessionId: true,
  sessionIds: "uuid",
  loginCommand: "claude /login",
  installCommand: "npm install -g @anthropic-ai/claude-code",
  buildCommand,
  listModels,
  decoder: claudeDecoder,
  preflight,
  sandbox,
  permissionDenialHelp,
};
export default claudeCode;

/** What a project may hold that makes a later start of Claude Code run something. */
const RUNS_LATER = ["settings.json", "settings.local.json", "commands", "agents", "skills", "plugins", "hooks"];

/** Its folder also has what it obeys everywhere (CLAUDE.md, settings, servers, scripts of hooks): only login and conversations are kept. */
function sandbox({ env, home, cwd }: Host): SandboxNeeds {
  return {
    domains: ["api.anthropic.com", "console.anthropic.com", "platform.claude.com", "claude.ai"],
    state: [],
    guarded: [
      {
        folder: env.CLAUDE_CONFIG_DIR ?? `${home}/.claude`,
        keeps: [".credentials.json", "projects/", "todos/", "tasks/", "plans/"],
        // A session outside sources its own of these while it works.
        anew: [
          "shell-snapshots",
          "session-env",
          "sessions",
          "file-history",
          "ide",
          "debug",
          "statsig",
          "telemetry",
          "cache",
          "backups",
        ],
      },
    ],
    copies: [`${home}/.claude.json`],
    fixed: [...RUNS_LATER.map((name) => `${cwd}/.claude/${name}`), `${cwd}/.mcp.json`],
    env: ["ANTHROPIC_", "CLAUDE_"],
  };
}

/**
 * The prompt goes to stdin. `-p` comes last: the tool flags take every word up to the next flag, so no user text may follow
 * them. A new session has the context in its system prompt; from 2.1.268 on a resumed one keeps that of its first call, whatever
 * a later call passes, so there it follows the prompt (which may begin with the name of a command).
 */
function buildCommand(request: CommandRequest): Command {
  const argv = [...request.binary, ...outputFlags(request), ...permissionFlags(request)];
  if (request.model !== null) argv.push("--model", request.model);
  if (request.effort !== null) argv.push("--effort", request.effort);
  const { context, prompt, resume } = request;
  if (resume !== null) {
    argv.push("--resume", resume, "-p");
    return { argv, stdin: context === null ? prompt : `${prompt}\n\n${context}` };
  }
  if (context !== null) argv.push("--append-system-prompt", context);
  argv.push("--session-id", request.newSessionId, "-p");
  return { argv, stdin: prompt };
}

function outputFlags({ format, partial }: CommandRequest): string[] {
  if (format === "text") return ["--output-format", "text"];
  const flags = ["--output-format", "stream-json", "--verbose"];
  return partial ? [...flags, "--include-partial-messages"] : flags;
}

/** A review gets no tool that writes: other tools are not offered at all, whatever the project's settings allow. */
function permissionFlags({ readOnly, permissionMode, allowedTools }: CommandRequest): string[] {
  if (readOnly) return ["--permission-mode", "default", "--tools", "Read,Glob,Grep", "--strict-mcp-config"];
  const flags = ["--permission-mode", permissionMode === "" ? "bypassPermissions" : permissionMode];
  return allowedTools === null || allowedTools.length === 0 ? flags : [...flags, "--allowedTools", ...allowedTools];
}

function preflight(host: Host, request: CommandRequest): string | null {
  if (request.readOnly || !["bypassPermissions", ""].includes(request.permissionMode)) return null;
  const sandboxed = host.env.IS_SANDBOX === "1" || host.env.CLAUDE_CODE_BUBBLEWRAP === "1";
  if (!host.isRoot || sandboxed) return null;
  return (
    "Claude Code refuses the permission mode bypassPermissions when it runs as root.\n" +
    "Set IS_SANDBOX=1 if this is a container that may be damaged, or run with --permission-mode acceptEdits."
  );
}

function permissionDenialHelp({ settingsFile }: { settingsFile: string }): string {
  return [
    "In the mode bypassPermissions only Claude Code's own settings refuse a tool.",
    `Other modes: add it to ALLOWED_TOOLS (${settingsFile}), such as Bash(node *).`,
  ].join("\n");
}

const IGNORED: AgentEvent = { type: "ignored" };
/** Events and system events that only report progress, according to the CLI's schema. */
const IGNORED_TYPES = new Set(["tool_progress", "tool_use_summary", "prompt_suggestion", "auth_status", "keep_alive"]);
const IGNORED_SYSTEM_SUBTYPES = new Set(
  `agents_killed away_summary code_change_published commands_changed compact_boundary elicitation_complete file_snapshot
  files_persisted hook_progress hook_response hook_started informational local_command_output memory_recall memory_saved
  model_consent_fallback model_fallback model_refusal_fallback notification per_turn_effort_changed permission_check_status
  permission_retry plugin_install post_turn_summary scheduled_task_fire session_state_changed session_title_changed status
  stop_hook_summary task_list_statuses task_progress task_summary task_updated thinking thinking_tokens turn_duration
  vcs_state_changed`.split(/\s+/),
);
const IGNORED_STEPS = new Set(["content_block_stop", "message_stop", "ping"]);
/** Keys that make an untyped object an old flat answer, and a `result` one with structured claims. */
const CLAIMS = "status exit_signal work_type metadata files_modified error_count summary confidence".split(" ");

/**
 * Reads `stream-json` (with or without partial messages), the single object of `json`, an array of events, and the flat
 * objects of old versions. A line that is not JSON gives no event.
 */
function claudeDecoder(kit: DecoderKit, facts?: CallFacts): Decoder {
  const { isRecord, str, num } = kit;
  const conversation: Conversation = { id: null, model: null, version: null };
  const turn = mainTurn(kit);
  const tools = toolsUnderWay(kit);
  const trouble = statedTrouble(kit);
  const turns = usageOfTurns(kit, conversation, facts);
  let messages = usageOfMessages(kit);
  let streamedMessage: string | null = null;
  /** The text block in progress. */
  let partial = "";
  let hasTypes = false;

  return { line, end };

  function line(text: string): AgentEvent[] {
    const json = kit.json(text);
    if (json === null) return [];
    return Array.isArray(json) ? kit.records(json).flatMap(event) : event(json);
  }

  function event(json: Json): AgentEvent[] {
    const type = str(json.type);
    if (type === null) return untyped(json);
    hasTypes = true;
    if (type === "result") return result(json);
    const sessionEvents = session(json);
    const events = typed(type, json);
    return sessionEvents.length === 0 ? events : [...sessionEvents, ...events];
  }

  function typed(type: string, json: Json): AgentEvent[] {
    if (type === "assistant") return assistant(json);
    if (type === "user") return orIgnored(tools.results(messageOf(kit, json).content));
    if (type === "stream_event") return streamEvent(json);
    if (type === "system") return system(json);
    if (type === "rate_limit_event") return [trouble.limit(json.rate_limit_info) ?? IGNORED];
    return [IGNORED_TYPES.has(type) ? IGNORED : { type: "unknown", name: type }];
  }

  function session(json: Json): AgentEvent[] {
    const id = kit.sessionId(json);
    if (id === null || id === conversation.id) return [];
    conversation.id = id;
    return [{ type: "session_id", session_id: id }];
  }

  function system(json: Json): AgentEvent[] {
    const subtype = str(json.subtype) ?? "";
    if (subtype === "api_retry") return [retryOf(kit, json)];
    if (subtype === "background_tasks_changed") return orIgnored(turn.tasksAre(kit.records(json.tasks)));
    if (subtype === "init") {
      conversation.model = str(json.model);
      conversation.version = str(json.claude_code_version) ?? conversation.version;
    } else if (subtype === "permission_denied") tools.refuse(json);
    else if (subtype === "task_started") turn.taskStarted(json);
    else if (subtype === "task_notification" || hasEnded(kit, json)) turn.taskEnded(json);
    else if (!IGNORED_SYSTEM_SUBTYPES.has(subtype)) return [{ type: "unknown", name: `system/${subtype}` }];
    return [IGNORED];
  }

  function assistant(json: Json): AgentEvent[] {
    const message = messageOf(kit, json);
    const blocks = contentBlocks(kit, message.content);
    const nested = str(json.parent_tool_use_id) !== null;
    const code = str(json.error);
    const isSynthetic = message.model === "<synthetic>";
    if (code !== null || isSynthetic) {
      // A sub-agent's error belongs to its call.
      if (!nested) trouble.state(code, blocks.map(({ text }) => str(text) ?? "").join("\n"), isSynthetic);
      return [IGNORED];
    }
    if (!nested) {
      turn.goOn();
      trouble.overcome();
      conversation.model = str(message.model) ?? conversation.model;
      if (blocks.some(({ type }) => type === "text")) partial = "";
    }
    messages.note(str(message.id), message.usage, charsOf(kit, blocks));
    const events: AgentEvent[] = [];
    for (const block of blocks) {
      const event = blockEvent(kit, block, nested);
      if (event === null) continue;
      events.push(event);
      if (event.type === "tool_use") tools.begin(event);
    }
    if (!nested && blocks.at(-1)?.type === "text") events.push(...turn.answered(str(message.stop_reason)));
    return orIgnored(events);
  }

  function streamEvent(json: Json): AgentEvent[] {
    // A sub-agent's text would be mixed into the main agent's; its complete blocks come as `assistant` events.
    if (str(json.parent_tool_use_id) !== null) return [IGNORED];
    const step = kit.fields(json.event);
    const type = str(step.type) ?? "";
    switch (type) {
      case "content_block_delta":
        return delta(step.delta);
      case "content_block_start":
        partial = "";
        return [IGNORED];
      case "message_start":
        partial = "";
        if (!isRecord(step.message)) return [IGNORED];
        streamedMessage = str(step.message.id);
        messages.note(streamedMessage, step.message.usage, 0);
        return orIgnored(turn.beginMessage());
      case "message_delta":
        messages.note(streamedMessage, step.usage, 0, true);
        return isRecord(step.delta) && step.delta.stop_reason === "end_turn" ? turn.answered("end_turn") : [IGNORED];
      default:
        return [IGNORED_STEPS.has(type) ? IGNORED : { type: "unknown", name: `stream_event/${type}` }];
    }
  }

  function delta(value: unknown): AgentEvent[] {
    const text = isRecord(value) && value.type === "text_delta" ? str(value.text) : null;
    if (text === null || text === "") return [IGNORED];
    partial += text;
    return [{ type: "partial", text: partial }];
  }

  /** The text in progress when the agent was interrupted. */
  function unfinishedText(): AgentEvent[] {
    const text = partial;
    partial = "";
    return text === "" ? [] : [{ type: "text", text }];
  }

  /** An answer without a type, as printed by a plain `json` run of an old version or by a wrapper around the CLI. */
  function untyped(json: Json): AgentEvent[] {
    if (!hasTypes && ("result" in json || makesClaims(json))) return result(json);
    return Object.keys(json).length === 0 ? [IGNORED] : [{ type: "unknown", name: "object without a type" }];
  }

  function result(json: Json): AgentEvent[] {
    const error = trouble.ofResult(json);
    const { usage, cost_usd } = turns.read(json);
    const end = finishedEvent(kit, json, error === null, cost_usd);
    messages = usageOfMessages(kit);
    tools.refused.length = 0;
    return [
      ...unfinishedText(),
      // Here the CLI repeats the id that it rejected.
      ...(error?.class === "session" ? [] : session(json)),
      ...denials(kit, json.permission_denials),
      ...usage,
      ...(error === null ? [] : [error]),
      turn.end(end, num(json.queued_turn_count) ?? 0),
    ];
  }

  function end(): AgentEvent[] {
    if (turn.isOver()) return [];
    return [
      ...unfinishedText(),
      ...tools.refused,
      ...messages.sum(conversation.model),
      ...trouble.ofCutOff(),
      ...turn.held(),
    ];
  }
}

/** What events tell of the conversation. */
type Conversation = { id: string | null; model: string | null; version: string | null };

/** Whether the main agent's turn is over: its end is none while sub-agents work, for what they report begins the next one. */
function mainTurn({ str }: DecoderKit) {
  /** Sub-agents at work, by the id of their task. */
  const awaited = new Set<string>();
  /** The newest message looked like the whole answer. */
  let isComplete = false;
  /** An end that was none. */
  let held: AgentEvent | null = null;
  let isOver = false;

  /** Commands that are left in the background are ended with the turn, by the CLI too; it waits for sub-agents. */
  function taskStarted(task: Json): void {
    if (task.ambient !== true && /agent|workflow/.test(str(task.task_type) ?? "")) awaited.add(str(task.task_id) ?? "");
  }

  return {
    taskStarted,
    taskEnded(task: Json): void {
      awaited.delete(str(task.task_id) ?? "");
    },
    tasksAre(tasks: readonly Json[]): AgentEvent[] {
      awaited.clear();
      for (const task of tasks) taskStarted(task);
      if (held === null || awaited.size > 0) return [];
      // The report follows, or the process ends.
      isComplete = true;
      return [{ type: "complete", over: true }];
    },
    goOn(): void {
      held = null;
    },
    beginMessage(): AgentEvent[] {
      const wasComplete = isComplete;
      held = null;
      isComplete = false;
      return wasComplete ? [{ type: "complete", over: null }] : [];
    },
    /** Without partial messages the CLI states no reason (null): then the answer is complete if the CLI exits with 0. */
    answered(stopReason: string | null): AgentEvent[] {
      if ((stopReason !== null && stopReason !== "end_turn") || awaited.size > 0) return [];
      isComplete = true;
      return [{ type: "complete", over: stopReason === "end_turn" }];
    },
    end(finished: Finished, queuedTurns: number): AgentEvent {
      isOver = !finished.ok || (awaited.size === 0 && queuedTurns <= 0);
      held = isOver ? null : finished;
      return held === null ? finished : { type: "complete", over: null };
    },
    isOver: () => isOver,
    held: () => (held === null ? [] : [held]),
  };
}

/** Whether an event says that a task has ended. */
function hasEnded({ fields, str }: DecoderKit, { subtype, patch }: Json): boolean {
  const status = str(fields(patch).status);
  return subtype === "task_updated" && status !== null && !["pending", "running", "paused"].includes(status);
}

/** Tools that run, and those that were refused. */
function toolsUnderWay(kit: DecoderKit) {
  const { str } = kit;
  /** Commands by the id of their call. */
  const commands = new Map<string, string>();
  /** The final event repeats these, but a cut-off stream has none. */
  const refused: AgentEvent[] = [];
  return {
    refused,
    begin(call: ToolUse): void {
      if (call.tool === "Bash") commands.set(call.tool_id, call.input.command);
    },
    results(content: unknown): AgentEvent[] {
      const results: AgentEvent[] = [];
      for (const block of contentBlocks(kit, content)) {
        if (block.type !== "tool_result") continue;
        const tool_use_id = str(block.tool_use_id) ?? "";
        const is_error = block.is_error === true;
        commands.delete(tool_use_id);
        results.push({ type: "tool_result", tool_use_id, content: resultText(kit, block.content), is_error });
      }
      return results;
    },
    refuse(json: Json): void {
      const tool_use_id = str(json.tool_use_id);
      const command = commands.get(tool_use_id ?? "") ?? null;
      refused.push({ type: "denied", tool: str(json.tool_name) ?? "unknown", command, tool_use_id });
    },
  };
}

/** An error that the CLI added to the conversation as a message. */
type StatedError = { code: string; message: string };

/** Why the call fails, as far as events told. */
function statedTrouble(kit: DecoderKit) {
  /** The final event repeats it, but a cut-off stream has none. */
  let stated: StatedError | null = null;
  /** The newest message that the CLI itself wrote into the conversation. */
  let synthetic = "";
  /** A structured event reported a limit: that is the reason of the failure, whatever the final event calls it. */
  let isLimited = false;

  function failure(facts: Facts): Failure {
    return { type: "error", message: facts.message, class: isLimited ? "limit" : classify(kit, facts) };
  }

  return {
    state(code: string | null, message: string, isSynthetic: boolean): void {
      if (code !== null) stated = { code, message };
      if (isSynthetic) synthetic = message;
    },
    limit(info: unknown): AgentEvent | null {
      const reached = limitOf(kit, info);
      isLimited ||= reached !== null;
      return reached;
    },
    /** The model answers again, or another one does. */
    overcome(): void {
      stated = null;
      isLimited = false;
    },
    ofResult(json: Json): Failure | null {
      const facts = errorFacts(kit, json, stated) ?? wordsInstead(kit, json, synthetic);
      return facts === null ? null : failure(facts);
    },
    ofCutOff: (): AgentEvent[] => (stated === null ? [] : [failure({ ...NO_FACTS, ...stated })]),
  };
}

/** What the turns of a process used, each by its final event. */
function usageOfTurns(kit: DecoderKit, conversation: Conversation, facts: CallFacts | undefined) {
  const { fields, isRecord, num } = kit;
  /** What the last final event told of money and of each model's tokens, which add up; null before the first one. */
  let told: Figures | null = null;

  /** What the figures of the first final event hold of earlier calls. */
  function carried(json: Json): Figures {
    const isResumed =
      facts !== undefined && facts.resume !== null && facts.resume === (kit.sessionId(json) ?? conversation.id);
    return isResumed && tellsTotals(conversation.version) ? ofEarlierCalls(kit, json, facts.used) : NOTHING;
  }

  return {
    read(json: Json): { usage: AgentEvent[]; cost_usd: number | null } {
      const before: Figures = told ?? carried(json);
      const all = totalOf(tokensOfModels(kit, json));
      const total = num(json.total_cost_usd);
      const cost_usd = costSince(before, total);
      told = { ...(all ?? before), cost_usd: Math.max(before.cost_usd ?? 0, total ?? 0) };
      if (!isRecord(json.usage)) return { usage: [], cost_usd };
      const used = tokensSince(before, all, tokens(kit, json.usage));
      const [duration_ms, turns] = [num(json.duration_ms), num(json.num_turns)];
      const model = conversation.model ?? Object.keys(fields(json.modelUsage))[0] ?? null;
      return { usage: [{ type: "usage", ...used, cost_usd, duration_ms, turns, model }], cost_usd };
    },
  };
}

/** Messages whose usage may still change: events repeat it, of the newest ones. */
const OPEN_MESSAGES = 64;
/** Of what a model writes, roughly. */
const CHARS_PER_TOKEN = 4;

/** What events tell of a message: its usage, the characters that it has, and whether the usage is that of the whole message. */
type MessageUsage = { usage: Json; chars: number; isWhole: boolean };

/**
 * The usage of a run without final figures, by message: several events repeat that of one. Without partial messages they have the
 * output tokens of its beginning, which are one or two: then its length tells more. What is kept does not grow with the answer.
 */
function usageOfMessages(kit: DecoderKit) {
  const open = new Map<string, MessageUsage>();
  const settled = { ...NO_TOKENS };
  let count = 0;

  function note(id: string | null, usage: unknown, chars: number, isWhole = false): void {
    if (id === null || !kit.isRecord(usage)) return;
    const known = open.get(id);
    if (known !== undefined) {
      known.usage = { ...known.usage, ...usage };
      known.chars += chars;
      known.isWhole ||= isWhole;
      return;
    }
    open.set(id, { usage, chars, isWhole });
    count++;
    if (open.size <= OPEN_MESSAGES) return;
    for (const [oldest, message] of open) {
      add(settled, tokensOfMessage(kit, message));
      open.delete(oldest);
      return;
    }
  }

  return {
    note,
    sum(model: string | null): AgentEvent[] {
      if (count === 0) return [];
      const all = { ...settled };
      for (const message of open.values()) add(all, tokensOfMessage(kit, message));
      return [{ type: "usage", ...kit.emptyUsage(), ...all, turns: count, model }];
    },
  };
}

function orIgnored(events: AgentEvent[]): AgentEvent[] {
  return events.length === 0 ? [IGNORED] : events;
}

function messageOf({ isRecord }: DecoderKit, json: Json): Json {
  return isRecord(json.message) ? json.message : json;
}

/** Content is a list of blocks, or a string for a single text. */
function contentBlocks({ records }: DecoderKit, content: unknown): readonly Json[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : records(content);
}

const IGNORED_BLOCKS = new Set(["thinking", "redacted_thinking", "image", "document", "web_search_tool_result"]);

function blockEvent({ str, toolCall }: DecoderKit, block: Json, nested: boolean): AgentEvent | null {
  const mark = nested ? { nested } : {};
  const type = str(block.type) ?? "";
  if (type === "text") {
    const text = str(block.text) ?? "";
    return text === "" ? null : { type: "text", text, ...mark };
  }
  if (type === "tool_use" || type === "server_tool_use" || type === "mcp_tool_use") {
    const call = toolCall(str(block.name) ?? "", block.input);
    return { type: "tool_use", tool_id: str(block.id) ?? "", ...mark, ...call };
  }
  return IGNORED_BLOCKS.has(type) ? null : { type: "unknown", name: `assistant/${type}` };
}

function resultText(kit: DecoderKit, content: unknown): string {
  if (typeof content === "string") return content;
  return contentBlocks(kit, content)
    .map((part) => kit.str(part.text) ?? `[${kit.str(part.type) ?? "content"}]`)
    .join("\n");
}

function denials({ fields, records, str }: DecoderKit, entries: unknown): AgentEvent[] {
  return records(entries).map((entry) => ({
    type: "denied",
    tool: str(entry.tool_name) ?? "unknown",
    command: str(fields(entry.tool_input).command),
    tool_use_id: str(entry.tool_use_id),
  }));
}

function makesClaims(json: Json): boolean {
  return CLAIMS.some((key) => key in json);
}

function finishedEvent({ str, num }: DecoderKit, json: Json, ok: boolean, cost_usd: number | null): Finished {
  return {
    type: "finished",
    ok,
    text: ok ? str(json.result) : null,
    ...(makesClaims(json) ? { fields: json } : {}),
    duration_ms: num(json.duration_ms),
    cost_usd,
  };
}

function retryOf({ str, num }: DecoderKit, json: Json): AgentEvent {
  const delay = num(json.retry_delay_ms);
  const status = num(json.error_status);
  const reason = str(json.error) ?? "unknown";
  return {
    type: "retry",
    attempt: num(json.attempt) ?? 1,
    delay_ms: delay === null ? null : Math.round(delay),
    reason: status === null ? reason : `${reason} (${status})`,
  };
}

const CLASSES_OF_INPUT = ["input_tokens", "cache_read_tokens", "cache_creation_tokens"] as const;
const CLASSES_OF_TOKENS = [...CLASSES_OF_INPUT, "output_tokens"] as const;

type Counts = Record<(typeof CLASSES_OF_TOKENS)[number], number>;
/** Tokens as an event tells them: null where it does not. */
type Tokens = { [name in keyof Counts]: number | null };
/** What a conversation used, with its money, which may be unknown. */
type Figures = Counts & { cost_usd: number | null };

const NO_TOKENS: Counts = { input_tokens: 0, cache_read_tokens: 0, cache_creation_tokens: 0, output_tokens: 0 };
const NOTHING: Figures = { ...NO_TOKENS, cost_usd: 0 };

function tokens({ num }: DecoderKit, usage: Json): Tokens {
  return {
    input_tokens: num(usage.input_tokens),
    output_tokens: num(usage.output_tokens),
    cache_read_tokens: num(usage.cache_read_input_tokens),
    cache_creation_tokens: num(usage.cache_creation_input_tokens),
  };
}

function tokensOfModels({ fields, records, num }: DecoderKit, { modelUsage }: Json): Counts[] {
  return records(Object.values(fields(modelUsage))).map((one) => ({
    input_tokens: num(one.inputTokens) ?? 0,
    output_tokens: num(one.outputTokens) ?? 0,
    cache_read_tokens: num(one.cacheReadInputTokens) ?? 0,
    cache_creation_tokens: num(one.cacheCreationInputTokens) ?? 0,
  }));
}

/** @param total gets what is added */
function add(total: Counts, more: Tokens): Counts {
  for (const name of CLASSES_OF_TOKENS) total[name] += more[name] ?? 0;
  return total;
}

/** What is in `all` and not in `before`. */
function beyond(all: Counts, before: Tokens): Counts {
  const rest = { ...all };
  for (const name of CLASSES_OF_TOKENS) rest[name] = Math.max(0, all[name] - (before[name] ?? 0));
  return rest;
}

function sumOf(tokens: Tokens, classes: readonly (keyof Tokens)[] = CLASSES_OF_TOKENS): number {
  return classes.reduce((total, name) => total + (tokens[name] ?? 0), 0);
}

function totalOf(all: readonly Counts[]): Counts | null {
  return all.length === 0 ? null : all.reduce(add, { ...NO_TOKENS });
}

function tokensOfMessage(kit: DecoderKit, { usage, chars, isWhole }: MessageUsage): Tokens {
  const stated = tokens(kit, usage);
  if (!isWhole) stated.output_tokens = Math.max(stated.output_tokens ?? 0, Math.ceil(chars / CHARS_PER_TOKEN));
  return stated;
}

/** Characters of what the model wrote into a message. */
function charsOf({ str }: DecoderKit, blocks: readonly Json[]): number {
  const written = ({ text, thinking, input }: Json) =>
    (str(text) ?? str(thinking) ?? (input === undefined ? "" : JSON.stringify(input))).length;
  return blocks.reduce((sum, block) => sum + written(block), 0);
}

/**
 * What a final event states lacks what sub-agents used, and an answer that the CLI had to request again without streaming; the
 * figures per model (`all`) have both.
 */
function tokensSince(before: Figures, all: Counts | null, stated: Tokens): Tokens {
  return all === null || sumOf(all) < sumOf(stated) ? stated : beyond(all, before);
}

/** Money of this turn; null if unknown. A total below the earlier one is the call's. */
function costSince({ cost_usd }: Figures, total: number | null): number | null {
  if (total === null || cost_usd === null) return null;
  return total < cost_usd ? total : total - cost_usd;
}

/** The first version whose figures of money and of each model's tokens are the conversation's, in every call that resumes it. */
const TELLS_TOTALS = [2, 1, 277];

function tellsTotals(version: string | null): boolean {
  const numbers = version?.split(".").map(Number) ?? [];
  const at = TELLS_TOTALS.findIndex((least, index) => numbers[index] !== least);
  return numbers.length > 2 && (at === -1 || (numbers[at] ?? 0) > (TELLS_TOTALS[at] ?? 0));
}

/**
 * What the conversation's figures hold of its earlier calls. The CLI keeps them at the end of a call, also of one that is asked to
 * end: they may lack what was used by one that was killed, and begin anew without the conversation's file.
 * @returns money is unknown (null) if they hold some of which ralph knows nothing, as of a conversation that somebody else began
 */
function ofEarlierCalls(kit: DecoderKit, json: Json, used: CallFacts["used"]): Figures {
  const models = tokensOfModels(kit, json);
  const all = totalOf(models);
  const own = tokens(kit, kit.fields(json.usage));
  if (all === null || sumOf(all) <= sumOf(own)) return NOTHING;
  const rest = beyond(all, own);
  if (used.cost_usd === null && CLASSES_OF_INPUT.some((name) => rest[name] > (used[name] ?? 0)))
    return { ...rest, cost_usd: null };
  // One model used just what this call did, and the others little of what ralph knows: the figures began anew, and theirs are this call's.
  const isAlone = models.some((one) => CLASSES_OF_INPUT.every((name) => one[name] === own[name]));
  if (isAlone && sumOf(rest, CLASSES_OF_INPUT) < sumOf(used, CLASSES_OF_INPUT) / 2) return NOTHING;
  // Of a call that was cut short ralph has an estimate: the money is in the figures if its tokens are.
  const hasAll = CLASSES_OF_INPUT.every((name) => rest[name] >= (used[name] ?? 0));
  const known = used.cost_usd ?? 0;
  const unknown = Math.max(0, (kit.num(json.total_cost_usd) ?? 0) - known);
  for (const name of CLASSES_OF_TOKENS) rest[name] = Math.min(rest[name], used[name] ?? 0);
  return { ...rest, cost_usd: known + (hasAll ? Math.min(unknown, used.estimated_usd ?? 0) : 0) };
}

/**
 * The plan limit that was reached; null if none was, if the user pays for extra usage beyond it, or if the plan does not have the
 * model at all, which the error's words say.
 */
function limitOf({ isRecord, str, time }: DecoderKit, info: unknown): AgentEvent | null {
  if (!isRecord(info) || info.status !== "rejected" || info.isUsingOverage === true) return null;
  if (info.errorCode === "credits_required" && (str(info.rateLimitType) ?? "overage") === "overage") return null;
  const window = str(info.rateLimitType)?.replaceAll("_", " ") ?? "usage";
  const message = `The ${window} limit of the plan is reached.`;
  // What is bought beyond the plan may come back first.
  const extra = info.overageStatus === "rejected" ? time(info.overageResetsAt) : null;
  const [resets_at = null] = [time(info.resetsAt), extra].filter((at) => at !== null).sort();
  return { type: "rate_limited", kind: "usage_limit", message, resets_at };
}

/** What is known of an error: HTTP status, the CLI's own code, its message, and the final event's subtype and reason. */
type Facts = { status: number | null; code: string | null; message: string; subtype: string; reason: string | null };

/** Of an error that no final event tells. */
const NO_FACTS = { status: null, code: null, subtype: "", reason: null };

/** Why the call failed, according to the final event; null if it succeeded. */
function errorFacts(kit: DecoderKit, json: Json, stated: StatedError | null): Facts | null {
  const subtype = kit.str(json.subtype) ?? "success";
  if (json.is_error !== true && !subtype.startsWith("error")) return null;
  const reason = kit.str(json.terminal_reason);
  const message = errorMessage(kit, json, stated) ?? `Claude Code ended with ${reason ?? subtype}.`;
  return { status: kit.num(json.api_error_status), code: stated?.code ?? null, message, subtype, reason };
}

function errorMessage({ str }: DecoderKit, json: Json, stated: StatedError | null): string | null {
  const errors = Array.isArray(json.errors) ? json.errors.filter((one) => typeof one === "string") : [];
  const readable = errors.filter((one) => !one.startsWith("[ede_diagnostic]")).join("\n");
  return [readable, str(json.result), stated?.message].find((text) => typeof text === "string" && text !== "") ?? null;
}

const CODES: ReadonlyMap<string | null, ErrorClass> = new Map([
  ["rate_limit", "limit"],
  ["authentication_failed", "auth"],
  ["oauth_org_not_allowed", "auth"],
  ["account_on_hold", "auth"],
  ["verification_required", "auth"],
  ["cloud_credential_error", "auth"],
  ["billing_error", "billing"],
  ["model_not_found", "model"],
  ["invalid_request", "request"],
  ["max_output_tokens", "request"],
  ["overloaded", "infrastructure"],
  ["server_error", "infrastructure"],
]);

/**
 * Some versions report an error of theirs as a successful answer: the result then is a message that the CLI wrote itself, and
 * says what failed.
 */
function wordsInstead({ str, wordsClass }: DecoderKit, json: Json, synthetic: string): Facts | null {
  const message = str(json.result)?.trim() ?? "";
  if (message === "" || message !== synthetic.trim() || wordsClass(message, null) === null) return null;
  return { ...NO_FACTS, message };
}

/** The loop reads limits from the words itself, with their time, but for those that the status would hide. */
function classify(kit: DecoderKit, { status, code, message, subtype, reason }: Facts): ErrorClass {
  const worded = kit.wordsClass(message, status);
  if (worded !== null && (worded !== "limit" || status !== null)) return worded;
  if (reason === "prompt_too_long") return "context";
  if (/^error_max_/.test(subtype)) return "request";
  return CODES.get(code) ?? (status === null ? "infrastructure" : kit.httpClass(status));
}

const HELP_TIMEOUT_MS = 20_000;

/** The CLI lists no models; its help on `--model` names the aliases, each for the newest of its kind, and an example of a full name. */
async function listModels(host: Host, binary: readonly string[]): Promise<Model[] | null> {
  const { exit_code, stdout } = await host.run([...binary, "--help"], HELP_TIMEOUT_MS);
  const about = /^\s*--model <model>([\s\S]*?)(?=^\s*-)/m.exec(stdout)?.[1];
  if (exit_code !== 0 || about === undefined) return null;
  const ids = [...about.matchAll(/'([\w.-]+)'/g)].flatMap(([, id]) => id ?? []);
  return ids.length === 0 ? null : ids.map((id) => ({ id, label: null, is_default: false }));
}
