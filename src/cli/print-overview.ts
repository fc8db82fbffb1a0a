import console from "node:console";
import process from "node:process";
import { isTerminal } from "../effects/terminal/is-terminal.ts";
import { linkedCommand } from "./args/linked-command.ts";

/** The columns that the overview takes where it has room. */
const ROOM = 80;

/** `ralph --help` with that room, which the compiler puts in; a program run from its source has none. */
declare const RALPH_BUILD_OVERVIEW: string | undefined;

/**
 * Answers `ralph --help` without what finds and runs a command: half of what a start costs.
 * @param program the name or path that ralph was started under
 * @returns false if nothing is printed, because that name stands for a command, whose own help is meant
 */
export async function printOverview(program: string): Promise<boolean> {
  if (linkedCommand(program) !== undefined) return false;
  const columns = (isTerminal(1) && process.stdout.columns) || ROOM;
  if (typeof RALPH_BUILD_OVERVIEW === "string" && columns >= ROOM) console.log(RALPH_BUILD_OVERVIEW.trimEnd());
  else await printMade();
  return true;
}

async function printMade(): Promise<void> {
  const [{ COMMANDS }, { printHelp }] = await Promise.all([import("./command-table.ts"), import("./print-help.ts")]);
  printHelp(COMMANDS, [], false);
}
