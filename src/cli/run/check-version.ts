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
 * @returns ends the check, for the end of the run. An answer that is still to come is waited for, unless the run was told to stop at
 * once, and the warning given back: an agent that is too old often ends at its first word, and this says why
 */
export function checkVersion(
  { settings, append, subscribe, stops }: Run,
  { driver, binary }: Pick<AgentChoice, "driver" | "binary">,
  host: Host,
): () => Promise<string | null> {
  const minimum = minimumVersion(driver, settings);
  if (minimum === null) return async () => null;
  let asked: Promise<string | null> | null = null;
  let isOver = false;
  const check = async () => {
    const version = await knownVersion(binary, host);
    if (version === null || !isOlder(version, minimum)) return null;
    const update = driver.installCommand === undefined ? "" : ` Update it with: ${driver.installCommand}`;
    const text = tooOldText(driver, version, minimum) + update;
    if (isOver) return text;
    append(warning(text));
    return null;
  };
  subscribe({
    name: "the version check",
    onEvents(steps) {
      if (asked !== null || isOver || !steps.some(({ event }) => hasBegun(event.type))) return;
      // Only the journal can fail here, and the loop notices that itself.
      asked = check().catch(() => null);
    },
  });
  return async () => {
    isOver = true;
    return stops.killSignal.aborted ? null : asked;
  };
}

/** Whether an event comes from an agent that runs, or has run. */
function hasBegun(type: RalphEvent["type"]): boolean {
  return type.startsWith("agent_") && type !== "agent_started";
}
