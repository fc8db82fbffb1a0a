import { RalphError } from "../../core/errors.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { findBuiltIn } from "../../driver-host/registry.ts";
import { createHost } from "../../effects/host.ts";
import type { CommandContext } from "../context.ts";
import { loadSettings } from "../load-settings.ts";
import { preflight } from "../run/preflight.ts";

type Context = Pick<CommandContext, "settings" | "env">;

/**
 * The settings that every run of a project will refuse. A set-up or import needs none of them, but reports them before
 * the project counts as ready.
 */
export function settingsWarning(context: Context, projectDir: string): string[] {
  const read = readSettings(context, projectDir);
  return "settings" in read ? [] : [read.problem];
}

/**
 * Why every run of a project will be refused: its settings, or its agent, by rules of its own that concern this user. Call it when
 * everything is written: the agent is asked for that folder.
 */
export function refusalWarning(context: Context, projectDir: string): string[] {
  const read = readSettings(context, projectDir);
  return "settings" in read ? agentRefusal(read.settings, context, projectDir) : [read.problem];
}

function readSettings(context: Context, projectDir: string): { settings: Settings } | { problem: string } {
  try {
    return loadSettings({ settings: context.settings, env: context.env, projectDir });
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { problem: `${error.message}\n  Fix this before the first run: until then every run refuses it.` };
  }
}

/** An agent that is not built in is code of the project or the user, which only a run starts. */
function agentRefusal(settings: Settings, { env }: Context, projectDir: string): string[] {
  const found = findBuiltIn(settings.PLATFORM_DRIVER);
  if (found === null || found.driver.name === "demo") return [];
  const isShutIn = settings.SANDBOX !== "none";
  try {
    preflight({ ...found, binary: [] }, settings, createHost(projectDir, isShutIn ? { ...env, IS_SANDBOX: "1" } : env));
    return [];
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return [[error.message, error.hint].filter((line) => line !== null).join("\n  ")];
  }
}
