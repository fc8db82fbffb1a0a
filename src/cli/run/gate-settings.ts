import { gateCommands } from "../../core/decide/gate-rules.ts";
import type { State } from "../../core/journal/state.ts";
import type { Settings } from "../../core/settings/settings.ts";

/**
 * The settings by which a project's gates are looked at. `ralph "TEXT"` finds its gate, which then stands in no file: its run knows it,
 * whatever the agent has made of the file in which it was found.
 */
export function gateSettings(settings: Settings, newest: Pick<State, "started_by" | "settings">): Settings {
  const found = newest.settings.TEST_COMMAND;
  if (newest.started_by !== "task" || typeof found !== "string" || gateCommands(settings).length > 0) return settings;
  return { ...settings, TEST_COMMAND: found };
}
