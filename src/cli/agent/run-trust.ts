import { placeOf, type ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import type { ProjectPaths } from "../../effects/project/project-paths.ts";
import type { CommandContext } from "../context.ts";
import { canAsk } from "../terminal.ts";
import { type DriverLookup, trustOfDriver } from "./find-driver.ts";
import { projectItems, requireTrust, type TrustItem } from "./project-trust.ts";

/**
 * All that a run of this project would run or reach on the project's word: settings, links, the drivers that it uses.
 * @param anyRun also in a run that is started with `--sandbox`
 */
export function runItems(
  resolved: ResolvedSettings,
  paths: ProjectPaths,
  { host, personal, place }: DriverLookup,
  anyRun = false,
): TrustItem[] {
  const { PLATFORM_DRIVER, REVIEW_DRIVER, REVIEW_ON_DONE } = resolved.settings;
  const reviewer =
    REVIEW_ON_DONE > 0 && REVIEW_DRIVER !== null && REVIEW_DRIVER !== PLATFORM_DRIVER ? [REVIEW_DRIVER] : [];
  const source = resolved.sources.REVIEW_DRIVER;
  const reviewing = { host, personal: source.source !== "file", place: placeOf(source) };
  return [
    ...projectItems(resolved, paths, host, anyRun),
    ...trustOfDriver(PLATFORM_DRIVER, { host, personal, place }),
    ...reviewer.flatMap((name) => trustOfDriver(name, reviewing)),
  ];
}

type AskedContext = Pick<CommandContext, "isTty" | "env" | "stdout"> & { args: { json?: boolean } };

/** Who is asked to agree: the user at the terminal, or nobody. */
export function askedHere({ isTty, env, args, stdout }: AskedContext): { show(text: string): void } | null {
  return canAsk({ isTty, env }) && args.json !== true ? { show: stdout } : null;
}

/**
 * Sees that the user agreed to all of it, in one question, before anything is run.
 * @throws RalphError `environment` if the user refuses or cannot be asked
 */
export async function requireRunTrust(
  context: AskedContext,
  resolved: ResolvedSettings,
  paths: ProjectPaths,
  lookup: DriverLookup,
): Promise<void> {
  if (resolved.settings.RALPH_TRUST) return;
  await requireTrust(runItems(resolved, paths, lookup), { host: lookup.host, ask: askedHere(context) });
}
