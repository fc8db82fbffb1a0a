import { type CommandDef, defineCommand, type SubCommandsDef, type showUsage } from "citty";
import type { Command, Definition } from "./args/define.ts";
import type { CommandTable } from "./command-table.ts";

const PROGRAM = "ralph";

/** Runs a command with the words after its name. */
type CarryOut = (command: Command, words: readonly string[]) => Promise<void>;

/**
 * The program as citty runs it: citty finds the command, and builds no other. `carryOut` parses the words, because
 * citty's own parser accepts what ralph refuses.
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

/** Prints our help in place of citty's. citty's hook passes the command that the user wants help on. */
export function usageOf(commands: CommandTable, isShort: boolean): typeof showUsage {
  return async ({ meta }) => {
    const { name = PROGRAM } = (await (typeof meta === "function" ? meta() : meta)) ?? {};
    const { printHelp } = await import("./print-help.ts");
    printHelp(commands, name === PROGRAM ? [] : name.split(" "), isShort);
  };
}
