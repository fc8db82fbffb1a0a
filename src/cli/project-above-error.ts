import { RalphError } from "../core/errors.ts";
import { projectAboveHint } from "../core/text/hints.ts";
import { projectAbove } from "../effects/project/project-above.ts";

/** What a hint names that says how a folder becomes a project. */
const MAKES_ONE = "ralph setup";

/** The error of a command in a folder: where its hint would make a project inside another one, that one is named in its place. */
export function namingProjectAbove(error: unknown, folder: string, home: string): unknown {
  if (!(error instanceof RalphError) || error.hint?.includes(MAKES_ONE) !== true) return error;
  const above = projectAbove(folder, home);
  if (above === null) return error;
  return new RalphError(error.code, error.message, { hint: projectAboveHint(above), cause: error.cause });
}
