import { linkedCommand } from "./args/linked-command.ts";
import type { Route } from "./args/route.ts";
import type { CommandTable } from "./command-table.ts";

/** Commands that scripts start often, or that someone waits for: they load the definition of no other command. */
const OFTEN: Readonly<Record<string, () => Promise<CommandTable>>> = {
  run: async () => ({ run: (await import("./definitions/run.ts")).RUN }),
  status: async () => ({ status: (await import("./definitions/status.ts")).STATUS }),
};

/** A command line's route, and a table that has its command. */
export type Found = Route & { commands: CommandTable };

/** Finds the command in a command line, as `route` does. */
export async function findCommand(
  argv: readonly string[],
  program: string,
  isMode: (word: string) => boolean,
): Promise<Found> {
  const [word = "run", ...rest] = argv;
  const alone = linkedCommand(program) === undefined && Object.hasOwn(OFTEN, word) ? OFTEN[word] : undefined;
  if (alone !== undefined)
    return { commands: await alone(), path: [word], named: argv.length === 0 ? [] : [word], rest };
  const [{ route }, commands] = await Promise.all([import("./args/route.ts"), everyCommand()]);
  return { commands, ...route(argv, program, isMode) };
}

/** The table of all commands. */
export async function everyCommand(): Promise<CommandTable> {
  return (await import("./command-table.ts")).COMMANDS;
}
