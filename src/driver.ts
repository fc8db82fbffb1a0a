/**
 * The driver contract: one object of type `Driver` holds everything that ralph knows about one agent CLI. A driver file
 * imports only types from here; helpers are passed as arguments. So a user's own driver is a copy of a built-in one and loads
 * from disk in the compiled binary.
 */

/** A tool call of the agent in canonical form; everything except these six is `Other`. */
export type ToolCall =
  | { tool: "Read"; input: { file_path: string } }
  | { tool: "Edit"; input: { file_path: string; old_string: string; new_string: string } }
  | { tool: "Write"; input: { file_path: string; content: string } }
  | { tool: "Bash"; input: { command: string; description: string | null } }
  | { tool: "Glob"; input: { pattern: string; path: string | null } }
  | { tool: "Grep"; input: { pattern: string; path: string | null; include: string | null } }
  | { tool: "Other"; name: string; input: Record<string, unknown> };

/** Usage of one call of the agent; unknown figures are null. Money in USD, durations in ms. */
export type Usage = {
  input_tokens: number | null;
  output_tokens: number | null;
  cache_read_tokens: number | null;
  cache_creation_tokens: number | null;
  cost_usd: number | null;
  duration_ms: number | null;
  turns: number | null;
  model: string | null;
};

/**
 * The kind of error, by what resolves it. `auth`: a login. `billing`: a payment. `model`: another model. `limit`: time.
 * `request`: a different request (4xx). `session`: a new session (the stored id was rejected). `context`: a new session (the
 * conversation outgrew the model). `infrastructure`: a retry (network, 5xx, crash). `offline`: retries without a limit.
 * `config`: the user, because retries cannot help (a setting that the CLI refuses).
 */
export type ErrorClass =
  | "auth"
  | "billing"
  | "model"
  | "limit"
  | "request"
  | "session"
  | "context"
  | "infrastructure"
  | "offline"
  | "config";

/** What a decoder reads from an agent's output. `text` is always a complete block; `partial` is the block so far. */
export type AgentEvent =
  | { type: "text"; text: string; nested?: boolean }
  | { type: "partial"; text: string }
  | ({ type: "tool_use"; tool_id: string; nested?: boolean } & ToolCall)
  | { type: "tool_result"; tool_use_id: string; content: string; is_error: boolean }
  | { type: "denied"; tool: string; command: string | null; tool_use_id: string | null }
  | { type: "rate_limited"; kind: "usage_limit" | "rate_limit"; message: string; resets_at: string | null }
  | { type: "session_id"; session_id: string }
  | ({ type: "usage" } & Usage)
  | { type: "retry"; attempt: number; delay_ms: number | null; reason: string }
  | {
      type: "finished";
      ok: boolean;
      /** The final answer; null if the CLI does not repeat it and the last text block is the answer. */
      text: string | null;
      /** The answer's own structured claims (flat or CLI object fields), if the format has them. */
      fields?: Record<string, unknown>;
      duration_ms: number | null;
      cost_usd: number | null;
    }
  | { type: "error"; message: string; class: ErrorClass }
  /**
   * The main agent's answer is complete, though no final event says so: with exit code 0 the call succeeded. Any later event
   * of its work withdraws that, and so does `over: null`, for work that begins without an event. `over: true`: nothing but the
   * final event should follow, so a process that stays silent is ended.
   */
  | { type: "complete"; over: boolean | null }
  /** Known and of no interest: progress, echoes, metadata. */
  | { type: "ignored" }
  /** An event type that this driver does not know: counted and reported once, never swallowed. */
  | { type: "unknown"; name: string };

/** Reads an agent's stdout line by line. Pure: no I/O, no clock; accepts any line. */
export type Decoder = {
  line(text: string): AgentEvent[];
  /**
   * Called once after the last line; returns the events of incomplete input.
   * @param stderr its last lines, at most 20; absent for a recorded output
   */
  end(stderr?: readonly string[]): AgentEvent[];
};

/** What a decoder may need to know about the call. */
export type CallFacts = {
  /** The session that the call resumes; null for a new one. */
  resume: string | null;
  /**
   * What earlier calls used in that session, as far as ralph knows: some CLIs print totals of the session. `estimated_usd` is what
   * those probably cost of which the CLI told no money.
   */
  used: Usage & { estimated_usd?: number };
};

/** Helpers that ralph passes to decoders (`src/driver-host/decoder-kit.ts`). */
export type DecoderKit = {
  /** The line as a JSON object or array; null otherwise. Ignores a BOM, blanks and terminal escapes around it. */
  json(line: string): Record<string, unknown> | unknown[] | null;
  isRecord(value: unknown): value is Record<string, unknown>;
  /** The fields of a JSON object; any other value has none. */
  fields(value: unknown): Record<string, unknown>;
  /** The objects of a JSON list; any other value has none. */
  records(value: unknown): readonly Record<string, unknown>[];
  /** A string, or null for any other type. */
  str(value: unknown): string | null;
  /** A finite number, or null for any other type. */
  num(value: unknown): number | null;
  /** The session id that an answer of no particular CLI names: `sessionId`, `metadata.session_id`, `session_id`, in this order. */
  sessionId(answer: Record<string, unknown>): string | null;
  /** Maps a CLI's tool name and arguments to the canonical call. */
  toolCall(name: string, input: unknown): ToolCall;
  /** The same for a CLI whose tools may patch several files at once: a call for each. At least one. */
  toolCalls(name: string, input: unknown): ToolCall[];
  /** The event of a call that was refused. */
  denied(call: ToolCall, tool_use_id: string): AgentEvent;
  /** Converts epoch seconds, epoch ms or a date string to ISO time; null for anything else. */
  time(value: unknown): string | null;
  /** The class of an error, by the HTTP status that the CLI reports. */
  httpClass(status: number): ErrorClass;
  /**
   * The class of an error by the CLI's words and, if it reports one, the HTTP status; null if the words are unknown or leave
   * the class to the status. For an error that remains unknown, `infrastructure` is right.
   */
  wordsClass(message: string, status: number | null): ErrorClass | null;
  emptyUsage(): Usage;
};

/** The part of the machine that a driver may use. */
export type Host = {
  platform: NodeJS.Platform;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  home: string;
  isRoot: boolean;
  /** Absolute path of a program on PATH (or the path itself), or null. */
  which(program: string): string | null;
  /** Runs a short command to its end; never throws. */
  run(
    argv: readonly string[],
    timeoutMs: number,
  ): Promise<{ exit_code: number | null; stdout: string; stderr: string }>;
};

export type OutputFormat = "json" | "text";

/** The loop's request for one call. */
export type CommandRequest = {
  /** The program and its first arguments: CLAUDE_CODE_CMD split into words, or the driver's binary. */
  binary: readonly string[];
  prompt: string;
  /** Loop context for the agent's system prompt, at most 500 characters; null for none, never an empty string. */
  context: string | null;
  /** The session to resume; null for a new one. */
  resume: string | null;
  /** An id for the new session; used only by drivers with `choosesSessionId`. */
  newSessionId: string;
  format: OutputFormat;
  /** Ask for text while it is written, if the CLI can do that. */
  partial: boolean;
  model: string | null;
  effort: string | null;
  /** Tool patterns, or null if the driver has no allow list. */
  allowedTools: readonly string[] | null;
  permissionMode: string;
  /** For a review: tools must not be able to write. */
  readOnly: boolean;
  /** Ralph's own sandbox is round the call: one of the agent's own inside it may not work. Absent: it is not. */
  shutIn?: boolean;
  cwd: string;
  isGitRepository: boolean;
};

/** The command to start. The prompt goes to stdin: the kernel limits an argument to 128 KiB. */
export type Command = { argv: string[]; stdin?: string; env?: Record<string, string> };

/**
 * A folder in which an agent keeps its login and conversations beside what it obeys in whatever project: instructions, settings,
 * scripts that these name. Only `keeps` reaches the folder. It gets copies of the other files and reads the other folders; what it
 * changes or adds there is gone after the call (in a container after the run).
 */
export type GuardedFolder = {
  /** Absolute. */
  folder: string;
  /** Names that are writable; one that ends in `/` is a folder, made if it is missing. */
  keeps: readonly string[];
  /** Names, or beginnings that end in `*`, that it finds missing: what it makes there matters to one call only. */
  anew: readonly string[];
};

/** What an agent needs inside a sandbox. Paths are absolute. */
export type SandboxNeeds = {
  /** Hosts of its API and of its login. */
  domains: readonly string[];
  /** Folders where it keeps its login and its conversations: writable inside, and made if they are missing. */
  state: readonly string[];
  /** The same, but only what it needs to go on outlives a call. */
  guarded?: readonly GuardedFolder[];
  /** Files that it reads and rewrites: it gets copies, which are gone after the call. */
  copies?: readonly string[];
  /** What would make an agent outside run something later, such as hooks: read-only inside. */
  fixed: readonly string[];
  /** Beginnings of the names of its own variables, which may hold its credentials. */
  env: readonly string[];
};

/** A model as a CLI names it: `id` is what it takes for one. */
export type Model = { id: string; label: string | null; is_default: boolean };

export type Driver = {
  /** Short lower-case identifier. */
  name: string;
  displayName: string;
  cliBinary: string | ((host: Host) => string);
  validTools: readonly string[];
  buildCommand(request: CommandRequest): Command;
  /** Absent: the CLI's output is plain text. `facts` is absent for a recorded output. */
  decoder?(kit: DecoderKit, facts?: CallFacts): Decoder;
  /**
   * The output always ends in an event that reports the call's outcome. Default true; false: without one the exit code
   * decides.
   */
  hasFinalEvent?: boolean;
  /** Default false. */
  supportsToolAllowlist?: boolean;
  /** Default true. */
  supportsSessions?: boolean;
  /** The CLI takes `newSessionId` for a new session. Default false. */
  choosesSessionId?: boolean;
  /** Default true. */
  supportsLiveOutput?: boolean;
  supportsReadOnly?: boolean;
  /** The format of this CLI's session ids. Absent: any word that does not begin with a dash. */
  sessionIds?: "uuid" | RegExp;
  permissionDenialHelp?(context: { settingsFile: string }): string;
  prepareLiveCommand?(command: Command): Command;
  extractSessionId?(output: string): string | null;
  /** The last resort, when the output names no session: asks the CLI itself. `binary` is the one of the call. */
  fallbackSessionId?(output: string, host: Host, binary: readonly string[]): Promise<string | null>;
  /**
   * Files in which the CLI may keep what it uses in a session, request by request, for one whose output does not tell, or only at a
   * call's end. Of the first that is there the decoder gets the lines that a call added, when the call has ended without telling
   * its tokens; only usage events count. Paths are absolute.
   */
  usageFiles?(host: Host, sessionId: string): readonly string[];
  /**
   * Asks the CLI which models it knows, without a call to any of them.
   * @returns null if it does not tell, as when it is too old
   */
  listModels?(host: Host, binary: readonly string[]): Promise<Model[] | null>;
  minVersion?: string;
  /** The driver of the CLI in this version, if an old one can do less; asked before the first call. */
  forVersion?(version: string): Driver;
  /** Why the CLI cannot be used here, in one sentence with the fix; null if it can. Absent: ralph looks for it on PATH. */
  checkAvailable?(host: Host): Promise<string | null>;
  /** Why this request would fail, in one sentence, and on a further line the fix, before it is made; null if it should work. */
  preflight?(host: Host, request: CommandRequest): string | null;
  /** Absent: in a sandbox it gets its program and the project, and no credentials. `cwd` of the host is the project. */
  sandbox?(host: Host): SandboxNeeds;
  /** The command that logs a user in, shown when authentication fails. */
  loginCommand?: string;
  /** The command that installs the CLI, shown when it is missing. */
  installCommand?: string;
  experimental?: boolean;
};
