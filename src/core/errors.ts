/** The kind of a failure, by what the caller of ralph can do about it. */
export type ErrorCode =
  | "usage"
  | "config"
  | "environment"
  | "internal"
  | "authentication"
  | "unpaid"
  | "model_unavailable"
  | "usage_limit";

/** Exit codes of failures outside the loop (product.md "Exit codes"); `STOP_REASONS` has those of a run's end. */
export const ERROR_EXIT_CODES = {
  usage: 2,
  config: 2,
  environment: 7,
  internal: 1,
  authentication: 6,
  unpaid: 6,
  model_unavailable: 7,
  usage_limit: 5,
} as const satisfies Record<ErrorCode, number>;

/**
 * A failure that its caller cannot handle: thrown in effects and in the command line, caught once in main.ts. `message`
 * states the problem in one sentence, `hint` the next command (null if none helps).
 */
export class RalphError extends Error {
  override readonly name = "RalphError";
  readonly code: ErrorCode;
  readonly hint: string | null;

  constructor(code: ErrorCode, message: string, options: { hint?: string | null; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? null;
  }

  get exit(): number {
    return ERROR_EXIT_CODES[this.code];
  }
}
