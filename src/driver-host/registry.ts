import claudeCode from "../../drivers/claude-code.ts";
import codex from "../../drivers/codex.ts";
import copilot from "../../drivers/copilot.ts";
import cursor from "../../drivers/cursor.ts";
import demo from "../../drivers/demo.ts";
import opencode from "../../drivers/opencode.ts";
import type { Driver, Host } from "../driver.ts";

/** A driver and its source: `built-in`, or the path of its file. */
export type DriverWithSource = { driver: Driver; source: string };

/** The built-in drivers, in the order in which they are listed. */
export const BUILT_IN_DRIVERS: readonly Driver[] = [claudeCode, codex, opencode, copilot, cursor, demo];

/** Their names. */
export const BUILT_IN_NAMES: readonly string[] = BUILT_IN_DRIVERS.map(({ name }) => name);

/** What a person calls the agent of a driver that is known by its name alone. */
export function displayNameOf(name: string): string {
  return findBuiltIn(name)?.driver.displayName ?? name;
}

/** The program of a driver on this machine. */
export function programOf({ cliBinary }: Pick<Driver, "cliBinary">, host: Host): string {
  return typeof cliBinary === "string" ? cliBinary : cliBinary(host);
}

/** The built-in driver with that name, or null. */
export function findBuiltIn(name: string): DriverWithSource | null {
  const driver = BUILT_IN_DRIVERS.find((one) => one.name === name);
  return driver === undefined ? null : { driver, source: "built-in" };
}
