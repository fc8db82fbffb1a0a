import { canonicalProject } from "../effects/project/project-paths.ts";
import type { Args, CommandWords } from "./args/define.ts";
import { parseArgs } from "./args/parse-args.ts";
import type { CommandContext } from "./context.ts";

/**
 * Carries out another command in this process, as if it had been typed with these words in that folder.
 * @returns its exit code
 */
export async function runOther(
  context: CommandContext,
  name: "run" | "setup" | "import",
  { words, dir = context.projectDir }: { words: readonly string[]; dir?: string },
): Promise<number> {
  const command = (await context.commands())[name];
  if (command === undefined || "subCommands" in command) throw new Error(`${name} is no command`);
  const open = <A extends Args>(definition: CommandWords<A>): CommandContext<A> => {
    const parsed = parseArgs(definition, words);
    const { quiet, color } = context.args;
    return {
      ...context,
      ...parsed,
      args: { ...parsed.args, quiet, color },
      // The terminal may be resized: spreading alone would keep its width of now.
      get columns() {
        return context.columns;
      },
      get rowColumns() {
        return context.rowColumns;
      },
      projectDir: canonicalProject(dir),
      noCommand: false,
    };
  };
  return command.carryOut(open);
}
