import type { Host } from "../../driver.ts";
import { BUILT_IN_DRIVERS } from "../../driver-host/registry.ts";
import type { FoundAgent } from "../../setup/decide-answers.ts";
import { driverReport } from "./driver-report.ts";

/** The built-in agents except the demo, each asked for its version. */
export async function findAgents(host: Host): Promise<FoundAgent[]> {
  const known = BUILT_IN_DRIVERS.filter((driver) => driver.name !== "demo");
  const reports = await Promise.all(known.map((driver) => driverReport({ driver, source: "built-in" }, host)));
  return reports.map(({ name, display_name, version, available }) => ({
    name,
    displayName: display_name,
    version,
    available,
  }));
}
