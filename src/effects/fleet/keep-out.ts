/** Keeps out of a worker's commits what is the person's: what came along into its worktree and no commit has. */
import { join } from "node:path";
import ignored from "../../../templates/gitignore.txt" with { type: "text" };
import { writeFileAtomic } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import { readRegularText } from "../files/regular-file.ts";
import type { Git } from "../git/git-program.ts";
import { prepareRalphDir, RALPH_DIR } from "../project/project-paths.ts";

/**
 * Has git ignore files below the `.ralph` of this checkout alone, by the `.gitignore` there, which ignores itself. One that a commit has
 * stays as it is, as do files that one has.
 * @param git of the checkout @param project in it @param paths from the project; those outside `.ralph` are left
 * @throws RalphError `environment` if it cannot be written
 */
export async function keepOut(git: Git, project: string, paths: readonly string[]): Promise<void> {
  const file = join(project, RALPH_DIR, ".gitignore");
  const tracked = await git.run(["ls-files", "--error-unmatch", "--", file]);
  if (tracked.code === 0) return;
  prepareRalphDir(join(project, RALPH_DIR), ignored);
  const text = readRegularText(file);
  const known = new Set(text.split(/\r?\n/));
  const below = paths.filter((path) => path.startsWith(`${RALPH_DIR}/`) && !/[\r\n]/.test(path));
  const rules = below.map((path) => path.slice(RALPH_DIR.length).replace(/[\\*?[ ]/g, "\\$&"));
  const missing = [...new Set(rules)].filter((rule) => !known.has(rule));
  if (missing.length === 0) return;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  writeFileAtomic(
    file,
    `${start}# What came along, and is no work of a worker's.\n${missing.join("\n")}\n`,
    SHARED_FILE,
  );
}
