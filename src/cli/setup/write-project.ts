import { createHash } from "node:crypto";
import { newRepository } from "../../effects/new-repository.ts";
import { changeFiles, type FileChange } from "../../effects/project-write.ts";
import type { FileAction } from "../../setup/scaffold.ts";
import type { Site } from "./look-around.ts";

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/**
 * Writes what was planned; old versions of what changes are kept below `.ralph/backups/`. A project that begins gets its
 * git repository with a first commit, unless its folder lies in one.
 * @throws RalphError `environment` if something cannot be written
 */
export async function writeProject(
  { dir, isNew, git }: Site,
  actions: readonly FileAction[],
  now: Date,
): Promise<void> {
  const stamp = now
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replaceAll(":", "-");
  const changes = actions.flatMap((action): FileChange[] => {
    if (action.kind === "keep") return [];
    if (action.kind === "move") return [{ kind: "move", path: action.path, to: action.to }];
    return [{ kind: "write", path: action.path, content: action.content, backup: action.backup }];
  });
  changeFiles(dir, changes, `.ralph/backups/${stamp}`);
  if (!isNew || git.isRepository) return;
  await newRepository({
    dir,
    files: changes.map((change) => (change.kind === "move" ? change.to : change.path)),
    message: "chore: begin the project with ralph",
    author: { name: git.user.name ?? "ralph", email: git.user.email ?? "ralph@localhost" },
    branch: git.defaultBranch ?? "main",
  });
}
