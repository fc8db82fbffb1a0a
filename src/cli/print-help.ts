import console from "node:console";
import process from "node:process";
import { isTerminal } from "../effects/terminal/is-terminal.ts";
import type { CommandTable } from "./command-table.ts";
import { helpOn } from "./commands/help.ts";

/**
 * Prints the help on a command, or the overview for no words, as wide as the terminal.
 * @param isShort a command's help in short, if it is long
 */
export function printHelp(commands: CommandTable, words: readonly string[], isShort: boolean): void {
  const columns = isTerminal(1) ? process.stdout.columns || undefined : undefined;
  console.log(helpOn(commands, words, columns, isShort).trimEnd());
}
