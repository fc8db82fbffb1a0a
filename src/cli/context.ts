import type { EnvVars } from "../core/env-vars.ts";
import type { FlagSettings } from "../core/settings/resolve-settings.ts";
import type { Args, ArgValues, GlobalValues } from "./args/define.ts";
import type { CommandTable } from "./command-table.ts";
import type { Log } from "./log.ts";

/** All that a command may know about the world: run-command.ts fills it in, tests bring their own. */
export type CommandContext<A extends Args = Args> = {
  readonly args: ArgValues<A> & GlobalValues;
  /** Settings given as flags, unchecked. */
  readonly settings: FlagSettings;
  /** Long names of the given flags, and names of the given positionals. */
  readonly given: readonly string[];
  /** Absolute path of the folder to work in. */
  readonly projectDir: string;
  readonly env: EnvVars;
  /** Writes a result; control characters in it are made visible, but for line ends, tabs and styles. */
  stdout(text: string): void;
  /** Writes to stdout as it is: what ralph draws on a terminal, or a text that another program reads. */
  raw(text: string): void;
  /** Writes a live view, or another program's output, as it is. */
  stderr(text: string): void;
  readonly log: Log;
  /** Waits until the reader has caught up, so that a long result is never held in memory as a whole. */
  drained(): Promise<void>;
  readonly isTty: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Whether results may hold colours. */
  readonly color: boolean;
  /** Width of the terminal as it is now; 80 where there is none. */
  readonly columns: number;
  /** Columns that a row of a result may take: a pipe or a file has no width, so nothing is cut there. */
  readonly rowColumns: number;
  /** No command was named: `ralph` alone or with flags only. */
  readonly noCommand: boolean;
  /** The words that start this ralph again. */
  readonly self: readonly string[];
  /** All commands; a command of its own needs none of them. */
  commands(): Promise<CommandTable>;
};

/** What every file in `commands/` exports. */
export type CommandModule<A extends Args = Args> = {
  /** @returns the exit code */
  readonly run: (context: CommandContext<A>) => Promise<number>;
};
