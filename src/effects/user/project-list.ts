/** The projects that this user's runs worked in: one small file each, so that several runs may write at once. */

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isRecord, str } from "../../core/json-value.ts";
import { projectTitle } from "../../core/project-name.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { tryRemove } from "../files/try-remove.ts";
import { stateFolder, type User } from "./home.ts";

/** Puts a project on the list. @param project absolute, links resolved @throws the file system's error */
export function rememberProject(project: string, user: User): void {
  if (isListed(project, user)) return;
  makePrivateFolder(listFolder(user));
  writeFileAtomic(entryOf(project, user), `${JSON.stringify({ project })}\n`);
}

/** Whether a project is on the list. */
export function isListed(project: string, user: User): boolean {
  return existsSync(entryOf(project, user));
}

/** Takes a project off the list; its next run puts it there again. */
export function forgetProject(project: string, user: User): void {
  rmSync(entryOf(project, user), { force: true });
}

/** The folders of all projects that are still there, sorted; the others leave the list. */
export function listProjects(user: User): string[] {
  const folder = listFolder(user);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  return names
    .flatMap((name) => {
      const project = projectIn(join(folder, name));
      if (project !== null && existsSync(join(project, ".ralph"))) return [project];
      // An entry that stays is left out each time.
      tryRemove(join(folder, name));
      return [];
    })
    .sort();
}

/** The projects of this name as `ralph ps` shows it; of a worktree the part after its owner's is enough. */
export function projectsNamed(name: string, user: User): string[] {
  return listProjects(user).filter((project) => {
    const title = projectTitle(project);
    return title === name || title.slice(title.indexOf("/") + 1) === name;
  });
}

function entryOf(project: string, user: User): string {
  // Every command loads this file, and only few need what takes 2 ms to load.
  const { createHash } = process.getBuiltinModule("node:crypto");
  return join(listFolder(user), `${createHash("sha256").update(project).digest("hex").slice(0, 16)}.json`);
}

function listFolder(user: User): string {
  return join(stateFolder(user), "projects");
}

function projectIn(path: string): string | null {
  const entry = readJson(path);
  return isRecord(entry) ? str(entry.project) : null; // not written by ralph
}
