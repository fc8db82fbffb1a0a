import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import { commandHelp, exitCodesHelp, overview, shortHelp } from "../args/help.ts";
import type { CommandTable } from "../command-table.ts";
import type { CommandContext } from "../context.ts";
import type { HelpArgs } from "../definitions/help.ts";

const EXIT_CODES = "exit-codes";

/** `ralph help [TOPIC]`. */
export async function run({ args, commands, columns, stdout }: CommandContext<HelpArgs>): Promise<number> {
  stdout(helpOn(await commands(), args.topic, columns));
  return 0;
}

/**
 * The help on a topic: the overview for no words, a command's words, or `exit-codes`.
 * @param columns width of the terminal; undefined without one
 * @param isShort a command's help in short, if it is long
 * @throws RalphError `usage` for an unknown topic
 */
export function helpOn(
  commands: CommandTable,
  [topic, sub, ...more]: readonly string[],
  columns?: number,
  isShort = false,
): string {
  const help = isShort ? shortHelp : commandHelp;
  if (topic === undefined) return overview(commands, columns);
  if (topic === EXIT_CODES && sub === undefined) return exitCodesHelp(columns);
  const command = Object.hasOwn(commands, topic) ? commands[topic] : undefined;
  if (command === undefined) throw noTopic(topic, [...Object.keys(commands), EXIT_CODES]);
  if (sub === undefined) return help(command, columns);
  const subCommands = "subCommands" in command ? command.subCommands : {};
  const found = Object.hasOwn(subCommands, sub) && more.length === 0 ? subCommands[sub] : undefined;
  if (found === undefined)
    throw noTopic(
      [topic, sub, ...more].join(" "),
      Object.keys(subCommands).map((name) => `${topic} ${name}`),
    );
  return help(found, columns);
}

function noTopic(topic: string, topics: readonly string[]): RalphError {
  return new RalphError("usage", `There is no help on ${JSON.stringify(topic)}.${didYouMean(topic, topics)}`, {
    hint: "See ralph --help",
  });
}
