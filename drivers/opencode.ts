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
} from "../src/driver.ts";

type Json = Record<string, unknown>;
type Failure = Extract<AgentEvent, { type: "error" }>;

/** OpenCode. Command lines, events and errors as recorded from version 1.18.33 (`opencode run --help`, runs). */
const opencode: Driver = {
  name: "opencode",
  displayName: "OpenCode",
  cliBinary: "opencode",
  minVersion: "1.17.18",
  validTools: ["bash", "read", "write", "edit", "grep", "question"],
  supportsReadOnly: true,
  sessionIds: /^ses_\w+$/,
  loginCommand: "opencode auth login",
  installCommand: "npm install -g opencode-ai",
  buildCommand,
  listModels,
  decoder: opencodeDecoder,
  fallbackSessionId,
  sandbox,
  permissionDenialHelp,
};
export default opencode;

function sandbox({ env, home, cwd }: Host): SandboxNeeds {
  const data = env.XDG_DATA_HOME ?? `${home}/.local/share`;
  const state = env.XDG_STATE_HOME ?? `${home}/.local/state`;
  const cache = env.XDG_CACHE_HOME ?? `${home}/.cache`;
  const config = env.XDG_CONFIG_HOME ?? `${home}/.config`;
  const settings = [`${config}/opencode`, ...(env.OPENCODE_CONFIG_DIR === undefined ? [] : [env.OPENCODE_CONFIG_DIR])];
  return {
    domains: ["opencode.ai", "models.dev", "api.anthropic.com", "api.openai.com", "openrouter.ai"],
    // Its conversations lie in a database, beside which that makes files of its own.
    state: [`${data}/opencode`],
    guarded: [
      { folder: `${state}/opencode`, keeps: [], anew: ["locks"] },
      // It writes into both, and stops where it cannot.
      ...[`${cache}/opencode`, ...settings].map((folder) => ({ folder, keeps: [], anew: [] })),
    ],
    fixed: [
      ...(env.OPENCODE_CONFIG === undefined ? [] : [env.OPENCODE_CONFIG]),
      `${data}/opencode/bin`,
      `${cwd}/opencode.json`,
      `${cwd}/opencode.jsonc`,
      `${cwd}/.opencode`,
    ],
    env: ["OPENCODE_", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY"],
  };
}

/** A review may only read. The environment variable overrides the user's general permissions. */
const LOOK_ONLY = JSON.stringify({ "*": "deny", read: "allow", glob: "allow", grep: "allow", list: "allow" });

/**
 * The prompt goes to stdin, after the loop context: no flag adds to the system prompt. Errors are also logged to stderr,
 * because no event reports one while the CLI retries, and for a used-up plan it retries for days.
 */
function buildCommand(request: CommandRequest): Command {
  const { readOnly, permissionMode, model, effort, resume, context, prompt } = request;
  const argv = [...request.binary, "run", "--format", request.format === "json" ? "json" : "default"];
  argv.push("--print-logs", "--log-level", "ERROR");
  argv.push("--agent", readOnly ? "plan" : "build");
  // A permission set to "ask" is refused when nobody can answer, and the refusal ends the run. In the other modes only the
  // configuration decides.
  if (!readOnly && ["bypassPermissions", ""].includes(permissionMode)) argv.push("--auto");
  if (model !== null) argv.push("--model", model);
  if (effort !== null) argv.push("--variant", effort);
  if (resume !== null) argv.push("--session", resume);
  const stdin = context === null ? prompt : `${context}\n\n${prompt}`;
  return readOnly ? { argv, stdin, env: { OPENCODE_PERMISSION: LOOK_ONLY } } : { argv, stdin };
}

function permissionDenialHelp({ settingsFile }: { settingsFile: string }): string {
  return [
    'In the mode bypassPermissions OpenCode refuses what its opencode.json sets to "deny";',
    `in the others what that sets to "ask", too. ALLOWED_TOOLS (${settingsFile}) is nothing to it.`,
  ].join("\n");
}

/** The CLI takes seconds to start. */
const LIST_TIMEOUT_MS = 20_000;

/** The project's only session: of several, any could be another conversation. */
async function fallbackSessionId(_: string, host: Host, binary: readonly string[]): Promise<string | null> {
  const { exit_code, stdout } = await host.run([...binary, "session", "list", "--format", "json"], LIST_TIMEOUT_MS);
  if (exit_code !== 0) return null;
  const ids = sessionsOf(stdout).flatMap(({ id }) => (typeof id === "string" && id !== "" ? [id] : []));
  return ids.length === 1 ? (ids[0] ?? null) : null;
}

/** `opencode models` (1.18.33): a line `provider/model` each, of the providers that the user has. */
async function listModels(host: Host, binary: readonly string[]): Promise<Model[] | null> {
  const { exit_code, stdout } = await host.run([...binary, "models"], LIST_TIMEOUT_MS);
  if (exit_code !== 0) return null;
  const ids = stdout.split(/\r?\n/).filter((line) => /^[^\s/]+\/\S+$/.test(line));
  return ids.map((id) => ({ id, label: null, is_default: false }));
}

/** A list, or an object with one. */
function sessionsOf(text: string): Json[] {
  try {
    const json: unknown = JSON.parse(text);
    const list: unknown = Array.isArray(json) ? json : (json as { sessions?: unknown } | null)?.sessions;
    return Array.isArray(list) ? list.filter((one) => typeof one === "object" && one !== null) : [];
  } catch {
    return []; // nothing at all where there is no session
  }
}

/** OpenCode's message for a call that a permission forbids. */
const REFUSED =
  /^The user (?:rejected permission to use this specific tool call|has specified a rule which prevents you from using)/;
const IGNORED: AgentEvent = { type: "ignored" };

/**
 * Reads `opencode run --format json`. There is no final event: a step that ends with `stop` ends the turn, or only a summary;
 * one that ends for an unknown reason ends it in some versions (anomalyco/opencode#43622), and is followed by more in others.
 * The CLI makes one when the conversation grows too long, and then continues. So the end of the stream decides; errors before
 * a good end were overcome.
 */
function opencodeDecoder(kit: DecoderKit): Decoder {
  const { fields, isRecord, str, num } = kit;
  const turn: Turn = { answer: [], reason: null, isRefused: false };
  let failure: { error: Failure; reference: string | null } | null = null;
  /** After an error about its length, the conversation is being summarised. */
  let isSummarising = false;
  let sessionId: string | null = null;
  /** Epoch ms of the last event. */
  let lastAt = 0;
  let isOver = false;

  return { line: (text) => [kit.json(text)].flat().filter(isRecord).flatMap(event), end };

  function event(json: Json): AgentEvent[] {
    const type = str(json.type);
    if (type === null) return [{ type: "unknown", name: "object without a type" }];
    lastAt = num(json.timestamp) ?? lastAt;
    return [...session(str(json.sessionID)), ...typed(type, json, fields(json.part))];
  }

  function typed(type: string, json: Json, part: Json): AgentEvent[] {
    switch (type) {
      case "step_start":
        turn.isRefused = false;
        return goOn();
      case "text":
        return text(part);
      case "reasoning":
        return [IGNORED];
      case "tool_use":
        return toolUse(part);
      case "step_finish":
        return stepFinish(part);
      case "error":
        return fail(json.error);
      default:
        return [{ type: "unknown", name: type }];
    }
  }

  function session(id: string | null): AgentEvent[] {
    if (id === null || id === "" || id === sessionId) return [];
    sessionId = id;
    return [{ type: "session_id", session_id: id }];
  }

  /** The CLI sends synthetic text to the model to continue after a summary: the turn starts over. */
  function text(part: Json): AgentEvent[] {
    if (part.synthetic === true) {
      isSummarising = false;
      return goOn();
    }
    const content = str(part.text) ?? "";
    if (content === "" || isSummarising) return [IGNORED];
    turn.answer.push(content);
    return [{ type: "text", text: content }];
  }

  /** What seemed to be the answer was a summary, or the text before another step. */
  function goOn(): AgentEvent[] {
    const wasComplete = turn.reason === "stop" || isPerhapsOver(turn);
    turn.answer = [];
    turn.reason = null;
    return [wasComplete ? { type: "complete", over: null } : IGNORED];
  }

  /** A call is reported once it has ended, with its result. */
  function toolUse(part: Json): AgentEvent[] {
    const state = fields(part.state);
    const call = kit.toolCall(str(part.tool) ?? "", state.input);
    const tool_id = str(part.callID) ?? "";
    const error = str(state.error);
    // A call that matches no available tool becomes a call of the tool `invalid`, which never fails.
    const is_error = state.status === "error" || part.tool === "invalid";
    const isRefusal = error !== null && REFUSED.test(error);
    turn.answer = [];
    turn.isRefused ||= isRefusal;
    return [
      { type: "tool_use", tool_id, ...call },
      ...(isRefusal ? [kit.denied(call, tool_id)] : []),
      { type: "tool_result", tool_use_id: tool_id, content: error ?? str(state.output) ?? "", is_error },
    ];
  }

  /** If a summary did not help, the CLI would summarise forever, at a cost. */
  function fail(value: unknown): AgentEvent[] {
    const isTooLong = fields(value).name === "ContextOverflowError";
    const isHopeless = isTooLong && failure !== null;
    failure = { error: errorEvent(kit, value), reference: referenceOf(kit, value) };
    turn.reason = null;
    isSummarising = isTooLong;
    if (!isHopeless || isOver) return [IGNORED];
    isOver = true;
    return [failure.error, finished(turn, false)];
  }

  function stepFinish(part: Json): AgentEvent[] {
    if (!isSummarising) {
      turn.reason = str(part.reason) ?? "unknown";
      failure = null;
    }
    const over = turn.reason === "stop";
    return [usageEvent(kit, part), ...(over || isPerhapsOver(turn) ? [{ type: "complete", over } as const] : [])];
  }

  function end(stderr: readonly string[] = []): AgentEvent[] {
    if (isOver) return [];
    const log = stderr.flatMap((line) => loggedError(kit, line) ?? []);
    const cause = log.findLast(({ reference }) => reference !== null && reference === failure?.reference);
    const error = failure === null ? unfinished(turn) : (cause ?? failure).error;
    if (error !== null) return [error, finished(turn, false)];
    // A refused call ends the turn without an answer; that is not an error.
    if (turn.reason === "stop" || (turn.reason === "tool-calls" && turn.isRefused)) return [finished(turn, true)];
    const retried = log.findLast(({ isOfStream, at }) => isOfStream && at > lastAt - REPORT_MS);
    return retried === undefined ? [] : [retried.error];
  }
}

/** How far the main agent's turn is. */
type Turn = {
  /** Text since the step or the last tool call: the answer, if nothing follows. */
  answer: string[];
  /** Why the last step ended; null while one runs. */
  reason: string | null;
  /** A tool call of the last step was refused. */
  isRefused: boolean;
};

/** Some providers name no reason that OpenCode knows. With words, and nothing after them, it is an answer like any other. */
function isPerhapsOver({ reason, answer }: Turn): boolean {
  return (reason === "unknown" || reason === "other") && answer.length > 0;
}

/** The error of a turn that ended without its answer: cut at the length limit, filtered, or for an unknown reason. */
function unfinished(turn: Turn): Failure | null {
  const { reason } = turn;
  if (reason === null || reason === "stop" || reason === "tool-calls" || isPerhapsOver(turn)) return null;
  const isRefusal = reason === "length" || reason === "content-filter";
  const message = `The answer of the model ended with the reason ${reason}.`;
  return { type: "error", message, class: isRefusal ? "request" : "infrastructure" };
}

function finished({ answer }: Turn, ok: boolean): AgentEvent {
  const text = answer.length > 0 ? answer.join("\n") : null;
  return { type: "finished", ok, text, duration_ms: null, cost_usd: null };
}

function usageEvent({ fields, num, emptyUsage }: DecoderKit, part: Json): AgentEvent {
  const tokens = fields(part.tokens);
  const cache = fields(tokens.cache);
  const output = num(tokens.output);
  return {
    type: "usage",
    ...emptyUsage(),
    input_tokens: num(tokens.input),
    // Reported separately from the output, but charged like it.
    output_tokens: output === null ? null : output + (num(tokens.reasoning) ?? 0),
    cache_read_tokens: num(cache.read),
    cache_creation_tokens: num(cache.write),
    cost_usd: num(part.cost),
    turns: 1,
  };
}

function errorEvent(kit: DecoderKit, value: unknown): Failure {
  const { fields, str, num } = kit;
  const error = fields(value);
  const data = fields(error.data);
  const name = str(error.name) ?? "UnknownError";
  const message = str(data.message) ?? str(error.message) ?? name;
  return {
    type: "error",
    message: statedMessage(kit, message),
    class: classify(kit, name, num(data.statusCode), message),
  };
}

/** For an error inside the stream, the CLI gives the provider's whole answer as JSON. */
function statedMessage({ json, fields, str }: DecoderKit, message: string): string {
  const answer = fields(json(message));
  return str(answer.message) ?? str(fields(answer.error).message) ?? str(answer.error) ?? message;
}

/** For an unexpected error the CLI hides the cause and gives the reference under which its log has it. */
function referenceOf({ fields, str }: DecoderKit, value: unknown): string | null {
  return str(fields(fields(value).data).ref);
}

/** An error in the log: when (epoch ms), its reference, and whether it came from a request for the agent's answer. */
type LoggedError = { at: number; reference: string | null; isOfStream: boolean; error: Failure };

/**
 * An error of HTTP is one value. One inside the stream (1.18.33) is a key for each of its fields, below which the message's
 * place is the provider's.
 */
const LOGGED =
  /^timestamp=(\S+) level=ERROR (.*?)\berror(?:\.error)?(?:(?:\.response\.error)?\.message)?=(?:"((?:[^"\\]|\\.)*)"|(\S+))/;

/** How long after the log the CLI may report what a stream brought before it broke off; it repeats a request a second later at the soonest. */
const REPORT_MS = 1000;

function loggedError(kit: DecoderKit, line: string): LoggedError | null {
  const [, time, about = "", quoted, bare = ""] = LOGGED.exec(line) ?? [];
  if (time === undefined) return null;
  const message = (quoted ?? bare).replace(/^\w+: /, "").replaceAll('\\"', '"');
  return {
    at: Date.parse(time),
    reference: /\bref=(\S+)/.exec(about)?.[1] ?? null,
    // The title of a session comes from a separate small request.
    isOfStream: about.includes('message="stream error"') && !about.includes("small=true"),
    error: { type: "error", message, class: classify(kit, "", null, message) },
  };
}

const NAMES: ReadonlyMap<string, ErrorClass> = new Map([
  ["ProviderAuthError", "auth"],
  ["ProviderModelNotFoundError", "model"],
  ["ProviderInitError", "config"],
  ["ConfigInvalidError", "config"],
  ["ConfigJsonError", "config"],
  ["ContextOverflowError", "context"],
  ["MessageOutputLengthError", "request"],
  ["StructuredOutputError", "request"],
]);

/** Providers report payment problems with many statuses, and some errors have neither a status nor a name of their own. */
function classify(
  { httpClass, wordsClass }: DecoderKit,
  name: string,
  status: number | null,
  message: string,
): ErrorClass {
  const named = NAMES.get(name);
  return wordsClass(message, status) ?? (status === null ? (named ?? "infrastructure") : httpClass(status));
}
