import console from "node:console";
import process from "node:process";
import { type CommandDef, defineCommand, type SubCommandsDef, type showUsage } from "citty";
import { isTerminal } from "../effects/terminal/is-terminal.ts";
import type { Command, Definition } from "./args/define.ts";
import type { CommandTable } from "./command-table.ts";

const PROGRAM = "ralph";

/** Carries out a command with the words behind its name. */
type CarryOut = (command: Command, words: readonly string[]) => Promise<void>;

/**
 * The program as citty runs it: it finds the command, and nothing of the others is made. The words are for `carryOut` to
 * read, since citty's own parser lets pass what ralph refuses.
 */
export function createProgram(commands: CommandTable, carryOut: CarryOut): CommandDef {
  return defineCommand({ meta: { name: PROGRAM }, subCommands: subCommandsFor(commands, carryOut) });
}

function commandFor(definition: Definition, carryOut: CarryOut): CommandDef {
  const { meta } = definition;
  if (!("subCommands" in definition))
    return defineCommand({ meta, run: ({ rawArgs }) => carryOut(definition, rawArgs) });
  return defineCommand({
    meta,
    default: definition.default,
    subCommands: subCommandsFor(definition.subCommands, carryOut),
  });
}

function subCommandsFor(commands: CommandTable, carryOut: CarryOut): SubCommandsDef {
  const lazy = Object.entries(commands).map(
    ([name, definition]) => [name, () => commandFor(definition, carryOut)] as const,
  );
  return Object.fromEntries(lazy);
}

/** Our help in place of citty's: its hook gets the command that help is wanted on. */
export function usageOf(commands: CommandTable): typeof showUsage {
  return async ({ meta }) => {
    const { name = PROGRAM } = (await (typeof meta === "function" ? meta() : meta)) ?? {};
    const { helpOn } = await import("./commands/help.ts");
    const columns = isTerminal(1) ? process.stdout.columns || undefined : undefined;
    console.log(helpOn(commands, name === PROGRAM ? [] : name.split(" "), columns).trimEnd());
  };
}
