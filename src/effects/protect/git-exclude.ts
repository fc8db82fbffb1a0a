import { lstatSync, mkdirSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import { readRegularText } from "../files/regular-file.ts";
import { discoverRepository } from "../git/repository.ts";
import { RALPH_DIR } from "../project/project-paths.ts";

/**
 * Names what ralph writes at run time in the repository's own list of ignored files too: an agent that deletes
 * `.ralph/.gitignore` and commits everything does not commit the journal. Other lines stay. A list that is no ordinary file, or
 * cannot be written, is left as it is.
 * @param ignored the lines of `.ralph/.gitignore`
 */
export function excludeFromGit(project: string, ignored: string): void {
  const repository = discoverRepository(project);
  if (repository === null) return;
  const file = join(repository.commonDir, "info", "exclude");
  const below = relative(repository.root, join(project, RALPH_DIR)).split(sep).join("/");
  if (/[\r\n]/.test(below)) return;
  try {
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isFile()) return;
    const text = stat === undefined ? "" : readRegularText(file);
    const known = new Set(text.split(/\r?\n/));
    const missing = rulesBelow(below, ignored).filter((rule) => !known.has(rule));
    if (missing.length === 0) return;
    mkdirSync(dirname(file), { recursive: true });
    const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    writeFileAtomic(file, `${start}${["# What ralph writes at run time.", ...missing].join("\n")}\n`, SHARED_FILE);
  } catch {
    // A repository that may only be read takes no commit either.
  }
}

/** The rules of a folder's `.gitignore`, as the repository's root says them. */
function rulesBelow(folder: string, ignored: string): string[] {
  const root = `/${folder.replace(/[\\*?[]/g, "\\$&")}`;
  const rules = ignored.split(/\r?\n/).filter((line) => line !== "" && !line.startsWith("#"));
  return rules.map((rule) => (rule.startsWith("/") ? `${root}${rule}` : `${root}/**/${rule}`));
}
