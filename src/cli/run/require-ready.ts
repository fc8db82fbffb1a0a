import type { Settings } from "../../core/settings/settings.ts";
import type { Host } from "../../driver.ts";
import { createHiddenGates } from "../../effects/user/hidden-gates.ts";
import { type AgentChoice, requireAgent } from "../agent/agent-choice.ts";
import { preflight } from "./preflight.ts";

/** @throws RalphError if the agent or a hidden gate of the project cannot be started */
export async function requireReady(agent: AgentChoice, settings: Settings, host: Host): Promise<void> {
  // A container has its own programs.
  if (settings.SANDBOX === "none" || settings.SANDBOX === "os") await requireAgent(agent, host);
  preflight(agent, settings, host);
  createHiddenGates(host.cwd, host).open(settings.HIDDEN_GATES);
}
