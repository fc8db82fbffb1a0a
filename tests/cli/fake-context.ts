import type { Args } from "../../src/cli/args/define.ts";
import type { ParsedArgs } from "../../src/cli/args/parse-args.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import type { CommandContext } from "../../src/cli/context.ts";
import { createLog } from "../../src/cli/log.ts";

export type Written = { out: string; err: string };

/** A context that records a command's output. All else comes from `given`, or is that of a process without a terminal. */
export function fakeContext<A extends Args>(
  parsed: ParsedArgs<A>,
  given: Pick<CommandContext, "projectDir" | "env"> & Partial<CommandContext>,
): { context: CommandContext<A>; written: Written } {
  const written = { out: "", err: "" };
  const context = {
    stdout: (text: string) => {
      written.out += text;
    },
    stderr: (text: string) => {
      written.err += text;
    },
    raw: (text: string) => {
      written.out += text;
    },
    drained: async () => {},
    log: createLog({
      quiet: parsed.args.quiet,
      verbose: false,
      json: false,
      color: false,
      width: () => Number.POSITIVE_INFINITY,
      stdout: (text) => {
        written.out += text;
      },
      stderr: (text) => {
        written.err += text;
      },
    }),
    isTty: { stdin: false, stdout: false, stderr: false },
    color: false,
    columns: 80,
    rowColumns: 80,
    noCommand: false,
    self: ["ralph"],
    commands: async () => COMMANDS,
    ...given,
    ...parsed,
  };
  return { context, written };
}
