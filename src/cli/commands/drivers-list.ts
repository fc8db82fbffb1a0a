import { BUILT_IN } from "../../drivers/registry.ts";
import { createHost } from "../../effects/host.ts";
import { style } from "../../view/style.ts";
import type { CommandContext } from "../context.ts";
import type { DRIVERS_LIST } from "../definitions.ts";
import { driverReport } from "../driver-report.ts";

/** `ralph drivers [list] [--json]`. */
export async function run(context: CommandContext<typeof DRIVERS_LIST.args>): Promise<number> {
  const host = createHost(context.projectDir, context.env);
  const reports = await Promise.all(BUILT_IN.map((driver) => driverReport({ driver, source: "built-in" }, host)));
  if (context.args.json) {
    context.stdout(`${JSON.stringify(reports, null, 2)}\n`);
    return 0;
  }
  const { green, dim } = style(context.color);
  for (const report of reports) {
    const found = report.available ? `${green("✓")} ${report.version ?? "found"}` : dim("· not installed");
    context.stdout(
      `${report.name.padEnd(14)}${report.display_name.padEnd(16)}${found}${report.source === "built-in" ? "" : dim(`  ${report.source}`)}\n`,
    );
  }
  return 0;
}
