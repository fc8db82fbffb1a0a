import { randomUUID } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import ignored from "../../../templates/gitignore.txt" with { type: "text" };
import { writeFileAtomic } from "../files/atomic-write.ts";
import { PRIVATE_FOLDER } from "../files/private.ts";
import { prepareRalphDir, RALPH_DIR, readOptional } from "../project/project-paths.ts";

/** Git ignores that folder. */
const FILE = join(RALPH_DIR, "logs", "worker");

/**
 * The name of the worker in a checkout: kept in it, so that after a crash it is the same, and no other checkout's, on whichever machine.
 * It holds for this machine and folder alone: a copy of the folder would take the claims of the first for its own.
 * @throws RalphError `environment`, or the file system's error, if it cannot be written
 */
export function workerName(project: string): string {
  const path = join(project, FILE);
  const here = realpathSync(project);
  const written = (name: string) => `${name}\n${here}\n`;
  const text = readOptional(path) ?? "";
  const [known = ""] = text.split("\n", 1);
  if (known.startsWith(`${hostname()}-`) && text === written(known)) return known;
  // Before anything lies there that git does not ignore yet.
  prepareRalphDir(join(project, RALPH_DIR), ignored);
  const name = `${hostname()}-${randomUUID().slice(0, 8)}`;
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  writeFileAtomic(path, written(name));
  return name;
}
