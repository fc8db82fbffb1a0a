import { RalphError } from "../core/errors.ts";
import { projectAboveHint, START_RUN_HINT, WRITE_PROMPT_HINT } from "../core/text/hints.ts";
import { projectAbove } from "../effects/project/project-above.ts";

/** What hints name that lead to a project in this folder. */
const MAKE_ONE = ["ralph setup", START_RUN_HINT, WRITE_PROMPT_HINT];

/** The error of a command in a folder: where its hint would make a project inside another one, that one is named in its place. */
export function namingProjectAbove(error: unknown, folder: string, home: string): unknown {
  if (!(error instanceof RalphError) || !MAKE_ONE.some((words) => error.hint?.includes(words))) return error;
  const above = projectAbove(folder, home);
  if (above === null) return error;
  return new RalphError(error.code, error.message, { hint: projectAboveHint(above), cause: error.cause });
}
