/** The checkpoints of a project that no run is writing to. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { reasonOf } from "../../core/system-error.ts";
import { listRefs } from "../git/ref-files.ts";
import { RALPH_DIR } from "../project/project-paths.ts";
import { createWorkspace } from "../project/workspace.ts";
import { type CheckpointReader, readCheckpoints } from "./read-checkpoints.ts";
import { type CheckpointStore, checkpointStore, isOwnStore, ownStore } from "./store.ts";
import { sweepLoose } from "./sweep.ts";

export type ProjectCheckpoints = CheckpointReader & {
  /** Whether any checkpoint of a run is kept. */
  isKept(run: string): boolean;
  /** Whether any is kept that begins with one of these. */
  isKeptUnder(refs: readonly string[]): boolean;
  /**
   * Deletes the checkpoints of runs.
   * @param refs where others begin that go too, each ending in "/"
   * @param sweeps frees their space at once where no git does it: only while no run is live
   * @throws RalphError `environment` if that is not allowed
   */
  drop(runs: readonly string[], refs: readonly string[], sweeps: boolean): void;
};

/** @param projectDir an existing folder */
export function checkpointsOf(projectDir: string, env: EnvVars): ProjectCheckpoints {
  const project = realpathSync(projectDir);
  const ralph = join(project, RALPH_DIR);
  const place = createWorkspace(project, { env }).locate();
  const own = ownStore(ralph);
  const stores: CheckpointStore[] = [
    ...(place.repository === null ? [] : [checkpointStore(place, ralph, env)]),
    ...(isOwnStore(own) ? [own] : []),
  ];
  return {
    ...readCheckpoints(place, ralph, env),
    isKept: (run) => stores.some((store) => store.listRefs(store.refsOf(run)).length > 0),
    isKeptUnder: (refs) => stores.some((store) => refs.some((ref) => store.listRefs(ref).length > 0)),
    drop(runs, refs, sweeps) {
      try {
        for (const store of stores) store.deleteRefs([...runs.map(store.refsOf), ...refs]);
        const dir = own.repository.commonDir;
        if (sweeps && runs.length > 0 && stores.includes(own)) sweepLoose(dir, listRefs(dir, "refs/"));
      } catch (cause) {
        throw new RalphError("environment", `Checkpoints cannot be deleted: ${reasonOf(cause)}`, { cause });
      }
    },
  };
}
