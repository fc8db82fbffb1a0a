import { RalphError } from "../../core/errors.ts";

/** The page asks for what is not so, or not so any more: one that is loaded again does not. */
export function outdated(code: "usage" | "environment", message: string): RalphError {
  return new RalphError(code, message, { hint: "Load the page again." });
}
