import { join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import { readSettingsAt } from "../project/read-settings.ts";
import { configFolder, homeFolder } from "./home.ts";

/** The file of a user's settings for all projects, in the syntax of a project's (product.md "Configuration"). */
export function userSettingsPath(env: EnvVars): string {
  return join(configFolder({ platform: process.platform, env, home: homeFolder(env) }), "ralphrc");
}

/**
 * The user's settings for all projects; null if there are none.
 * @throws RalphError `config` if the file exists but is not readable UTF-8 text
 */
export function readUserSettings(env: EnvVars): { path: string; text: string } | null {
  const path = userSettingsPath(env);
  return readSettingsAt(path, path);
}
