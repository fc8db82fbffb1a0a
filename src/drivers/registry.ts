import claudeCode from "../../drivers/claude-code.ts";
import demo from "../../drivers/demo.ts";
import { RalphError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Driver } from "../driver.ts";

/** A driver, and where it comes from: `built-in`, or the path it was loaded from. */
export type FoundDriver = { driver: Driver; source: string };

/** The drivers that ralph brings along, in the order in which they are listed. */
export const BUILT_IN: readonly Driver[] = [claudeCode, demo];

/**
 * The driver called `name`. A built-in name always means the built-in driver: a project's file cannot take its place.
 * @throws RalphError `config` if there is none, with the list of those that there are
 */
export function findDriver(name: string): FoundDriver {
  const driver = BUILT_IN.find((one) => one.name === name);
  if (driver !== undefined) return { driver, source: "built-in" };
  const names = BUILT_IN.map((one) => one.name);
  throw new RalphError("config", `There is no driver called ${JSON.stringify(name)}.${didYouMean(name, names)}`, {
    hint: `Drivers: ${names.join(", ")}. Choose one with --driver NAME or PLATFORM_DRIVER.`,
  });
}
