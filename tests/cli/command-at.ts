import { type Command, commandsOf } from "../../src/cli/args/define.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";

/** The command at a path. @throws if there is none */
export function commandAt(path: readonly string[]): Command {
  const found = Object.values(COMMANDS)
    .flatMap(commandsOf)
    .find(({ meta }) => meta.name === path.join(" "));
  if (found === undefined) throw new Error(`there is no command ${path.join(" ")}`);
  return found;
}
