import { RalphError } from "../core/errors.ts";
import { messageOf, toUserError } from "../core/system-error.ts";
import type { Log } from "./log.ts";

/**
 * Reports what ended the program and what to do next; with `-v` also its cause.
 * @returns the exit code
 */
export function reportError(error: unknown, log: Log): number {
  const known =
    toUserError(error) ??
    new RalphError("internal", `Something unexpected failed: ${messageOf(error)}`, {
      hint: "Run again with -v for details, and report it with them.",
      cause: error,
    });
  log.error(known);
  if (known.cause !== undefined) log.debug(known.cause);
  return known.exit;
}
