import { jsonLine } from "../../core/state-files/file-json.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { reasonOf } from "../../core/system-error.ts";
import { PORTS_EACH } from "../../effects/worktrees/ports.ts";
import { listRecords } from "../../effects/worktrees/record.ts";
import { halfOf, ownerOf, worktreeOf } from "../../effects/worktrees/worktrees.ts";
import { style } from "../../view/text/style.ts";
import { type WorktreeRow, worktreeLines } from "../../view/worktree-lines.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { projectState } from "../project-state.ts";

/** `ralph worktrees`: the worktrees of the project, also those that are half made or half removed. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  const { args, projectDir, stdout, color, rowColumns } = context;
  const owner = ownerOf(projectDir);
  const rows: WorktreeRow[] = [];
  for (const record of listRecords(owner)) {
    const { name, branch, project, portBase } = worktreeOf(owner, record);
    const ports = [portBase, portBase + PORTS_EACH - 1] as const;
    rows.push({ name, branch, from: record.from, project, ports, state: await stateOf(record.state, project) });
  }
  if (args.json) stdout(jsonLine({ worktrees: rows }));
  else stdout(`${worktreeLines(rows, { style: style(color), width: rowColumns }).join("\n")}\n`);
  return 0;
}

async function stateOf(state: ReturnType<typeof listRecords>[number]["state"], project: string): Promise<string> {
  const half = halfOf(state);
  if (half !== null) return half;
  if (state === "made") return "set-up not done";
  try {
    const { state: run, alive } = await projectState(project);
    if (alive) return "running";
    if (run.run === "") return "no run yet";
    return run.finished === null
      ? "broken off"
      : STOP_REASONS[run.finished.reason].status === "completed"
        ? "completed"
        : run.finished.reason;
  } catch (error) {
    return reasonOf(error); // a folder that somebody deleted or locked away
  }
}
