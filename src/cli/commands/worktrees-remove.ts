import { firstTasks } from "../../core/plan/taken-off-text.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { removeWorktree } from "../../effects/worktrees/remove.ts";
import { ownerOf } from "../../effects/worktrees/worktrees.ts";
import type { CommandContext } from "../context.ts";
import type { WorktreesRemoveArgs } from "../definitions/worktrees.ts";
import { requireOwnShell } from "../run/send-control.ts";

/**
 * `ralph worktrees remove NAME [--force]`: removes it once its work is merged, or by force, always after a checkpoint.
 * @throws RalphError `environment` if it may not go; nothing was changed then
 */
export async function run({ args, projectDir, env, stdout }: CommandContext<WorktreesRemoveArgs>): Promise<number> {
  requireOwnShell(env);
  const removed = await removeWorktree({ project: ownerOf(projectDir), name: args.name, force: args.force, env });
  const { name, branch, branch_kept, checkpoint, journals, ticked } = removed;
  if (args.json) stdout(jsonLine(removed));
  else if (!args.quiet) {
    const lines = [
      `Removed the worktree ${name}. ${branch_kept ? `Its branch ${branch} is kept.` : `Its branch ${branch} is gone too.`}`,
      ...(ticked.length === 0 ? [] : [`  ticked in the plan: ${firstTasks(ticked)}`]),
      ...(checkpoint === null ? [] : [`  its files   git worktree add FOLDER ${checkpoint}`]),
      ...(journals === null ? [] : [`  its runs    ${journals}`]),
    ];
    stdout(`${lines.join("\n")}\n`);
  }
  return 0;
}
