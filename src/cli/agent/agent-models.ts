import { RalphError } from "../../core/errors.ts";
import type { Model } from "../../driver.ts";
import { programOf } from "../../driver-host/registry.ts";
import { chooseAgent, requireAgent } from "./agent-choice.ts";
import { driverOfVersion } from "./agent-version.ts";
import { type DriverLookup, findDriver } from "./find-driver.ts";

/** The models of an agent, and the driver that asked for them. */
export type AgentModels = { driver: string; models: Model[] };

/**
 * Asks an agent's CLI which models it knows. CLAUDE_CODE_CMD is for the agent that the settings choose, and for no other.
 * @param name a driver, or a file
 * @param self the words that start this ralph again
 * @throws RalphError `config` for an unknown driver; `environment` if the CLI is missing, or does not tell
 */
export async function agentModels(name: string, lookup: DriverLookup, self: readonly string[]): Promise<AgentModels> {
  const { host, settings } = lookup;
  const isChosen = name === settings.PLATFORM_DRIVER && lookup.mayStart;
  const found = await findDriver(name, lookup);
  const agent = isChosen ? await chooseAgent(lookup, self) : await plainAgent(found, host);
  await requireAgent(agent, host);
  const { driver, binary } = agent;
  const models = (await driver.listModels?.(host, binary)) ?? null;
  if (models === null)
    throw new RalphError(
      "environment",
      driver.listModels === undefined
        ? `The driver ${driver.name} has no way to ask for models.`
        : `${driver.displayName} did not tell which models it knows.`,
      { hint: "Any model that it takes can be named with --model." },
    );
  return { driver: driver.name, models };
}

async function plainAgent(found: Awaited<ReturnType<typeof findDriver>>, host: DriverLookup["host"]) {
  const { driver } = found;
  const binary = [programOf(driver, host)];
  return { ...found, binary, driver: await driverOfVersion(driver, binary, host) };
}
