import { gateCommands } from "../../core/decide/gate-rules.ts";
import { type ResolvedSettings, withPolicyDefaults } from "../../core/settings/resolve-settings.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Host } from "../../driver.ts";
import { BUILT_IN_DRIVERS, programOf } from "../../driver-host/registry.ts";
import { hasUncommitted } from "../../effects/project/uncommitted.ts";
import { startCard } from "../../view/live/start-card.ts";
import { style } from "../../view/text/style.ts";
import type { AgentChoice } from "../agent/agent-choice.ts";
import type { CommandContext } from "../context.ts";
import { inspectSite } from "../setup/inspect-site.ts";

/**
 * The settings of `ralph "TEXT"`, which asks nothing. It finds what is not set: the agent among those installed, the
 * check in the project's files.
 */
export function taskSettings(
  context: Pick<CommandContext, "projectDir" | "env">,
  resolved: ResolvedSettings,
  host: Host,
): ResolvedSettings {
  const { settings, sources } = resolved;
  const installed = BUILT_IN_DRIVERS.find(
    (driver) => driver.name !== "demo" && host.which(programOf(driver, host)) !== null,
  );
  const findsAgent =
    sources.PLATFORM_DRIVER.source === "default" && settings.CLAUDE_CODE_CMD === null && installed !== undefined;
  const findsCheck = sources.TEST_COMMAND.source === "default" && settings.QUALITY_GATES.length === 0;
  const found: Settings = {
    ...settings,
    // The card names this check, so "done" has to pass it.
    ...(sources.DONE_POLICY.source === "default" ? { DONE_POLICY: "evidence" as const } : {}),
    ...(findsAgent ? { PLATFORM_DRIVER: installed.name } : {}),
    ...(findsCheck ? { TEST_COMMAND: inspectSite(context, null).findings.commands.test } : {}),
  };
  return { ...resolved, settings: withPolicyDefaults(found, sources) };
}

/** Prints the card of a task that is about to start. */
export async function showTaskStart(
  context: Pick<CommandContext, "projectDir" | "env" | "stdout" | "color" | "columns">,
  { settings }: ResolvedSettings,
  { driver }: AgentChoice,
  task: string,
): Promise<void> {
  const { git } = inspectSite(context, null);
  const card = {
    task,
    agent: driver.displayName,
    branch: git.branch,
    isGitRepository: git.isRepository,
    uncommitted: await hasUncommitted(context.projectDir, context.env),
    gates: gateCommands(settings),
    settings,
  };
  context.stdout(`${startCard(card, { style: style(context.color), width: context.columns }).join("\n")}\n\n`);
}
