import { jsonFile } from "../../core/state-files/file-json.ts";
import { driverLookup } from "../agent/agent-choice.ts";
import { driverReport } from "../agent/driver-report.ts";
import { driversHost, findDriver } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";
import type { OneDriverArgs } from "../definitions/drivers.ts";
import { loadSettings } from "../load-settings.ts";

/** `ralph drivers show NAME [--json]`; NAME may be the path of a driver. */
export async function run(context: CommandContext<OneDriverArgs>): Promise<number> {
  const host = driversHost(context);
  const lookup = { ...driverLookup(loadSettings(context), host), personal: true, place: "" };
  const found = await findDriver(context.args.name, lookup);
  const report = await driverReport(found, host);
  if (context.args.json) {
    context.stdout(jsonFile(report));
    return 0;
  }
  const { capabilities } = report;
  const rows: [string, string][] = [
    ["driver", `${report.name} (${report.display_name}, ${report.source})`],
    ["program", report.cli_binary ?? "not found on the PATH"],
    [
      "version",
      `${report.version ?? "unknown"}${report.min_version === null ? "" : ` (at least ${report.min_version})`}`,
    ],
    [
      "can",
      [
        capabilities.sessions && "resume sessions",
        capabilities.live_output && "stream its work",
        capabilities.tool_allowlist && "keep to a list of tools",
      ]
        .filter(Boolean)
        .join(", ") || "neither resume sessions nor stream its work",
    ],
    ["tools", report.valid_tools.join(", ")],
  ];
  if (!report.available && found.driver.installCommand !== undefined)
    rows.push(["install", found.driver.installCommand]);
  for (const [name, value] of rows) context.stdout(`${name.padEnd(10)}${value}\n`);
  return 0;
}
