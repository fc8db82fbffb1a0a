/** What a user has seen of the work that landed: one small file, of the user and never of a project. */
import { join } from "node:path";
import * as v from "valibot";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { stateFolder, type User } from "./home.ts";

const AcceptedWork = v.object({
  /** Absolute path. */
  project: v.string(),
  run: v.string(),
  /** Tells the work apart from others of the run. */
  mark: v.number(),
  /** ISO time of its end. */
  at: v.string(),
});
export type AcceptedWork = v.InferOutput<typeof AcceptedWork>;

const Looked = v.object({
  /** ISO time up to which all was seen; null before the first look. */
  looked_at: v.nullable(v.string()),
  /** What was accepted by itself since. */
  accepted: v.array(AcceptedWork),
});
export type Looked = v.InferOutput<typeof Looked>;

/** What was seen until now; nothing if the file is missing or cannot be used: then work is shown once more. */
export function readLooked(user: User): Looked {
  const found = v.safeParse(Looked, readJson(fileOf(user)));
  return found.success ? found.output : { looked_at: null, accepted: [] };
}

/** @throws RalphError `environment` if the user's folder is not writable */
export function writeLooked(user: User, looked: Looked): void {
  const path = fileOf(user);
  try {
    makePrivateFolder(stateFolder(user));
    writeFileAtomic(path, `${JSON.stringify(looked)}\n`);
  } catch (cause) {
    throw new RalphError("environment", `${path} cannot be written: ${reasonOf(cause)}`, {
      hint: "Make the folder writable, and try again.",
      cause,
    });
  }
}

function fileOf(user: User): string {
  return join(stateFolder(user), "looked.json");
}
