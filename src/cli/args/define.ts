import type { BooleanArgDef, CommandMeta, EnumArgDef, PositionalArgDef, StringArgDef } from "citty";
import type { SettingName } from "../../core/settings/settings.ts";
import type { CommandContext, CommandModule } from "../context.ts";

/** What a shell offers for a value: things of some kind, or one of these words. */
export type Completes = "files" | "folders" | "runs" | "modes" | "drivers" | "commands" | readonly string[];

/** What citty's definitions cannot say. */
type Extra = {
  /** The heading in the help under which a flag stands. */
  group?: string;
  /** `--no-name` exists as well; not given is then `undefined`, not false. */
  negatable?: true;
  /** The value of a flag that stands alone: such a flag takes another only with `=`. */
  impliedValue?: string;
  /** A positional that takes all words that are left. */
  repeat?: true;
  /** What the shell offers for it, where the value's hint does not say. */
  completes?: Completes;
};

/** A flag or positional: citty's definition, and what it cannot say. */
export type Arg = Extra &
  (
    | (BooleanArgDef & { type: "boolean" })
    | (StringArgDef & { type: "string" })
    | (EnumArgDef & { type: "enum" })
    | (PositionalArgDef & { type: "positional" })
  );

export type Args = Readonly<Record<string, Arg>>;

export type Example = readonly [command: string, does: string];

/** What a command is called and takes. */
export type CommandWords<A extends Args = Args> = {
  meta: CommandMeta & { name: string; description: string };
  args: A;
  /** Settings whose flags the command takes. */
  settings: readonly SettingName[];
  examples: readonly Example[];
  /** Groups of flags and positionals, of each of which at most one may be given. */
  exclusive?: readonly (readonly string[])[];
};

/** A command, with the code behind it. */
export type Command<A extends Args = Args> = CommandWords<A> & {
  /**
   * Loads the module behind the command, and runs it.
   * @param open makes its context of what was given; null if there is nothing to be run
   * @returns the exit code
   */
  carryOut(open: OpenContext): Promise<number>;
};

export type OpenContext = <A extends Args>(words: CommandWords<A>) => CommandContext<A> | null;

/** Commands under one name, `ralph circuit`. */
export type CommandGroup = Pick<CommandWords, "meta" | "examples"> & {
  subCommands: Readonly<Record<string, Command>>;
  /** The sub-command that is meant when none is named. */
  default: string;
};

export type Definition = Command | CommandGroup;

/** The commands that a definition stands for: those of a group, or the one that it is. */
export function commandsOf(definition: Definition): readonly Command[] {
  return "subCommands" in definition ? Object.values(definition.subCommands) : [definition];
}

type ArgValue<A extends Arg> = A extends { type: "boolean" }
  ? A extends { negatable: true }
    ? boolean | undefined
    : boolean
  : A extends { repeat: true }
    ? string[]
    : A extends { required: true }
      ? string
      : string | undefined;

/** The values of a command's own flags and positionals, by name. */
export type ArgValues<A extends Args> = { readonly [Name in keyof A]: ArgValue<A[Name]> };

/**
 * A command: its module's `run` takes what its `args` give, or it does not compile. Nothing of the module is loaded for
 * help or completions.
 */
export function defineCommand<const A extends Args>({
  load,
  ...words
}: CommandWords<A> & { load: () => Promise<CommandModule<NoInfer<A>>> }): Command<A> {
  return {
    ...words,
    async carryOut(open) {
      const context = open(words);
      return context === null ? 0 : (await load()).run(context);
    },
  };
}

/** Types a group of commands; does nothing else. */
export function defineGroup(group: CommandGroup): CommandGroup {
  return group;
}

/** Flags that every command understands; `-v` is the setting RALPH_VERBOSE. */
export const GLOBAL_ARGS = {
  "project-dir": {
    type: "string",
    alias: "C",
    valueHint: "DIR",
    description: "work in this folder",
    group: "everywhere",
  },
  color: {
    type: "boolean",
    negatable: true,
    default: true,
    description: "colours (also: NO_COLOR)",
    group: "everywhere",
  },
  quiet: { type: "boolean", alias: "q", description: "print results and errors only", group: "everywhere" },
  help: { type: "boolean", alias: "h", description: "this help", group: "everywhere" },
  version: { type: "boolean", description: "the version", group: "everywhere" },
} as const satisfies Args;

export type GlobalValues = ArgValues<typeof GLOBAL_ARGS>;
