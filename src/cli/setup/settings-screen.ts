import { type ResolvedSettings, resolveSettings } from "../../core/settings/resolve-settings.ts";
import { liftable } from "../../core/settings/setting-schema.ts";
import { type SettingName, settingSpec } from "../../core/settings/settings.ts";
import { count } from "../../core/text/count.ts";
import type { FoundAgent, SetupFlags } from "../../setup/decide-answers.ts";
import { plain } from "../../view/text/text.ts";
import { type Asker, BACK, type Gone, isGone } from "../ask/asker.ts";
import { givenText, sourceText } from "../show/config-text.ts";

/** The settings that a set-up project shows, by what a user calls them. */
export const SCREEN = [
  ["PLATFORM_DRIVER", "agent"],
  ["CLAUDE_MODEL", "model"],
  ["CLAUDE_PERMISSION_MODE", "permission"],
  ["TEST_COMMAND", "tests, a gate"],
  ["QUALITY_GATES", "more gates"],
  ["MAX_ITERATIONS", "iterations"],
  ["MAX_TIME", "time"],
  ["MAX_COST_USD", "cost in USD"],
  ["MAX_CALLS_PER_HOUR", "calls an hour"],
  ["DONE_POLICY", "proof of done"],
  ["REVIEW_ON_DONE", "looks"],
  ["ENABLE_NOTIFICATIONS", "notify"],
] as const satisfies readonly (readonly [SettingName, string])[];

/** Those with consequences, which set-up shows before it writes. */
export const RIGHTS: readonly SettingName[] = [
  "CLAUDE_PERMISSION_MODE",
  "MAX_ITERATIONS",
  "MAX_TIME",
  "MAX_COST_USD",
  "MAX_CALLS_PER_HOUR",
];

/** What the values of a choice mean, in plain words. Source: the agents' own words for their modes. */
const MEANINGS: Readonly<Record<string, string>> = {
  bypassPermissions: "it changes files and runs commands unasked",
  acceptEdits: "it changes files unasked, else only ALLOWED_TOOLS",
  auto: "it judges by itself what is harmless, the rest is denied",
  dontAsk: "only what is allowed beforehand, the rest is denied",
  default: "it would ask, and nobody is there: most is denied",
  plan: "it reads and plans, and changes nothing",
  evidence: "no open box, and every gate green",
  signals: "what the agent says is believed",
};

export type Screen = {
  resolved: ResolvedSettings;
  names: readonly SettingName[];
  agents: readonly FoundAgent[];
  /** This is the first question, and a run can begin at its end if `canStart`. */
  isAlone?: { canStart: boolean };
};

/** Shows settings with value and source, and asks for new values until the user is done. Writes nothing. */
export async function askSettings(
  asker: Asker,
  screen: Screen,
): Promise<{ changes: SetupFlags; starts: boolean } | Gone> {
  let changes: SetupFlags = {};
  const rows = SCREEN.filter(([name]) => screen.names.includes(name));
  const widest = Math.max(...rows.map(([, label]) => label.length));
  for (;;) {
    const number = Object.keys(changes).length;
    const chosen = await asker.select<SettingName | "done" | "start">(
      "Change a setting?",
      [
        ...rows.map(([name, label]) => ({
          value: name,
          label: `${label.padEnd(widest)}  ${rowText(name, screen, changes)}`,
        })),
        ...(screen.isAlone?.canStart === true ? [{ value: "start", label: "done, and start now" } as const] : []),
        { value: "done", label: number === 0 ? "done" : `done: ${count(number, "change")}` },
      ],
      number === 0 ? undefined : "done",
    );
    if (chosen === BACK && screen.isAlone !== undefined) continue;
    if (isGone(chosen)) return chosen;
    if (chosen === "done" || chosen === "start") return { changes, starts: chosen === "start" };
    const value = await askValue(asker, chosen, screen, changes);
    if (value === BACK) continue;
    if (isGone(value)) return value;
    changes = { ...changes, [chosen]: value };
  }
}

function rowText(name: SettingName, { resolved }: Screen, changes: SetupFlags): string {
  const changed = changes[name];
  if (changed !== undefined) return `${changed === "" ? "none" : plain(changed)}  (changed)`;
  const source = resolved.sources[name].source === "default" ? "default" : sourceText(resolved, name);
  return `${plain(givenText(name, resolved))}  (${plain(source)})`;
}

async function askValue(
  asker: Asker,
  name: SettingName,
  { resolved, agents }: Screen,
  changes: SetupFlags,
): Promise<string | Gone> {
  const spec = settingSpec(name);
  const now = changes[name] ?? givenText(name, resolved);
  if (name === "PLATFORM_DRIVER") return askDriver(asker, agents, now);
  const options = spec.kind === "choice" ? spec.options : spec.kind === "boolean" ? ["true", "false"] : null;
  if (options !== null) {
    const labelled = options.map((value) => ({
      value,
      label: MEANINGS[value] === undefined ? value : `${value}: ${MEANINGS[value]}`,
    }));
    return asker.select(`${name}: ${spec.help}`, labelled, now);
  }
  const isBound = liftable(spec);
  return asker.text(`${name}: ${spec.help}${isBound ? "; none lifts it" : ""}`, {
    initial: now === "none" || now === "not set" ? "" : now,
    check: (text) => refusal(name, text.trim()),
  });
}

/** Why a setting cannot have this value; undefined if it can. An empty one is the default. */
function refusal(name: SettingName, text: string): string | undefined {
  const { problems } = resolveSettings({ flags: { [name]: { text, flag: name } }, env: {}, file: null });
  return text === "" ? undefined : problems[0]?.message;
}

/** Asks which agent works in a project: the installed ones first. */
export function askDriver(asker: Asker, agents: readonly FoundAgent[], now?: string): Promise<string | Gone> {
  const found = agents.filter(({ available }) => available);
  const none = found.length === 0;
  return asker.select(
    none ? "Which agent will you use? None is installed yet." : "Which agent will work here?",
    [...found, ...agents.filter(({ available }) => !available)].map(({ name, displayName, version, available }) => ({
      value: name,
      label: available
        ? `${displayName} ${version ?? ""}`.trim()
        : none
          ? displayName
          : `${displayName}, not installed`,
    })),
    now,
  );
}
