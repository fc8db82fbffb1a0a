import { linkedCommand } from "./args/linked-command.ts";
import type { Route } from "./args/route.ts";
import type { CommandTable } from "./command-table.ts";
import { RUN } from "./definitions/run.ts";
import { STATUS } from "./definitions/status.ts";

/** Commands that scripts start often, or that someone waits for: they load the definition of no other command. */
const OFTEN: CommandTable = { run: RUN, status: STATUS };

/** A command line's route, and a table that has its command. */
export type Found = Route & { commands: CommandTable };

/** Finds the command in a command line, as `route` does. */
export async function findCommand(
  argv: readonly string[],
  program: string,
  isMode: (word: string) => boolean,
): Promise<Found> {
  const [word, ...rest] = argv;
  if (linkedCommand(program) === undefined) {
    if (word === undefined) return { commands: OFTEN, path: ["run"], named: [], rest };
    if (Object.hasOwn(OFTEN, word)) return { commands: OFTEN, path: [word], named: [word], rest };
  }
  const [{ route }, commands] = await Promise.all([import("./args/route.ts"), everyCommand()]);
  return { commands, ...route(argv, program, isMode) };
}

/** The table of all commands. */
export async function everyCommand(): Promise<CommandTable> {
  return (await import("./command-table.ts")).COMMANDS;
}
