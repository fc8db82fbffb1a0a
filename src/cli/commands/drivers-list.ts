import { RalphError } from "../../core/errors.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import type { Host } from "../../driver.ts";
import type { DriverWithSource } from "../../driver-host/registry.ts";
import { style } from "../../view/text/style.ts";
import { driverLookup } from "../agent/agent-choice.ts";
import { type DriverReport, driverReport } from "../agent/driver-report.ts";
import { driversHost, listDrivers, type UnusableDriver } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { loadSettings } from "../load-settings.ts";

/** `ralph drivers [list] [--json]`: all drivers, and the files that hold none, each with the reason. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  const host = driversHost(context);
  const found = await listDrivers(driverLookup(loadSettings(context), host));
  const rows = await Promise.all(found.map((one) => ("driver" in one ? reportOf(one, host) : one)));
  if (context.args.json) {
    context.stdout(jsonFile(rows));
    return 0;
  }
  const names = Math.max(...rows.map(({ name }) => name.length)) + 2;
  const titles = Math.max(...rows.map((row) => ("problem" in row ? 0 : row.display_name.length))) + 2;
  for (const row of rows) context.stdout(`${row.name.padEnd(names)}${describe(row, titles, context.color)}\n`);
  return 0;
}

/** One driver that fails hides no other. */
async function reportOf(found: DriverWithSource, host: Host): Promise<DriverReport | UnusableDriver> {
  try {
    return await driverReport(found, host);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return { name: found.driver.name, source: found.source, problem: error.message };
  }
}

function describe(row: DriverReport | UnusableDriver, width: number, color: boolean): string {
  const { green, dim, yellow } = style(color);
  if ("problem" in row) return `${yellow("!")} ${row.source}: ${row.problem}`;
  const state = row.available ? `${green("✓")} ${row.version ?? "found"}` : dim("· not installed");
  return `${row.display_name.padEnd(width)}${state}${row.source === "built-in" ? "" : dim(`  ${row.source}`)}`;
}
