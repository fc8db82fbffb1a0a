/** How this user last began a run in each folder, where it gave what only the user may give: one small file each. */
import { join } from "node:path";
import { isRecord } from "../../core/json-value.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { sha256Of } from "../files/sha256.ts";
import { stateFolder, type User } from "./home.ts";

/** What a run was given on its command line, as `run_started` has it before anything of it is masked. */
export type Start = { task: string | null; words: readonly string[] };

/** Remembers a start. @param project absolute @throws the file system's error */
export function rememberStart(project: string, start: Start, user: User): void {
  const path = entryOf(project, user);
  makePrivateFolder(join(path, ".."));
  writeFileAtomic(path, `${JSON.stringify({ project, digest: digestOf(project, start) })}\n`);
}

/** Whether this user last began a run here so: a journal tells it too, but anybody may have written that. */
export function isOwnStart(project: string, start: Start, user: User): boolean {
  const known = readJson(entryOf(project, user));
  return isRecord(known) && known.digest === digestOf(project, start);
}

function entryOf(project: string, user: User): string {
  return join(stateFolder(user), "starts", `${sha256Of(project).slice(0, 16)}.json`);
}

/** Not the words themselves: a task may hold a secret. */
function digestOf(project: string, { task, words }: Start): string {
  return sha256Of(JSON.stringify([project, task, words]));
}
