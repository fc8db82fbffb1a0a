import bash from "../../../templates/completions/ralph.bash" with { type: "text" };
import fish from "../../../templates/completions/ralph.fish" with { type: "text" };
import powershell from "../../../templates/completions/ralph.ps1" with { type: "text" };
import zsh from "../../../templates/completions/ralph.zsh" with { type: "text" };
import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import type { CommandContext } from "../context.ts";
import type { CompletionsArgs } from "../definitions/completions.ts";

const SCRIPTS: Readonly<Record<string, string>> = { bash, zsh, fish, powershell };

/**
 * `ralph completions SHELL`: prints a script for that shell. The script asks `ralph __complete` at each key press, so
 * the drivers, runs and modes it offers are never stale.
 */
export async function run({ args, stdout }: CommandContext<CompletionsArgs>): Promise<number> {
  const script = Object.hasOwn(SCRIPTS, args.shell) ? SCRIPTS[args.shell] : undefined;
  if (script !== undefined) {
    stdout(script);
    return 0;
  }
  const shells = Object.keys(SCRIPTS);
  throw new RalphError(
    "usage",
    `There are no completions for ${JSON.stringify(args.shell)}.${didYouMean(args.shell, shells)}`,
    { hint: `There are some for ${shells.join(", ")}.` },
  );
}
