import { existsSync, lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import ignored from "../../../templates/gitignore.txt" with { type: "text" };
import { JOURNAL_FILE, journalEvents, listRuns } from "../../effects/journal/journal-read.ts";
import { readLock } from "../../effects/journal/lock.ts";

/** What ralph itself writes at run time. Backups are not among it: they hold the user's files. */
const RUNTIME = ignored
  .split(/\r?\n/)
  .filter((line) => line.startsWith("/") && line !== "/backups/")
  .map((line) => line.slice(1).replace(/\/$/, ""));

/**
 * Whether a folder's `.ralph` is only the start of a killed import: the import's own run, no project files, and no live
 * process. Such a folder counts as empty.
 */
export function isImportRemnant(ralphDir: string): boolean {
  const stat = lstatSync(ralphDir, { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true || !readdirSync(ralphDir).every(isRuntime)) return false;
  if (readLock(join(ralphDir, "lock"))?.isHeld === true) return false;
  const runs = join(ralphDir, "runs");
  return listRuns(runs).every((run) => isImport(join(runs, run, JOURNAL_FILE)));
}

function isRuntime(name: string): boolean {
  return (
    name === ".gitignore" ||
    name.endsWith(".tmp") ||
    RUNTIME.some((path) => (path.endsWith("*") ? name.startsWith(path.slice(0, -1)) : name === path))
  );
}

function isImport(journal: string): boolean {
  if (!existsSync(journal)) return true;
  for (const event of journalEvents(journal)) return event.type === "run_started" && event.started_by === "import";
  return true;
}
