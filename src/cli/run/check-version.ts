import type { RalphEvent } from "../../core/journal/event.ts";
import { warning } from "../../core/journal/warning.ts";
import { isOlder } from "../../core/release/semver.ts";
import type { Host } from "../../driver.ts";
import type { Run } from "../../run/run.ts";
import type { AgentChoice } from "../agent/agent-choice.ts";
import { knownVersion, minimumVersion, tooOldText } from "../agent/agent-version.ts";

/**
 * Warns of an agent older than its driver's minimum. The version is asked for beside the first call, never before it,
 * so it delays nothing (product.md "Agent version"), and not before the agent has begun to speak: Codex sweeps, as it starts, what
 * another one that just starts puts into their home, and each command and edit of that one fails then.
 * @returns a function that ends the check, for the end of the run
 */
export function checkVersion(
  { settings, append, subscribe }: Run,
  { driver, binary }: Pick<AgentChoice, "driver" | "binary">,
  host: Host,
): () => void {
  const minimum = minimumVersion(driver, settings);
  if (minimum === null) return () => {};
  let state: "waiting" | "asked" | "ended" = "waiting";
  const check = async () => {
    const version = await knownVersion(binary, host);
    if (state === "ended" || version === null || !isOlder(version, minimum)) return;
    const update = driver.installCommand === undefined ? "" : ` Update it with: ${driver.installCommand}`;
    append(warning(tooOldText(driver, version, minimum) + update));
  };
  subscribe({
    name: "the version check",
    onEvents(steps) {
      if (state !== "waiting" || !steps.some(({ event }) => hasBegun(event.type))) return;
      state = "asked";
      // Only the journal can fail here, and the loop notices that itself.
      check().catch(() => {});
    },
  });
  return () => {
    state = "ended";
  };
}

/** Whether an event comes from an agent that runs, or has run. */
function hasBegun(type: RalphEvent["type"]): boolean {
  return type.startsWith("agent_") && type !== "agent_started";
}
