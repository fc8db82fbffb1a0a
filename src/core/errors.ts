/** What the caller of ralph can do about a failure, in one word. */
export type ErrorCode = "usage" | "config" | "environment" | "internal" | "authentication" | "usage_limit";

/** Exit codes of failures outside the loop (product.md, "Exit codes"); how a run ended is in `STOPS`. */
export const ERROR_EXIT_CODES = {
  usage: 2,
  config: 2,
  environment: 7,
  internal: 1,
  authentication: 6,
  usage_limit: 5,
} as const satisfies Record<ErrorCode, number>;

/**
 * A failure that its caller can't decide about: thrown in effects and in the command line, caught once in main.ts.
 * `message` says what is wrong in one sentence, `hint` what to type next (null: nothing helps).
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
