import { RalphError } from "../../core/errors.ts";
import { placeOf, type ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { BUILT_IN_DRIVERS, programOf } from "../../driver-host/registry.ts";
import { type AgentChoice, chooseAgent, requireAgent } from "./agent-choice.ts";
import type { DriverLookup } from "./find-driver.ts";

/**
 * The agents that may look at finished work (product.md "A stranger's look"): the one of REVIEW_DRIVER; else the first
 * installed of another vendor, and for the case that it cannot be used the run's own. None without REVIEW_ON_DONE, and where
 * no agent can be kept from writing. A scripted agent is not looked at by a real one, which costs money.
 * @throws RalphError `config` or `environment` if REVIEW_DRIVER cannot be used
 */
export async function chooseReviewers(
  { settings, sources }: Pick<ResolvedSettings, "settings" | "sources">,
  lookup: DriverLookup,
  worker: AgentChoice,
  self: readonly string[],
): Promise<AgentChoice[]> {
  const { REVIEW_ON_DONE, REVIEW_DRIVER } = settings;
  if (REVIEW_ON_DONE === 0) return [];
  const choose = (name: string) => {
    const of = { ...settings, PLATFORM_DRIVER: name, CLAUDE_CODE_CMD: null };
    const personal = sources.REVIEW_DRIVER.source !== "file";
    const place = placeOf(sources.REVIEW_DRIVER);
    const way = "--review-driver NAME or PATH, or REVIEW_DRIVER";
    return chooseAgent({ ...lookup, settings: of, personal, place, way, mayStart: true }, self);
  };
  if (REVIEW_DRIVER !== null) {
    const named = REVIEW_DRIVER === worker.driver.name ? worker : await choose(REVIEW_DRIVER);
    if (!isReader(named))
      throw new RalphError(
        "config",
        `${placeOf(sources.REVIEW_DRIVER)}${named.driver.displayName} cannot look at the work: it cannot be kept from writing.`,
        {
          hint: "Name another with --review-driver, or switch it off with --review-on-done 0.",
        },
      );
    await requireAgent(named, lookup.host);
    return [named];
  }
  const other = worker.driver.name === "demo" ? null : await installedOther(worker.driver.name, lookup);
  return [...(other === null ? [] : [await choose(other)]), worker].filter(isReader);
}

function isReader({ driver }: AgentChoice): boolean {
  return driver.supportsReadOnly === true;
}

/** The first built-in agent but the run's own that is installed and can only read. */
async function installedOther(worker: string, { host }: DriverLookup): Promise<string | null> {
  for (const driver of BUILT_IN_DRIVERS) {
    const { name, supportsReadOnly, checkAvailable } = driver;
    if (name === worker || name === "demo" || supportsReadOnly !== true) continue;
    if (host.which(programOf(driver, host)) === null) continue;
    if (checkAvailable === undefined || (await checkAvailable(host)) === null) return name;
  }
  return null;
}
