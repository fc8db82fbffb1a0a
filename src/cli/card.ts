import { BUILT_IN } from "../drivers/registry.ts";
import { createHost } from "../effects/host.ts";
import { createWorkspace } from "../effects/workspace.ts";
import { style } from "../view/style.ts";
import type { CommandContext } from "./context.ts";
import { driverReport } from "./driver-report.ts";

/** What `ralph` alone says outside a Ralph project: what is here, and what to type. @returns the exit code 7 */
export async function showCard(
  context: Pick<CommandContext, "projectDir" | "env" | "color" | "stdout">,
): Promise<number> {
  const { bold, dim, green } = style(context.color);
  const host = createHost(context.projectDir, context.env);
  const agents = BUILT_IN.filter((driver) => driver.name !== "demo");
  const reports = await Promise.all(agents.map((driver) => driverReport({ driver, source: "built-in" }, host)));
  const found = reports
    .filter((report) => report.available)
    .map((report) => `${green("✓")} ${report.display_name} ${report.version ?? ""}`.trimEnd());
  const workspace = createWorkspace(context.projectDir);
  const git = workspace.isGitRepository
    ? workspace.head() === null
      ? "a git repository without a commit"
      : "a git repository"
    : "no git repository";
  const lines = [
    `${bold("ralph")} runs a coding agent again and again until the work is really done.`,
    "",
    `  ${dim("agents")}  ${found.length === 0 ? "none found on the PATH" : found.join("  ")}`,
    `  ${dim("here")}    no Ralph project yet, ${git}`,
    "",
    `  ralph demo               ${dim("see it work: no account, no network")}`,
    `  ralph "Mend the tests"   ${dim("one task, no files needed")}`,
    `  ralph --help             ${dim("everything else")}`,
  ];
  context.stdout(`${lines.join("\n")}\n`);
  return 7;
}
