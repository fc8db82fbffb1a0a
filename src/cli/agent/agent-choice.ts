import { RalphError } from "../../core/errors.ts";
import { placeOf, type ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { splitShellWords } from "../../core/text/shell-words.ts";
import type { Host } from "../../driver.ts";
import { type DriverWithSource, programOf } from "../../driver-host/registry.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import { driverOfVersion } from "./agent-version.ts";
import { type DriverLookup, findDriver } from "./find-driver.ts";
import { openItems, projectItems } from "./project-trust.ts";

/** A driver, its source, and the program it starts with the leading arguments. */
export type AgentChoice = DriverWithSource & { binary: string[] };

/** What finding a driver needs from a command. */
export function driverLookup(resolved: ResolvedSettings, host: Host): DriverLookup {
  const { settings, sources } = resolved;
  return {
    host,
    settings,
    personal: sources.PLATFORM_DRIVER.source !== "file",
    place: placeOf(sources.PLATFORM_DRIVER),
    get mayStart() {
      if (settings.RALPH_TRUST || sources.CLAUDE_CODE_CMD.source !== "file") return true;
      const paths = projectPaths(host.cwd, null, null);
      const items = projectItems(resolved, paths, host).filter(({ key }) => key === "CLAUDE_CODE_CMD");
      return openItems(items, host).length === 0;
    },
  };
}

/**
 * The driver that the settings name, for the version that is installed, and the words that start its program.
 * @param self the words that start this ralph again
 * @throws RalphError `config` for an unknown driver or a file that holds none; `environment` for an untrusted driver of the project
 */
export async function chooseAgent(lookup: DriverLookup, self: readonly string[]): Promise<AgentChoice> {
  const found = await findDriver(lookup.settings.PLATFORM_DRIVER, lookup);
  const binary = binaryOf(found, lookup.settings, lookup.host, self);
  const driver = lookup.mayStart ? await driverOfVersion(found.driver, binary, lookup.host) : found.driver;
  return { ...found, driver, binary };
}

function binaryOf(
  { driver, source }: DriverWithSource,
  settings: Settings,
  host: Host,
  self: readonly string[],
): string[] {
  if (driver.name === "demo" && source === "built-in" && host.env.RALPH_DEMO_AGENT === undefined) return [...self];
  const command = settings.CLAUDE_CODE_CMD;
  if (command === null) return [programOf(driver, host)];
  return splitShellWords(command) ?? [command];
}

/**
 * Checks that the agent can be started at all.
 * @throws RalphError `environment` with the way out
 */
export async function requireAgent({ driver, binary }: AgentChoice, host: Host): Promise<void> {
  const [program = ""] = binary;
  if (host.which(program) === null) {
    const install = driver.installCommand;
    throw new RalphError(
      "environment",
      `${driver.displayName} is not installed: there is no program ${JSON.stringify(program)} on the PATH.`,
      {
        hint:
          install === undefined
            ? "Install it, or name its command with CLAUDE_CODE_CMD."
            : `See which agents are there with: ralph drivers. Install this one with: ${install}`,
      },
    );
  }
  const unusable = driver.checkAvailable === undefined ? null : await driver.checkAvailable(host);
  if (unusable !== null) throw new RalphError("environment", unusable);
}
