import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Mount } from "../../core/sandbox/policy.ts";
import type { GuardedFolder, SandboxNeeds } from "../../driver.ts";
import { PRIVATE_FOLDER } from "../files/private.ts";
import { kindOf } from "./place.ts";

/** A larger file is not copied for each call: the agent may read it. */
const MAX_COPY_BYTES = 64 << 20;

/**
 * What an agent sees of its own folders and files that it may change for itself only.
 * @param to a new folder for the copies; each is mounted by itself, so the agent can make no name there
 */
export function ownState({ guarded = [], copies = [] }: SandboxNeeds, to: string): Mount[] {
  let made = 0;
  const copy = (path: string): Mount => {
    if (lstatSync(path).size > MAX_COPY_BYTES) return { path, show: "read-only" };
    made += 1;
    const from = join(to, `${made}-${basename(path)}`);
    copyFileSync(path, from, constants.COPYFILE_EXCL);
    return { path, show: "writable", from };
  };
  mkdirSync(to, { mode: PRIVATE_FOLDER });
  const whole = guarded.filter(({ folder }) => kindOf(folder) === "folder").flatMap((one) => guardedMounts(one, copy));
  return [...whole, ...copies.filter((path) => kindOf(path) === "file").map(copy)];
}

/** Links are left out: where they lead is not there inside. */
function guardedMounts({ folder, keeps, anew }: GuardedFolder, copy: (path: string) => Mount): Mount[] {
  const isAnew = (name: string) =>
    anew.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : name === one));
  const mounts = readdirSync(folder).flatMap((name): Mount[] => {
    const path = join(folder, name);
    const kind = kindOf(path);
    if (kind === null || isAnew(name)) return [];
    if (keeps.includes(kind === "folder" ? `${name}/` : name)) return [{ path, show: "writable" }];
    return [kind === "folder" ? { path, show: "read-only" } : copy(path)];
  });
  return [{ path: folder, show: "empty" }, ...mounts];
}

/** Makes the folders that an agent keeps its state in: what is not there cannot be mounted, and a first conversation would be lost. */
export function makeStateFolders({ state, guarded = [] }: SandboxNeeds): void {
  const kept = guarded.flatMap(({ folder, keeps }) =>
    keeps.filter((name) => name.endsWith("/")).map((name) => join(folder, name)),
  );
  for (const folder of [...state, ...kept])
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined)
      mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
}
