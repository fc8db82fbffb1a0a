import { RalphError } from "../core/errors.ts";
import type { Driver } from "../driver.ts";
import { findDriverProblems } from "./check-driver.ts";
import { makeSafeDriver } from "./safe-driver.ts";

/** Loads a module by its path and gives what it exports (`effects/import-module.ts`). */
export type ImportModule = (file: string) => Promise<Readonly<Record<string, unknown>>>;

/**
 * The driver that a TypeScript or JavaScript file exports as its default. The file runs: it must be trusted.
 * @throws RalphError `config` that names the file, and each member that is missing or of the wrong type
 */
export async function loadTs(file: string, importModule: ImportModule): Promise<Driver> {
  const exported = (await importModule(file)).default;
  const complaints = findDriverProblems(exported);
  // What has no complaint is a driver as far as can be told without running it.
  if (complaints.length === 0) return makeSafeDriver(exported as Driver, file);
  const list = complaints.map((complaint) => `\n  - ${complaint}`).join("");
  throw new RalphError("config", `${file} is no driver:${list}`, {
    hint: "The contract is the type Driver in src/driver.ts; docs/write-a-driver.md has a whole one.",
  });
}
