import { join } from "node:path";
import * as v from "valibot";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { sha256Of } from "../files/sha256.ts";
import { ownerOf } from "../worktrees/worktrees.ts";
import { configFolder, type User } from "./home.ts";

/** What a project may run or reach, and what identifies it by content. */
export type Agreed = Readonly<Record<string, { value: string; digest: string }>>;

const document = v.object({ agreed: v.record(v.string(), v.object({ value: v.string(), digest: v.string() })) });

/** What this user agreed to for a project, by key; nothing if the file is missing or unreadable. */
export function readAgreed(project: string, host: User): Agreed {
  const read = v.safeParse(document, readJson(fileOf(project, host).path));
  return read.success ? read.output.agreed : {}; // nothing was agreed to, or it must be agreed to again
}

/** @throws RalphError `environment` if the user's folder is not writable */
export function writeAgreed(project: string, agreed: Agreed, host: User): void {
  const { folder, path } = fileOf(project, host);
  try {
    makePrivateFolder(folder);
    writeFileAtomic(path, `${JSON.stringify({ project: ownerOf(project), agreed }, null, 2)}\n`);
  } catch (cause) {
    throw new RalphError("environment", `${path} cannot be written: ${reasonOf(cause)}`, {
      hint: "Make the folder writable, or pass --trust each time.",
      cause,
    });
  }
}

/** A file for each project and its worktrees: several ralphs may write at once. */
function fileOf(project: string, host: User): { folder: string; path: string } {
  const folder = join(configFolder(host), "trust");
  return {
    folder,
    path: join(folder, `${sha256Of(ownerOf(project)).slice(0, 32)}.json`),
  };
}
