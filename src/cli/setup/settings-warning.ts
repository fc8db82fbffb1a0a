import { RalphError } from "../../core/errors.ts";
import type { CommandContext } from "../context.ts";
import { loadSettings } from "../load-settings.ts";

/**
 * What every run of a project will refuse in its settings: a set-up or an import needs none of them, and says so before the
 * project counts as ready. To be called when all is written.
 */
export function settingsWarning(context: Pick<CommandContext, "settings" | "env">, projectDir: string): string[] {
  try {
    loadSettings({ settings: context.settings, env: context.env, projectDir });
    return [];
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return [`${error.message}\n  Mend this before the first run: until then every run refuses it.`];
  }
}
