import type { BooleanArgDef, CommandMeta, EnumArgDef, PositionalArgDef, StringArgDef } from "citty";
import type { SettingGroup } from "../../core/settings/setting-spec.ts";
import type { SettingName } from "../../core/settings/settings.ts";
import type { CommandContext, CommandModule } from "../context.ts";

/** What a shell offers for a value: things of some kind, or one of these words. */
export type Completes = "files" | "folders" | "runs" | "modes" | "drivers" | "commands" | readonly string[];

/** What the help puts under one heading: the flags of a group of settings, or of a command's own. */
export type FlagGroup = SettingGroup | "fleet" | "machines" | "output" | "everywhere";

/** What citty's definitions cannot express. */
type Extra = {
  /** The heading in the help that the flag stands under. */
  group?: FlagGroup;
  /** `--no-name` exists as well; an absent flag is then `undefined`, not false. */
  negatable?: true;
  /** The value of a flag that stands alone. Such a flag takes another value only with `=`. */
  impliedValue?: string;
  /** A positional that takes all remaining words, or a flag that may stand several times: a list, empty without it. */
  repeat?: true;
  /** What the shell offers for it, if the placeholder does not imply it. */
  completes?: Completes;
};

/** A flag or positional: citty's definition, and what it cannot express. */
export type Arg = Extra &
  (
    | (BooleanArgDef & { type: "boolean" })
    | (StringArgDef & { type: "string" })
    | (EnumArgDef & { type: "enum" })
    | (PositionalArgDef & { type: "positional" })
  );

export type Args = Readonly<Record<string, Arg>>;

export type Example = readonly [command: string, does: string];

type OwnWords<A extends Args> = {
  meta: CommandMeta & { name: string; description: string };
  args: A;
  examples: readonly Example[];
  /** Groups of flags and positionals that exclude each other. */
  exclusive?: readonly (readonly string[])[];
};

/** A command's name, help, flags and positionals. */
export type CommandWords<A extends Args = Args> = OwnWords<A> & {
  /** Settings whose flags the command takes. */
  settings: readonly SettingName[];
};

/** A command, with the code that runs it. */
export type Command<A extends Args = Args> = CommandWords<A> & {
  /**
   * Loads the command's module and runs it.
   * @param open makes the context from the definition; null if there is nothing to run
   * @returns the exit code
   */
  carryOut(open: OpenContext): Promise<number>;
};

export type OpenContext = <A extends Args>(words: CommandWords<A>) => CommandContext<A> | null;

/** Commands under one name, `ralph circuit`. */
export type CommandGroup = Pick<CommandWords, "meta" | "examples"> & {
  subCommands: Readonly<Record<string, Command>>;
  /** The sub-command used when none is named. */
  default: string;
  /** A word that names no sub-command is the default's first one. */
  takesWord?: true;
};

export type Definition = Command | CommandGroup;

/** The commands behind a definition: those of a group, or the command itself. */
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

type Defined<A extends Args> = OwnWords<A> & {
  /** Without it, none. */
  settings?: readonly SettingName[];
  load: () => Promise<CommandModule<NoInfer<A>>>;
};

/**
 * A command whose module's `run` must accept what its `args` provide, or it does not compile. Help and completions load
 * nothing of the module.
 */
export function defineCommand<const A extends Args>({ load, settings = [], ...own }: Defined<A>): Command<A> {
  const words = { ...own, settings };
  return {
    ...words,
    async carryOut(open) {
      const context = open(words);
      return context === null ? 0 : (await load()).run(context);
    },
  };
}

/**
 * A group of commands.
 * @param examples those of its help; all of its sub-commands if left out
 */
export function defineGroup({
  examples,
  ...group
}: Omit<CommandGroup, "examples"> & { examples?: readonly Example[] }): CommandGroup {
  return { ...group, examples: examples ?? Object.values(group.subCommands).flatMap((command) => command.examples) };
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
  help: { type: "boolean", alias: "h", description: "this help; -h: in short", group: "everywhere" },
  version: { type: "boolean", description: "the version", group: "everywhere" },
} as const satisfies Args;

export type GlobalValues = ArgValues<typeof GLOBAL_ARGS>;
