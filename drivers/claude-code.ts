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
  Usage,
} from "../src/driver.ts";

type Json = Record<string, unknown>;
type Failure = Extract<AgentEvent, { type: "error" }>;

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
  stop_hook_summary task_list_statuses task_notification task_progress task_started task_summary task_updated thinking
  thinking_tokens turn_duration vcs_state_changed`.split(/\s+/),
);
const KNOWN_STEPS = new Set(
  "message_start message_delta content_block_start content_block_stop message_stop ping".split(" "),
);
/** Keys that make an untyped object an old flat answer, and a `result` one with structured claims. */
const CLAIMS = [
  "status",
  "exit_signal",
  "work_type",
  "metadata",
  "files_modified",
  "error_count",
  "summary",
  "confidence",
];

/**
 * Reads `stream-json` (with or without partial messages), the single object of `json`, an array of events, and the flat
 * objects of old versions. A line that is not JSON gives no event.
 */
function claudeDecoder(kit: DecoderKit, facts?: CallFacts): Decoder {
  const { isRecord, str, num } = kit;
  let sessionId: string | null = null;
  let model: string | null = null;
  let version: string | null = null;
  let typedEvents = 0;
  let finished = false;
  /** The newest message looked like the whole answer. */
  let isComplete = false;
  /** The text block in progress. */
  let partial = "";
  let failure: StatedError | null = null;
  /** The newest message that the CLI itself wrote into the conversation. */
  let synthetic = "";
  /** A structured event reported a limit: that is the reason of the failure, whatever the final event calls it. */
  let limited = false;
  /** Commands that run, by the id of their call. */
  const commands = new Map<string, string>();
  /** What was denied so far: the final event repeats it, but a cut-off stream has none. */
  const refused: AgentEvent[] = [];
  let usages = usageOfMessages(kit);
  /** Sub-agents at work, by the id of their task. */
  const awaited = new Set<string>();
  /** The end of a turn that is none while sub-agents work: what they report begins the next one. */
  let held: AgentEvent | null = null;
  /**
   * What the last final event told of money and of each model's tokens, which add up over the turns of a process; null before the
   * first one.
   */
  let told: Usage | null = null;
  let streamedMessage: string | null = null;

  return { line, end };

  function line(text: string): AgentEvent[] {
    const json = kit.json(text);
    if (json === null) return [];
    return Array.isArray(json) ? json.filter(isRecord).flatMap(event) : event(json);
  }

  function event(json: Json): AgentEvent[] {
    const type = str(json.type);
    if (type === null) return untyped(json);
    typedEvents++;
    if (type === "result") return result(json);
    const sessionEvents = session(json);
    const events = typed(type, json);
    return sessionEvents.length === 0 ? events : [...sessionEvents, ...events];
  }

  function typed(type: string, json: Json): AgentEvent[] {
    if (type === "assistant") return assistant(json);
    if (type === "user") return results(messageOf(kit, json).content);
    if (type === "stream_event") return streamEvent(json);
    if (type === "system") return system(json);
    if (type === "rate_limit_event") return rateLimit(json.rate_limit_info);
    return [IGNORED_TYPES.has(type) ? IGNORED : { type: "unknown", name: type }];
  }

  function session(json: Json): AgentEvent[] {
    const id = kit.sessionId(json);
    if (id === null || id === sessionId) return [];
    sessionId = id;
    return [{ type: "session_id", session_id: id }];
  }

  function system(json: Json): AgentEvent[] {
    const subtype = str(json.subtype) ?? "";
    if (subtype === "init") {
      model = str(json.model);
      version = str(json.claude_code_version) ?? version;
    } else if (subtype === "api_retry") return [retryOf(kit, json)];
    else if (subtype === "permission_denied") refuse(json);
    else if (subtype === "background_tasks_changed") return background(json.tasks);
    else if (subtype === "task_started") waitFor(json);
    else if (subtype === "task_notification" || hasEnded(kit, json)) awaited.delete(str(json.task_id) ?? "");
    else if (!IGNORED_SYSTEM_SUBTYPES.has(subtype)) return [{ type: "unknown", name: `system/${subtype}` }];
    return [IGNORED];
  }

  function waitFor(task: Json): void {
    if (task.ambient !== true && /agent|workflow/.test(str(task.task_type) ?? "")) awaited.add(str(task.task_id) ?? "");
  }

  /** Commands that are left in the background are ended with the turn, by the CLI too; it waits for sub-agents. */
  function background(tasks: unknown): AgentEvent[] {
    awaited.clear();
    for (const task of Array.isArray(tasks) ? tasks.filter(isRecord) : []) waitFor(task);
    if (held === null || awaited.size > 0) return [IGNORED];
    // The report follows, or the process ends.
    isComplete = true;
    return [{ type: "complete", over: true }];
  }

  function refuse(json: Json): void {
    const tool_use_id = str(json.tool_use_id);
    const command = commands.get(tool_use_id ?? "") ?? null;
    refused.push({ type: "denied", tool: str(json.tool_name) ?? "unknown", command, tool_use_id });
  }

  function results(content: unknown): AgentEvent[] {
    const events = toolResults(kit, content);
    for (const event of events) if (event.type === "tool_result") commands.delete(event.tool_use_id);
    return events;
  }

  function rateLimit(info: unknown): AgentEvent[] {
    const reached = limitOf(kit, info);
    limited ||= reached !== null;
    return [reached ?? IGNORED];
  }

  function assistant(json: Json): AgentEvent[] {
    const message = messageOf(kit, json);
    const blocks = contentBlocks(kit, message.content);
    const nested = str(json.parent_tool_use_id) !== null;
    const code = str(json.error);
    // A sub-agent's error belongs to its call.
    if (code !== null && !nested) failure = { code, message: textOf(kit, blocks) };
    if (message.model === "<synthetic>" && !nested) synthetic = textOf(kit, blocks);
    if (code !== null || message.model === "<synthetic>") return [IGNORED];
    if (!nested) {
      held = null;
      // The model answers again, or another one does.
      failure = null;
      limited = false;
      model = str(message.model) ?? model;
      if (blocks.some(({ type }) => type === "text")) partial = "";
    }
    usages.note(str(message.id), message.usage, { chars: charsOf(kit, blocks) });
    const events: AgentEvent[] = [];
    for (const block of blocks) {
      const event = blockEvent(kit, block, nested);
      if (event === null) continue;
      events.push(event);
      if (event.type === "tool_use" && event.tool === "Bash") commands.set(event.tool_id, event.input.command);
    }
    if (!nested && blocks.at(-1)?.type === "text") events.push(...complete(str(message.stop_reason)));
    return orIgnored(events);
  }

  /** Without partial messages the CLI states no reason (null): then the answer is complete if the CLI exits with 0. */
  function complete(stopReason: string | null): AgentEvent[] {
    if ((stopReason !== null && stopReason !== "end_turn") || awaited.size > 0) return [];
    isComplete = true;
    return [{ type: "complete", over: stopReason === "end_turn" }];
  }

  function streamEvent(json: Json): AgentEvent[] {
    // A sub-agent's text would be mixed into the main agent's; its complete blocks come as `assistant` events.
    if (str(json.parent_tool_use_id) !== null) return [IGNORED];
    const step = isRecord(json.event) ? json.event : {};
    const type = str(step.type) ?? "";
    if (type === "content_block_delta") return delta(step.delta);
    if (type === "message_start" && isRecord(step.message)) {
      held = null;
      streamedMessage = str(step.message.id);
      usages.note(streamedMessage, step.message.usage, {});
      const goesOn = isComplete;
      isComplete = false;
      partial = "";
      if (goesOn) return [{ type: "complete", over: null }];
    } else if (type === "message_delta") {
      usages.note(streamedMessage, step.usage, { isWhole: true });
      if (isRecord(step.delta) && step.delta.stop_reason === "end_turn") return complete("end_turn");
    }
    if (!KNOWN_STEPS.has(type)) return [{ type: "unknown", name: `stream_event/${type}` }];
    if (type === "content_block_start" || type === "message_start") partial = "";
    return [IGNORED];
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
    if (typedEvents === 0 && ("result" in json || makesClaims(json))) return result(json);
    return Object.keys(json).length === 0 ? [IGNORED] : [{ type: "unknown", name: "object without a type" }];
  }

  function result(json: Json): AgentEvent[] {
    const facts = errorFacts(kit, json, failure) ?? wordsInstead(json);
    const error = facts === null ? null : errorOf(facts);
    const total = num(json.total_cost_usd);
    const before = told ?? carried(json);
    const cost = costSince(before, total);
    const tokens = isRecord(json.usage) ? tokensOf(kit, json, json.usage, before) : null;
    told = { ...(tokensOfModels(kit, json) ?? before), cost_usd: Math.max(before.cost_usd ?? 0, total ?? 0) };
    usages = usageOfMessages(kit);
    refused.length = 0;
    const end = finishedEvent(kit, json, error === null, cost);
    const goesOn = error === null && (awaited.size > 0 || (num(json.queued_turn_count) ?? 0) > 0);
    held = goesOn ? end : null;
    finished = !goesOn;
    return [
      ...unfinishedText(),
      // Here the CLI repeats the id that it rejected.
      ...(error?.class === "session" ? [] : session(json)),
      ...denials(kit, json.permission_denials),
      ...(tokens === null ? [] : [usageEvent(kit, json, tokens, model, cost)]),
      ...(error === null ? [] : [error]),
      goesOn ? { type: "complete", over: null } : end,
    ];
  }

  /** What the figures of the first final event hold of earlier calls. */
  function carried(json: Json): Usage {
    const isResumed =
      facts !== undefined && facts.resume !== null && facts.resume === (kit.sessionId(json) ?? sessionId);
    return isResumed && tellsTotals(version)
      ? ofEarlierCalls(kit, json, facts.used)
      : { ...kit.emptyUsage(), cost_usd: 0 };
  }

  /**
   * Some versions report an error of theirs as a successful answer: the result then is a message that the CLI wrote itself, and
   * says what failed.
   */
  function wordsInstead(json: Json): Facts | null {
    const message = str(json.result)?.trim() ?? "";
    if (message === "" || message !== synthetic.trim() || kit.wordsClass(message, null) === null) return null;
    return { status: null, code: null, message, subtype: "", reason: null };
  }

  function errorOf(facts: Facts): Failure {
    return { type: "error", message: facts.message, class: limited ? "limit" : classify(kit, facts) };
  }

  function end(): AgentEvent[] {
    if (finished) return [];
    return [
      ...unfinishedText(),
      ...refused,
      ...usages.sum(model),
      ...(failure === null ? [] : [errorOf({ status: null, subtype: "", reason: null, ...failure })]),
      ...(held === null ? [] : [held]),
    ];
  }
}

/** Whether an event says that a task has ended. */
function hasEnded({ isRecord, str }: DecoderKit, { subtype, patch }: Json): boolean {
  const status = isRecord(patch) ? str(patch.status) : null;
  return subtype === "task_updated" && status !== null && !["pending", "running", "paused"].includes(status);
}

function orIgnored(events: AgentEvent[]): AgentEvent[] {
  return events.length === 0 ? [IGNORED] : events;
}

function messageOf({ isRecord }: DecoderKit, json: Json): Json {
  return isRecord(json.message) ? json.message : json;
}

/** Content is a list of blocks, or a string for a single text. */
function contentBlocks({ isRecord }: DecoderKit, content: unknown): Json[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return [];
  return content.every(isRecord) ? content : content.filter(isRecord);
}

function textOf({ str }: DecoderKit, blocks: readonly Json[]): string {
  return blocks.map((block) => str(block.text) ?? "").join("\n");
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

function toolResults(kit: DecoderKit, content: unknown): AgentEvent[] {
  const results: AgentEvent[] = [];
  for (const block of contentBlocks(kit, content)) {
    if (block.type !== "tool_result") continue;
    results.push({
      type: "tool_result",
      tool_use_id: kit.str(block.tool_use_id) ?? "",
      content: resultText(kit, block.content),
      is_error: block.is_error === true,
    });
  }
  return orIgnored(results);
}

function resultText(kit: DecoderKit, content: unknown): string {
  if (typeof content === "string") return content;
  return contentBlocks(kit, content)
    .map((part) => kit.str(part.text) ?? `[${kit.str(part.type) ?? "content"}]`)
    .join("\n");
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

function denials({ isRecord, str }: DecoderKit, entries: unknown): AgentEvent[] {
  return (Array.isArray(entries) ? entries.filter(isRecord) : []).map((entry) => ({
    type: "denied",
    tool: str(entry.tool_name) ?? "unknown",
    command: isRecord(entry.tool_input) ? str(entry.tool_input.command) : null,
    tool_use_id: str(entry.tool_use_id),
  }));
}

function makesClaims(json: Json): boolean {
  return CLAIMS.some((key) => key in json);
}

function finishedEvent({ str, num }: DecoderKit, json: Json, ok: boolean, cost_usd: number | null): AgentEvent {
  return {
    type: "finished",
    ok,
    text: ok ? str(json.result) : null,
    ...(makesClaims(json) ? { fields: json } : {}),
    duration_ms: num(json.duration_ms),
    cost_usd,
  };
}

function usageEvent(
  kit: DecoderKit,
  json: Json,
  used: Usage,
  model: string | null,
  cost_usd: number | null,
): AgentEvent {
  const { isRecord, num } = kit;
  return {
    type: "usage",
    ...used,
    cost_usd,
    duration_ms: num(json.duration_ms),
    turns: num(json.num_turns),
    model: model ?? (isRecord(json.modelUsage) ? (Object.keys(json.modelUsage)[0] ?? null) : null),
  };
}

const CLASSES_OF_TOKENS = ["input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens"] as const;

/**
 * `usage` lacks what sub-agents used, and an answer that the CLI had to request again without streaming; the figures per model
 * have both.
 * @param told what those figures were before this turn
 */
function tokensOf(kit: DecoderKit, json: Json, usage: Json, told: Usage): Usage {
  const reported = tokens(kit, usage);
  const all = tokensOfModels(kit, json);
  if (all === null) return reported;
  const rest = { ...all };
  for (const name of CLASSES_OF_TOKENS) rest[name] = Math.max(0, (all[name] ?? 0) - (told[name] ?? 0));
  return totalOf(all) < totalOf(reported) ? reported : rest;
}

function tokensOfModels(kit: DecoderKit, { modelUsage }: Json): Usage | null {
  const models = kit.isRecord(modelUsage) ? Object.values(modelUsage).filter(kit.isRecord) : [];
  return models.length === 0 ? null : tokensOfAll(kit, models);
}

function tokensOfAll(kit: DecoderKit, models: readonly Json[]): Usage {
  return {
    ...kit.emptyUsage(),
    input_tokens: sum(kit, models, "inputTokens"),
    output_tokens: sum(kit, models, "outputTokens"),
    cache_read_tokens: sum(kit, models, "cacheReadInputTokens"),
    cache_creation_tokens: sum(kit, models, "cacheCreationInputTokens"),
  };
}

/** The first version whose figures of money and of each model's tokens are the conversation's, in every call that resumes it. */
const TELLS_TOTALS = [2, 1, 277];

function tellsTotals(version: string | null): boolean {
  const numbers = version?.split(".").map(Number) ?? [];
  const [at] = TELLS_TOTALS.flatMap((least, index) => (numbers[index] === least ? [] : [index]));
  return numbers.length > 2 && (at === undefined || (numbers[at] ?? 0) > (TELLS_TOTALS[at] ?? 0));
}

const CLASSES_OF_INPUT = ["input_tokens", "cache_read_tokens", "cache_creation_tokens"] as const;

/**
 * What the conversation's figures hold of its earlier calls. The CLI keeps them at the end of a call, also of one that is asked to
 * end: they may lack what was used by one that was killed, and begin anew without the conversation's file.
 * @returns money is unknown (null) if they hold some of which ralph knows nothing, as of a conversation that somebody else began
 */
function ofEarlierCalls(kit: DecoderKit, json: Json, used: CallFacts["used"]): Usage {
  const nothing = { ...kit.emptyUsage(), cost_usd: 0 };
  const models = kit.isRecord(json.modelUsage) ? Object.values(json.modelUsage).filter(kit.isRecord) : [];
  const all = tokensOfModels(kit, json);
  const own = tokens(kit, kit.isRecord(json.usage) ? json.usage : {});
  if (all === null || totalOf(all) <= totalOf(own)) return nothing;
  const rest: Usage = { ...nothing };
  for (const name of CLASSES_OF_TOKENS) rest[name] = Math.max(0, (all[name] ?? 0) - (own[name] ?? 0));
  if (used.cost_usd === null && CLASSES_OF_INPUT.some((name) => (rest[name] ?? 0) > (used[name] ?? 0)))
    return { ...rest, cost_usd: null };
  // One model used just what this call did, and the others little of what ralph knows: the figures began anew, and theirs are this call's.
  const isAlone = models.some((one) => CLASSES_OF_INPUT.every((name) => tokensOfAll(kit, [one])[name] === own[name]));
  if (isAlone && inputOf(rest) < inputOf(used) / 2) return nothing;
  // Of a call that was cut short ralph has an estimate: the money is in the figures if its tokens are.
  const hasAll = CLASSES_OF_INPUT.every((name) => (rest[name] ?? 0) >= (used[name] ?? 0));
  const known = used.cost_usd ?? 0;
  const beyond = Math.max(0, (kit.num(json.total_cost_usd) ?? 0) - known);
  for (const name of CLASSES_OF_TOKENS) rest[name] = Math.min(rest[name] ?? 0, used[name] ?? 0);
  return { ...rest, cost_usd: known + (hasAll ? Math.min(beyond, used.estimated_usd ?? 0) : 0) };
}

function inputOf(usage: Usage): number {
  return CLASSES_OF_INPUT.reduce((total, name) => total + (usage[name] ?? 0), 0);
}

/** Money of this turn; null if unknown. A total below the earlier one is the call's. */
function costSince({ cost_usd }: Usage, total: number | null): number | null {
  if (total === null || cost_usd === null) return null;
  return total < cost_usd ? total : total - cost_usd;
}

function totalOf(usage: Usage): number {
  return CLASSES_OF_TOKENS.reduce((total, name) => total + (usage[name] ?? 0), 0);
}

function tokens({ num, emptyUsage }: DecoderKit, usage: Json): Usage {
  return {
    ...emptyUsage(),
    input_tokens: num(usage.input_tokens),
    output_tokens: num(usage.output_tokens),
    cache_read_tokens: num(usage.cache_read_input_tokens),
    cache_creation_tokens: num(usage.cache_creation_input_tokens),
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
function usageOfMessages(kit: DecoderKit): {
  note(id: string | null, usage: unknown, more: { chars?: number; isWhole?: boolean }): void;
  sum(model: string | null): AgentEvent[];
} {
  const open = new Map<string, MessageUsage>();
  let settled = kit.emptyUsage();
  let count = 0;
  const withUsage = (total: typeof settled, { usage, chars, isWhole }: MessageUsage) => ({
    ...total,
    input_tokens: plus(kit, total.input_tokens, usage.input_tokens),
    output_tokens: plus(kit, total.output_tokens, isWhole ? usage.output_tokens : atLeast(kit, usage, chars)),
    cache_read_tokens: plus(kit, total.cache_read_tokens, usage.cache_read_input_tokens),
    cache_creation_tokens: plus(kit, total.cache_creation_tokens, usage.cache_creation_input_tokens),
  });
  return {
    note(id, usage, { chars = 0, isWhole = false }) {
      if (id === null || !kit.isRecord(usage)) return;
      const known = open.get(id);
      open.set(id, {
        usage: known === undefined ? usage : { ...known.usage, ...usage },
        chars: (known?.chars ?? 0) + chars,
        isWhole: isWhole || known?.isWhole === true,
      });
      if (known !== undefined) return;
      count++;
      if (open.size <= OPEN_MESSAGES) return;
      for (const [oldest, last] of open) {
        settled = withUsage(settled, last);
        open.delete(oldest);
        return;
      }
    },
    sum(model) {
      if (count === 0) return [];
      return [{ type: "usage", ...[...open.values()].reduce(withUsage, settled), turns: count, model }];
    },
  };
}

function atLeast({ num }: DecoderKit, usage: Json, chars: number): number {
  return Math.max(num(usage.output_tokens) ?? 0, Math.ceil(chars / CHARS_PER_TOKEN));
}

/** Characters of what the model wrote into a message. */
function charsOf({ str }: DecoderKit, blocks: readonly Json[]): number {
  const written = ({ text, thinking, input }: Json) =>
    (str(text) ?? str(thinking) ?? (input === undefined ? "" : JSON.stringify(input))).length;
  return blocks.reduce((sum, block) => sum + written(block), 0);
}

function plus({ num }: DecoderKit, total: number | null, more: unknown): number {
  return (total ?? 0) + (num(more) ?? 0);
}

function sum(kit: DecoderKit, objects: readonly Json[], key: string): number {
  return objects.reduce((all, one) => plus(kit, all, one[key]), 0);
}

/**
 * An error that the CLI added to the conversation as a message. The final event repeats it, but a cut-off stream has none.
 */
type StatedError = { code: string; message: string };

/** What is known of an error: HTTP status, the CLI's own code, its message, and the final event's subtype and reason. */
type Facts = { status: number | null; code: string | null; message: string; subtype: string; reason: string | null };

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
