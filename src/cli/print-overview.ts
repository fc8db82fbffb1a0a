import { linkedCommand } from "./args/linked-command.ts";
import { COMMANDS } from "./command-table.ts";
import { printHelp } from "./print-help.ts";

/**
 * Answers `ralph --help` without what finds and runs a command: half of what a start costs.
 * @param program the name or path that ralph was started under
 * @returns false if nothing is printed, because that name stands for a command, whose own help is meant
 */
export function printOverview(program: string): boolean {
  if (linkedCommand(program) !== undefined) return false;
  printHelp(COMMANDS, [], false);
  return true;
}
