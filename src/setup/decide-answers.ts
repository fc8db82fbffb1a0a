import type { SettingName } from "../core/settings/settings.ts";
import type { Answers } from "./answers.ts";
import type { Findings } from "./detect/findings.ts";
import { sanitizeName } from "./sanitize-text.ts";

/** The settings that the user gave a value, by flags or answers; an existing settings file gets them, and nothing else. */
export type SetupFlags = Readonly<Partial<Record<SettingName, string>>>;

/** An agent that ralph knows, and whether this machine has it. */
export type FoundAgent = { name: string; displayName: string; version: string | null; available: boolean };

/** A question that detection cannot answer: the wizard asks it; without a terminal the default applies. */
export type OpenQuestion = "driver" | "test_command";

export type SetupDecision = { answers: Answers; open: OpenQuestion[] };

export type DecideInput = {
  findings: Findings;
  flags: SetupFlags;
  /** The settings in the project's file, by public name, as text. */
  settings: Readonly<Record<string, string | undefined>>;
  /** The user's settings for all projects, likewise. */
  defaults?: Readonly<Record<string, string | undefined>>;
  agents: readonly FoundAgent[];
  /** PLATFORM_DRIVER of the environment. */
  preferred: string | null;
  folder: string;
};

/** The word for "no test command". */
export const NO_COMMAND = "none";

/**
 * Answers every setup question. A flag wins over the project's settings, then over the user's own and what was detected, then
 * over the default.
 */
export function decideAnswers({
  findings,
  flags,
  settings,
  defaults = {},
  agents,
  preferred,
  folder,
}: DecideInput): SetupDecision {
  const available = agents.filter((agent) => agent.available);
  const named = flags.PLATFORM_DRIVER ?? settings.PLATFORM_DRIVER ?? preferred ?? defaults.PLATFORM_DRIVER ?? null;
  const test = flags.TEST_COMMAND ?? settings.TEST_COMMAND ?? findings.commands.test;
  const type = flags.PROJECT_TYPE ?? settings.PROJECT_TYPE ?? findings.type;
  return {
    answers: {
      name: sanitizeName(flags.PROJECT_NAME ?? settings.PROJECT_NAME ?? findings.name ?? folder) || "my-project",
      type: sanitizeName(type),
      driver: named ?? available[0]?.name ?? "claude-code",
      testCommand: test === NO_COMMAND || test === "" ? null : test,
      commands: findings.commands,
      stack: describeStack(findings),
      bounds: defaults,
    },
    open: [
      ...(named === null && available.length !== 1 ? (["driver"] as const) : []),
      ...(test === null && findings.hasSource && settings.PROJECT_NAME === undefined
        ? (["test_command"] as const)
        : []),
    ],
  };
}

const NAMES: Readonly<Record<string, string>> = {
  typescript: "TypeScript",
  javascript: "JavaScript",
  csharp: "C#",
  fsharp: "F#",
  php: "PHP",
  cpp: "C++",
};

/** The languages of a project with their tools, in a few words. */
export function describeStack({ stacks, type }: Pick<Findings, "stacks" | "type">): string {
  if (stacks.length === 0) return type === "unknown" ? "" : languageName(type);
  const names = stacks.map(({ language, manager }) =>
    manager === null || manager === language ? languageName(language) : `${languageName(language)} (${manager})`,
  );
  return [...new Set(names)].join(", ");
}

export function languageName(language: string): string {
  return NAMES[language] ?? language.charAt(0).toUpperCase() + language.slice(1);
}
