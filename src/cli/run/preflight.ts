import { randomUUID } from "node:crypto";
import { RalphError } from "../../core/errors.ts";
import { initialState } from "../../core/journal/state.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Host } from "../../driver.ts";
import { readDemoScript } from "../../effects/project/demo-script-file.ts";
import { createWorkspace } from "../../effects/project/workspace.ts";
import { composeWork } from "../../run/compose-request.ts";
import type { AgentChoice } from "../agent/agent-choice.ts";

/**
 * Asks the driver whether calls with these settings can work at all, before anything is written or spent.
 * @throws RalphError `environment` with the driver's own words, including what to do; `config` for a broken demo script
 */
export function preflight(agent: AgentChoice, settings: Settings, host: Host): void {
  const { driver, source } = agent;
  if (driver.name === "demo" && source === "built-in") readDemoScript(host.env.RALPH_DEMO_SCRIPT, host.cwd);
  if (driver.preflight === undefined) return;
  const { request } = composeWork({
    agent,
    settings,
    state: initialState(host.cwd),
    number: 1,
    resume: null,
    newSessionId: randomUUID(),
    prompt: "",
    plan: null,
    cwd: host.cwd,
    isGitRepository: createWorkspace(host.cwd).isGitRepository,
    live: false,
  });
  const refusal = driver.preflight(host, request);
  if (refusal !== null) throw refused(refusal);
}

/** A driver's refusal as an error: further lines are the way out. */
export function refused(refusal: string): RalphError {
  const [message = "", ...hint] = refusal.split("\n");
  return new RalphError("environment", message, hint.length === 0 ? {} : { hint: hint.join("\n") });
}
