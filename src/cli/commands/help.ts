import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import { COMMANDS, type HELP } from "../args/definitions.ts";
import { commandHelp, exitCodesHelp, overview } from "../args/help.ts";
import type { CommandContext } from "../context.ts";

const EXIT_CODES = "exit-codes";

/** `ralph help [TOPIC]`. */
export async function run(context: CommandContext<typeof HELP.args>): Promise<number> {
  context.stdout(helpOn(context.args.topic, context.columns));
  return 0;
}

/**
 * The help on a topic: no words for the overview, a command's words, or `exit-codes`.
 * @param columns width of the terminal; absent where there is none
 * @throws RalphError `usage` for an unknown topic
 */
export function helpOn([topic, sub, ...more]: readonly string[], columns?: number): string {
  if (topic === undefined) return overview(columns);
  if (topic === EXIT_CODES && sub === undefined) return exitCodesHelp(columns);
  const command = Object.hasOwn(COMMANDS, topic) ? COMMANDS[topic] : undefined;
  if (command === undefined) throw noTopic(topic, [...Object.keys(COMMANDS), EXIT_CODES]);
  if (sub === undefined) return commandHelp(command, columns);
  const subCommands = command.subCommands ?? {};
  const found = Object.hasOwn(subCommands, sub) && more.length === 0 ? subCommands[sub] : undefined;
  if (found === undefined)
    throw noTopic(
      [topic, sub, ...more].join(" "),
      Object.keys(subCommands).map((name) => `${topic} ${name}`),
    );
  return commandHelp(found, columns);
}

function noTopic(topic: string, topics: readonly string[]): RalphError {
  return new RalphError("usage", `There is no help on ${JSON.stringify(topic)}.${didYouMean(topic, topics)}`, {
    hint: "See ralph --help",
  });
}
