import { shownDenials } from "../../core/answer/denial.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { Driver } from "../../driver.ts";
import type { EventSubscriber } from "../../run/recorder.ts";

export type DenialHelp = {
  driver: Pick<Driver, "displayName" | "permissionDenialHelp" | "supportsToolAllowlist">;
  /** What decided, and where it stands. */
  resolved: Pick<ResolvedSettings, "settings" | "sources">;
  /** The settings file to name, relative to the project. */
  settingsFile: string;
  quiet: boolean;
  say(text: string): void;
};

const DENIED_ENDS: ReadonlySet<string> = new Set(["permission_denied", "permission_denials", "denied_repeatedly"]);
const MOST_NAMES = 3;

/**
 * Says once a run, at its first denial, what was denied, what decided it, and what the user can do about it: only the driver
 * knows the agent's permissions. With `--quiet` it speaks only where a denial ends the run.
 */
export function denialHelpReader({ driver, resolved, settingsFile, quiet, say }: DenialHelp): EventSubscriber {
  let said = false;
  const calls = ({ event }: EventStep) =>
    quiet
      ? event.type === "run_finished" && DENIED_ENDS.has(event.stop_reason)
      : event.type === "iteration_finished" && event.analysis.has_permission_denials;
  return {
    name: "the help after a denial",
    onEvents(steps) {
      const step = said ? undefined : steps.find(calls);
      if (step === undefined) return;
      said = true;
      const help = driver.permissionDenialHelp?.({ settingsFile }) ?? generalHelp(driver.displayName, settingsFile);
      say(`Denied: ${deniedNames(step)}, ${decided(driver, resolved)}\n${help}`);
    },
  };
}

function deniedNames({ state: { last } }: EventStep): string {
  const names = [...new Set(shownDenials(last?.analysis.denied_commands ?? []).map(singleLine))];
  return names.length === 0 ? "a tool" : firstNames(names, MOST_NAMES);
}

/** What decided it, each with its place: the flag, the variable, file and line, or that it is the default. */
function decided(
  { supportsToolAllowlist }: DenialHelp["driver"],
  { settings: { CLAUDE_PERMISSION_MODE: mode }, sources }: DenialHelp["resolved"],
): string {
  const inMode = `in mode ${mode} (${sources.CLAUDE_PERMISSION_MODE.where ?? "default"})`;
  if (supportsToolAllowlist !== true) return `${inMode}.`;
  const { where } = sources.ALLOWED_TOOLS;
  return `${inMode}, with ${where === null ? "the default tools" : `the tools of ${where}`}.`;
}

/** For a driver without words of its own (driver contract, "driver_permission_denial_help"). */
function generalHelp(displayName: string, settingsFile: string): string {
  return `Allow it in the configuration of ${displayName}. CLAUDE_PERMISSION_MODE and ALLOWED_TOOLS in
${settingsFile} reach it only if its driver passes them on.`;
}
