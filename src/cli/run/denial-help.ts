import type { Driver } from "../../driver.ts";
import type { EventStep, EventSubscriber } from "../../run/recorder.ts";

export type DenialHelp = {
  driver: Pick<Driver, "displayName" | "permissionDenialHelp">;
  /** The settings file to name, relative to the project. */
  settingsFile: string;
  quiet: boolean;
  say(text: string): void;
};

const DENIED_ENDS: ReadonlySet<string> = new Set(["permission_denied", "permission_denials", "denied_repeatedly"]);

/**
 * Says once a run, at its first denial, what the user can do about it: only the driver knows the agent's permissions. With
 * `--quiet` it speaks only where a denial ends the run.
 */
export function denialHelpReader({ driver, settingsFile, quiet, say }: DenialHelp): EventSubscriber {
  let said = false;
  const calls = ({ event }: EventStep) =>
    quiet
      ? event.type === "run_finished" && DENIED_ENDS.has(event.stop_reason)
      : event.type === "iteration_finished" && event.analysis.has_permission_denials;
  return {
    name: "the help after a denial",
    onEvents(steps) {
      if (said || !steps.some(calls)) return;
      said = true;
      say(driver.permissionDenialHelp?.({ settingsFile }) ?? generalHelp(driver.displayName, settingsFile));
    },
  };
}

/** For a driver without words of its own (driver contract, "driver_permission_denial_help"). */
function generalHelp(displayName: string, settingsFile: string): string {
  return [
    `${displayName} was denied permission to use a tool.`,
    "",
    "Allow it in the agent's own configuration. CLAUDE_PERMISSION_MODE and ALLOWED_TOOLS in",
    `${settingsFile} reach the agent if its driver passes them on.`,
    "",
    "Then `ralph session reset`, so that the agent does not go on with the refusal in its context,",
    "and `ralph run`.",
  ].join("\n");
}
