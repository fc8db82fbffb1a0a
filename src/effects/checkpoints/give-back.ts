/** Makes the files of a project as a checkpoint has them, or without the changes of some iterations. */
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import type { Checkpoints, RestoredFiles } from "../ports.ts";
import { DEPENDENCIES } from "../snapshot/folder.ts";
import { REGULAR } from "../snapshot/folder-state.ts";
import type { CheckpointOptions } from "./checkpoints.ts";
import { leftRepositories } from "./left-out.ts";
import { type CheckpointReader, readCheckpoints } from "./read-checkpoints.ts";
import { applyChanges, changesTo, type FileChange } from "./restore.ts";
import { checkpointStore } from "./store.ts";
import { changesWithout } from "./take-back.ts";

type Asked<Name extends "restore" | "takeBack"> = Parameters<Checkpoints[Name]>[0];

/** `Checkpoints.restore`. */
export async function restore(
  options: CheckpointOptions,
  { from, to, aside, since = null }: Asked<"restore">,
): Promise<RestoredFiles> {
  const reader = readerOf(options);
  await mustRead(reader, [to]);
  const { changes, submodules } = await changesTo(reader, from, to);
  const repositories = leftRepositories(await reader.leftOut(to), await reader.onlyIn(from, to));
  const counted = await withoutUncounted(options, [to], changes);
  const later = since === null ? [] : await changedSince(reader, since, from, counted);
  const done = apply(options, counted, aside);
  const left = [...submodules.map((path) => `${path.toWellFormed()} (a submodule)`), ...repositories, ...done.left];
  return { ...done, left, ...(later.length === 0 ? {} : { changed_since: later }) };
}

/** Those of the files that somebody changed since; none if that cannot be read: the undo does not need it. */
async function changedSince(
  { differences }: CheckpointReader,
  since: string,
  now: string,
  changes: readonly FileChange[],
): Promise<string[]> {
  const found = await differences(since, now, "").catch(() => new Map<string, unknown>());
  return changes.flatMap(({ path }) => (found.has(path) ? [path.toWellFormed()] : [])).sort();
}

/** `Checkpoints.takeBack`. */
export async function takeBack(
  options: CheckpointOptions,
  { from, steps, plan, aside }: Asked<"takeBack">,
): Promise<RestoredFiles | { conflicts: string[] }> {
  const reader = readerOf(options);
  await mustRead(
    reader,
    steps.flatMap((step) => [step.before, step.after]),
  );
  const { changes, conflicts, repositories } = await changesWithout(reader, from, steps, plan?.path ?? null);
  if (conflicts.length > 0) return { conflicts };
  const before = steps.map((step) => step.before);
  const ticks = plan === null ? [] : await changedPlan(reader, from, plan);
  const done = apply(options, [...(await withoutUncounted(options, before, changes)), ...ticks], aside);
  return { ...done, left: [...repositories, ...done.left] };
}

async function changedPlan(
  reader: CheckpointReader,
  from: string,
  { path, text }: { path: string; text: string | null },
): Promise<FileChange[]> {
  if (text === null) return [];
  const kept = (await reader.file(from, path))?.oid ?? null;
  return [{ path, kept, file: { mode: REGULAR, bytes: Buffer.from(text) } }];
}

/** @throws RalphError `environment` for one that is damaged, or gone, perhaps with the repository */
async function mustRead({ leftOut }: CheckpointReader, checkpoints: readonly string[]): Promise<void> {
  for (const checkpoint of checkpoints)
    await leftOut(checkpoint).catch((cause: unknown) => {
      throw new RalphError(
        "environment",
        `Nothing was undone: the checkpoint ${checkpoint.slice(0, 10)} cannot be read: ${reasonOf(cause)}`,
        { hint: "If another copy of the repository has it: git fetch COPY 'refs/ralph/*:refs/ralph/*'", cause },
      );
    });
}

/** A checkpoint without a repository lacks what did not count there; in one that an agent made since, it would be taken for new. */
async function withoutUncounted(
  { paths, env, locate }: CheckpointOptions,
  checkpoints: readonly string[],
  changes: readonly FileChange[],
): Promise<readonly FileChange[]> {
  const place = locate();
  if (place.repository === null) return changes;
  const plain = readCheckpoints({ ...place, repository: null }, paths.ralph, env);
  const were = await Promise.all(checkpoints.map(plain.has));
  const isDependency = (path: string) => path.split("/").includes(DEPENDENCIES);
  return were.includes(true) ? changes.filter(({ path, file }) => file !== null || !isDependency(path)) : changes;
}

function readerOf({ paths, env, locate }: CheckpointOptions) {
  return readCheckpoints(locate(), paths.ralph, env);
}

function apply(
  { paths, env, locate }: CheckpointOptions,
  changes: readonly FileChange[],
  aside: string,
): RestoredFiles {
  const { format } = checkpointStore(locate(), paths.ralph, env);
  return applyChanges({ project: paths.project, format, aside }, changes);
}
