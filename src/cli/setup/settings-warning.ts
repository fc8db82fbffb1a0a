import { RalphError } from "../../core/errors.ts";
import type { CommandContext } from "../context.ts";
import { loadSettings } from "../load-settings.ts";

/**
 * The settings that every run of a project will refuse. A set-up or import needs none of them, but reports them before
 * the project counts as ready. Call it when everything is written.
 */
export function settingsWarning(context: Pick<CommandContext, "settings" | "env">, projectDir: string): string[] {
  try {
    loadSettings({ settings: context.settings, env: context.env, projectDir });
    return [];
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return [`${error.message}\n  Fix this before the first run: until then every run refuses it.`];
  }
}
