/**
 * The driver contract: all that ralph knows about one agent CLI stands in one object of type `Driver`.
 * A driver file imports nothing but types from here; helpers reach it as arguments, so that a user's own
 * driver is a copy of a built-in one and loads from disk in the compiled binary.
 */

/** A tool call of the agent in canonical form; everything that is none of the six is `Other`. */
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
 * What went wrong with a call, by who can mend it: `auth` a login, `limit` time, `request` another request (4xx),
 * `session` a fresh session (the stored id was rejected), `infrastructure` patience (network, 5xx, crash), `offline` the
 * same without end, `config` the user (a setting that the CLI refuses, an open bill: retrying cannot help).
 */
export type ErrorClass = "auth" | "limit" | "request" | "session" | "infrastructure" | "offline" | "config";

/** What a decoder makes of an agent's output. Text is always a whole block; `partial` is the block so far. */
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
      /** The final answer; null where the CLI repeats none and the last text block is the answer. */
      text: string | null;
      /** The answer's own structured claims (flat or CLI object fields), where the format has them. */
      fields?: Record<string, unknown>;
      duration_ms: number | null;
      cost_usd: number | null;
    }
  | { type: "error"; message: string; class: ErrorClass }
  /** Known and of no interest: progress, echoes, metadata. */
  | { type: "ignored" }
  /** An event type that this driver does not know: counted and shown once, never swallowed. */
  | { type: "unknown"; name: string };

/** Reads an agent's stdout line by line. Pure: no I/O, no clock; tolerant of anything a line may hold. */
export type Decoder = {
  line(text: string): AgentEvent[];
  /**
   * Called once after the last line: what was still being put together.
   * @param stderr its last lines, at most 20; absent where a recorded output is read
   */
  end(stderr?: readonly string[]): AgentEvent[];
};

/** What a decoder may have to know of the call whose output it reads. */
export type CallFacts = {
  /** The session that the call goes on with; null for a new one. */
  resume: string | null;
  /** What the earlier calls used in that session, as far as ralph knows it: some CLIs print totals of the session. */
  used: Usage;
};

/** Helpers for decoders, handed in by ralph (`src/driver-host/decoder-kit.ts`). */
export type DecoderKit = {
  /** The line as a JSON object or array; null for anything else. BOM, blanks and terminal escapes around it are ignored. */
  json(line: string): Record<string, unknown> | unknown[] | null;
  isRecord(value: unknown): value is Record<string, unknown>;
  /** A string, or null for every other type. */
  str(value: unknown): string | null;
  /** A finite number, or null for every other type. */
  num(value: unknown): number | null;
  /** Maps a CLI's tool name and arguments to the canonical call. */
  toolCall(name: string, input: unknown): ToolCall;
  /** Epoch seconds, epoch ms or a date string as ISO time; null if it is none. */
  time(value: unknown): string | null;
  /** The class of an error by the HTTP status that the CLI tells of. */
  httpClass(status: number): ErrorClass;
  emptyUsage(): Usage;
};

/** The part of the machine that a driver may look at. */
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

/** What the loop wants of one call. */
export type CommandRequest = {
  /** The program and leading arguments: CLAUDE_CODE_CMD split into words, or the driver's binary. */
  binary: readonly string[];
  prompt: string;
  /** Loop context for the agent's system prompt, at most 500 characters; null for none, never an empty string. */
  context: string | null;
  /** A session to go on with; null for a new one. */
  resume: string | null;
  /** An id for the new session, where the CLI takes one; ignored by drivers whose CLI does not. */
  newSessionId: string;
  format: OutputFormat;
  /** Ask for text as it is being written, where the CLI can. */
  partial: boolean;
  model: string | null;
  effort: string | null;
  /** Tool patterns, or null where the driver has no allow list. */
  allowedTools: readonly string[] | null;
  permissionMode: string;
  /** Tools must not be able to write: a review. */
  readOnly: boolean;
  cwd: string;
  isGitRepository: boolean;
};

/** What to start. The prompt goes by stdin: an argument is capped at 128 KiB by the kernel. */
export type Command = { argv: string[]; stdin?: string; env?: Record<string, string> };

export type Driver = {
  /** Short lower-case identifier. */
  name: string;
  displayName: string;
  cliBinary: string | ((host: Host) => string);
  validTools: readonly string[];
  buildCommand(request: CommandRequest): Command;
  /** Absent: the CLI's output is plain text. `facts` are absent where a recorded output is read. */
  decoder?(kit: DecoderKit, facts?: CallFacts): Decoder;
  /** The output always ends in an event that says how the call went. Default true; false: without one the exit code tells. */
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
  /** What this CLI's sessions are called. Absent: any word that does not begin with a dash. */
  sessionIds?: "uuid" | RegExp;
  permissionDenialHelp?(context: { settingsFile: string }): string;
  prepareLiveCommand?(command: Command): Command;
  extractSessionId?(output: string): string | null;
  fallbackSessionId?(output: string, host: Host): Promise<string | null>;
  minVersion?: string;
  /** Why the CLI cannot be used here, in one sentence with the way out; null if it can. Absent: a PATH look-up. */
  checkAvailable?(host: Host): Promise<string | null>;
  /** Why this very request would fail before it is made, in one sentence with the way out; null if it should work. */
  preflight?(host: Host, request: CommandRequest): string | null;
  /** The command that logs a user in, shown when authentication fails. */
  loginCommand?: string;
  /** How to get the CLI, shown when it is missing. */
  installCommand?: string;
  experimental?: boolean;
};
