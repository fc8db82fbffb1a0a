import { findDriver } from "../../drivers/registry.ts";
import { createHost } from "../../effects/host.ts";
import type { CommandContext } from "../context.ts";
import type { DRIVERS_SHOW } from "../definitions.ts";
import { driverReport } from "../driver-report.ts";

/** `ralph drivers show NAME [--json]`. */
export async function run(context: CommandContext<typeof DRIVERS_SHOW.args>): Promise<number> {
  const found = findDriver(context.args.name);
  const report = await driverReport(found, createHost(context.projectDir, context.env));
  if (context.args.json) {
    context.stdout(`${JSON.stringify(report, null, 2)}\n`);
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
        .join(", "),
    ],
    ["tools", report.valid_tools.join(", ")],
  ];
  if (!report.available && found.driver.installCommand !== undefined)
    rows.push(["install", found.driver.installCommand]);
  for (const [name, value] of rows) context.stdout(`${name.padEnd(10)}${value}\n`);
  return 0;
}
