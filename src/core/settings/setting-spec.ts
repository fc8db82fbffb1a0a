/** The shape of a setting without its name: a row of the table in settings.ts. */
import type { Form } from "./forms.ts";

export type SettingGroup =
  | "task"
  | "agent"
  | "session"
  | "bounds"
  | "breaker"
  | "done"
  | "review"
  | "git"
  | "project"
  | "ralph";

export type SettingFlag = {
  /** Long name without dashes. */
  readonly name: string;
  readonly short?: string;
  /** Equivalent names of the originals, long or of one letter: understood, and shown nowhere. */
  readonly old?: readonly string[];
  /**
   * The placeholder for the value in the help; a flag without one is a switch: `--name` is true, `--no-name` is false.
   */
  readonly hint?: string;
  /** The value of a flag that stands alone. Such a flag takes another value only with `=`. */
  readonly alone?: string;
  /** Every command accepts it, not only those with the settings of a run. */
  readonly everywhere?: true;
};

type Common = {
  readonly help: string;
  readonly group: SettingGroup;
  readonly flag?: SettingFlag;
  /** Equivalent names of the originals. */
  readonly old?: readonly string[];
  /**
   * Only the user may set it, by a flag, the environment or the file for all projects: a project must not vouch for itself.
   * `environment`: no file at all may hold it, because an agent could read it there.
   */
  readonly personal?: true | "environment";
  /**
   * What a project that sets it makes run or reach, so that a person agrees first (product.md "Trust"): a program that ralph
   * starts, a check of the work, a driver, a file, or rights of the agent that the user set otherwise for all projects.
   */
  readonly trust?: "program" | "check" | "driver" | "file" | "rights";
};

/** A default of null means "none": the word `none` then lifts a bound from the file or the environment. */
type Kind =
  | {
      readonly kind: "integer";
      readonly min: number;
      readonly max?: number;
      readonly unit?: string;
      readonly default: number | null;
      /** The default with DONE_POLICY=evidence, where it is another one. */
      readonly underEvidence?: number;
    }
  | { readonly kind: "money"; readonly default: number | null }
  | { readonly kind: "minutes"; readonly zeroIsOff: boolean; readonly max: number; readonly default: number | null }
  | { readonly kind: "clock"; readonly default: string | null }
  | { readonly kind: "boolean"; readonly default: boolean }
  | {
      readonly kind: "choice";
      readonly options: readonly string[];
      /** The options in the words of an old name. */
      readonly words?: Readonly<Record<string, string>>;
      readonly default: string;
    }
  | {
      readonly kind: "choice-or-integer";
      readonly options: readonly string[];
      readonly min: number;
      readonly default: string;
    }
  | { readonly kind: "text"; readonly default: string | null }
  | { readonly kind: "form"; readonly form: Form; readonly default: string | null }
  | {
      readonly kind: "list";
      readonly separator: "," | ";";
      readonly options?: readonly string[];
      readonly default: readonly string[];
    }
  | { readonly kind: "tools"; readonly default: readonly string[] };

export type SettingSpec = Common & Kind;

type Plain<S extends SettingSpec> = S extends { kind: "integer" | "money" | "minutes" }
  ? number
  : S extends { kind: "boolean" }
    ? boolean
    : S extends { kind: "choice"; options: readonly (infer Option)[] }
      ? Option
      : S extends { kind: "choice-or-integer"; options: readonly (infer Option)[] }
        ? Option | number
        : S extends { kind: "list" | "tools" }
          ? string[]
          : string;

/** The type of a setting's value, derived from its row. */
export type ValueOf<S extends SettingSpec> = Plain<S> | (S["default"] extends null ? null : never);

export type SettingValue = string | number | boolean | string[] | null;
