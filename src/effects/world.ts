import { randomUUID } from "node:crypto";
import { closeSync, fstatSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import ignored from "../../templates/gitignore.txt" with { type: "text" };
import { withoutRepository } from "../core/env-vars.ts";
import { RalphError } from "../core/errors.ts";
import type { PriceTable } from "../core/money/prices.ts";
import { PROGRESS_EVERY_MS } from "../core/state-files/progress-file.ts";
import { reasonOf } from "../core/system-error.ts";
import { localStamp } from "../core/text/time-text.ts";
import type { Host } from "../driver.ts";
import { createCheckpoints } from "./checkpoints/checkpoints.ts";
import { steadyClock, systemClock } from "./clock.ts";
import { PRIVATE_FOLDER } from "./files/private.ts";
import { openRegular } from "./files/regular-file.ts";
import { statThere } from "./files/stat-there.ts";
import { listenForControl } from "./journal/control-channel.ts";
import { moveCorruptAside, openJournal } from "./journal/journal.ts";
import { foldNewestRun } from "./journal/journal-fold.ts";
import { newestRun, nextRunName } from "./journal/journal-read.ts";
import { keepFold } from "./journal/kept-fold.ts";
import { holdRoom } from "./journal/last-room.ts";
import { BEAT_MS, type HeldLock, isVisible, type LockHolder, readLock, takeLock } from "./journal/lock.ts";
import { createLocalOffset } from "./local-offset.ts";
import type { ProjectGuard, RunFiles, Sandbox, World } from "./ports.ts";
import { createGuardian } from "./process/guardian.ts";
import { fileSize, outputEnds } from "./process/output-ends.ts";
import { createProcessPort } from "./process/run-process.ts";
import { endOrphan } from "./process-tree/orphans.ts";
import { startTimeOf } from "./process-tree/process-tree.ts";
import { createGateFiles } from "./project/gate-files.ts";
import { createProjectFiles } from "./project/project-files.ts";
import { type ProjectPaths, prepareRalphDir } from "./project/project-paths.ts";
import { createWorkspace } from "./project/workspace.ts";
import { forceMkdir } from "./protect/displace.ts";
import { createLostOutputs, type LostOutputs } from "./protect/lost-outputs.ts";
import { createProjectGuard } from "./protect/project-guard.ts";
import { createReadOnlyGuard } from "./protect/read-only-guard.ts";
import { moveOldFileAside, readOldFiles } from "./state-files/legacy-files.ts";
import { createProjections } from "./state-files/projections.ts";
import { createHiddenGates, withoutHiddenGates } from "./user/hidden-gates.ts";
import { ownGaps } from "./user/own-gaps.ts";
import { readPrices } from "./user/price-file.ts";
import { isListed, rememberProject } from "./user/project-list.ts";
import { spendingLedger } from "./user/spending-ledger.ts";
import { worktreeEnv } from "./worktrees/worktrees.ts";

/** What a run does with the project's files. */
export type ProjectUse =
  /** Works on them; a task replaces prompt and plan. */
  | { kind: "work"; task: string | null }
  /** Reads them; these files (absolute paths) are restored if they disappear. */
  | { kind: "read"; files: readonly string[] };

export type WorldOptions = {
  paths: ProjectPaths;
  host: Host;
  use: ProjectUse;
  /**
   * For work that may cost: those of the user's file, which is read before the work, so that a fault in it is not found after
   * hours. By default it is read where a price is needed.
   */
  prices?: PriceTable;
  /** Where its agents are shut in; absent: nowhere. */
  sandbox?: Sandbox | null;
};

/** Builds the ports of a run in a project; nothing else builds them. */
export function createWorld({ paths, host, use, prices, sandbox = null }: WorldOptions): World {
  const runsDir = join(paths.ralph, "runs");
  const outputs = createLostOutputs();
  const oldFolders = (flat: boolean) => (flat ? [paths.ralph, paths.project] : [paths.ralph]);
  const workspace = createWorkspace(paths.project, { env: host.env });
  let zone: string | null = null;
  const offsetAt = createLocalOffset();
  let lock: ProjectLock | null = null;
  return {
    project: createProjectFiles(paths, use.kind === "work" ? use.task : ""),
    host,
    env: { ...withoutHiddenGates(withoutRepository(host.env)), ...worktreeEnv(paths.project) },
    pid: process.pid,
    clock: systemClock,
    runningMs: steadyClock.now,
    offsetAt,
    get zone() {
      // The first use of Intl costs several ms, so it waits for a limit that names a clock time.
      zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
      return zone;
    },
    newSessionId: randomUUID,
    get prices() {
      return prices ?? readPrices(host);
    },
    ledger: spendingLedger(host, offsetAt),
    isListed: () => isListed(paths.project, host),
    ownGaps: ownGaps(paths.project, host),
    sandbox,
    process: createProcessPort(steadyClock, outputs, createGuardian()),
    workspace,
    checkpoints: createCheckpoints({
      paths,
      env: host.env,
      seen: workspace.seen,
      locate: workspace.locate,
      now: systemClock.now,
    }),
    publisher: async (marker, stop) =>
      (await import("./git/publisher.ts")).createPublisher(paths.project, { ...host.env, RALPH_RUN: marker }, { stop }),
    gateFiles: createGateFiles({ project: paths.project, runsDir, filesOf: workspace.files }),
    hiddenGates: createHiddenGates(paths.project, host),
    outputEnds,
    fileSize,
    takeLock(run, onLost) {
      lock = takeProjectLock(paths, run, onLost);
      return lock.release;
    },
    nextRun: () => nextRunName(newestRun(runsDir), systemClock.now()),
    newestRun: (version) => foldNewestRun(runsDir, paths.project, version),
    after: (ms, call) => void setTimeout(call, ms).unref(),
    openRun(run, onFailure) {
      if (use.kind === "work") remember(paths.project, host, onFailure);
      return openRunFiles({ paths, use, outputs, dir: join(runsDir, run), onFailure, lock, offsetAt });
    },
    moveCorruptJournalAside: (dir) => moveCorruptAside(dir, fileStamp()),
    readOldFiles: (flat) => readOldFiles(oldFolders(flat)),
    moveOldFilesAside: (names, flat) => {
      for (const name of names) moveOldFileAside(oldFolders(flat), name, fileStamp());
    },
    endOrphan,
    listenForControl: (listener) => listenForControl({ ...listener, project: paths.project }),
  };
}

/** The project's lock, for as long as a run holds it. */
type ProjectLock = Pick<HeldLock, "isOurs"> & {
  /** @throws RalphError `environment` once another ralph has taken it over */
  check(): void;
  release(): void;
};

function takeProjectLock(
  { project, ralph }: ProjectPaths,
  run: string,
  onLost: (error: RalphError) => void,
): ProjectLock {
  prepareRalphDir(ralph, ignored);
  const path = join(ralph, "lock");
  const lock = takeLock(path, { pid: process.pid, startTime: startTimeOf(process.pid), run });
  if (!lock.held) throw lockedBy(path, lock.by);
  const fd = openRegular(path, "read");
  const timer = setInterval(() => {
    if (!lock.beat()) onLost(takenOver(path));
    else if (isDeleted(project, fd)) onLost(new RalphError("environment", `The folder ${project} was deleted.`));
  }, BEAT_MS).unref();
  return {
    isOurs: lock.isOurs,
    check() {
      if (!lock.isOurs()) throw takenOver(path);
    },
    release() {
      clearInterval(timer);
      closeSync(fd);
      lock.release();
    },
  };
}

/** Whether a project is gone for good: of one that was moved, the files are still files, and its agent works on there. @param fd one of them */
function isDeleted(project: string, fd: number): boolean {
  try {
    return fstatSync(fd).nlink === 0 && statThere(project) === null;
  } catch {
    return false; // what cannot be seen just now is not gone
  }
}

/** Says who has our lock; whoever took it over may have ended since. */
function takenOver(path: string): RalphError {
  const holder = readLock(path);
  if (holder?.isHeld === true) return lockedBy(path, holder);
  return new RalphError(
    "environment",
    `Another ralph took this project over while this one was suspended: the lock ${path} is no longer its own.`,
    { hint: "See what became of it with `ralph status`." },
  );
}

const LOOK_OR_STOP = "Look at it with: ralph status, or stop it with: ralph stop";

function lockedBy(path: string, holder: LockHolder | null): RalphError {
  if (holder === null)
    return new RalphError("environment", `Another ralph is running in this project; its lock is ${path}.`, {
      hint: LOOK_OR_STOP,
    });
  const { pid, run, since, host, place } = holder;
  const where = isVisible(holder) ? `on ${host}` : `on ${host}, in another container or on another machine`;
  return new RalphError(
    "environment",
    `Another ralph (pid ${pid}, run ${run}, since ${localStamp(Date.parse(since)) || since}, ${where}) is running in this project; its lock is ${path}.`,
    {
      hint: isVisible(holder)
        ? `${LOOK_OR_STOP}. If process ${pid} is no ralph, delete the lock.`
        : place === undefined
          ? "Stop it there. If none runs there, delete the lock: one of an older ralph is not taken over."
          : "Stop it there. A lock that nobody touches any more is taken over by itself.",
    },
  );
}

/** For `ralph ps`; a run goes on without. */
function remember(project: string, host: Host, onFailure: (text: string) => void): void {
  try {
    rememberProject(project, host);
  } catch (error) {
    // The run's recorder is not there yet.
    queueMicrotask(() => onFailure(`\`ralph ps\` will not list this project: ${reasonOf(error)}`));
  }
}

type RunFileOptions = Omit<WorldOptions, "host" | "prices"> & {
  outputs: LostOutputs;
  dir: string;
  onFailure(text: string): void;
  lock: ProjectLock | null;
  offsetAt(at: number): number;
};

/** After a sleep the project may be another ralph's, so whatever changes it looks at the lock first. */
function openRunFiles({ paths, use, outputs, dir, onFailure, lock, offsetAt }: RunFileOptions): RunFiles {
  const journal = openJournal(dir);
  const freeRoom = holdRoom(dir);
  const isOurs = () => lock === null || lock.isOurs();
  const projections = createProjections({
    ralphDir: paths.ralph,
    onFailure,
    beat: (onBeat) => everyBeat((now) => isOurs() && onBeat(now)),
    offsetAt,
  });
  return {
    write(events) {
      lock?.check();
      journal.write(events);
    },
    sync: journal.sync,
    updateStateFiles: (steps) => isOurs() && projections.update(steps),
    callFiles: (iteration, call) => ({
      stdout: join(dir, `${iteration}-${call}.out`),
      stderr: join(dir, `${iteration}-${call}.err`),
    }),
    file(name) {
      lock?.check();
      // The agent may have deleted the folder. Restoring reports that; a gate must not fail for it.
      forceMkdir(dir, PRIVATE_FOLDER);
      return join(dir, name);
    },
    guardProject: (snapshot) =>
      underLock(
        lock,
        use.kind === "work"
          ? createProjectGuard({ paths, task: use.task, outputs, journal, projections, snapshot })
          : createReadOnlyGuard(paths.project, use.files),
      ),
    freeRoom,
    close(ended) {
      freeRoom();
      const sha256 = journal.sha256();
      if (ended !== null && sha256 !== null && isOurs()) keepFold(dir, sha256, ended);
      journal.close();
    },
  };
}

/** What a successor wrote looks like an agent's forgery: a guard repairs nothing once the lock is gone. */
function underLock(lock: ProjectLock | null, guard: ProjectGuard): ProjectGuard {
  const checked =
    <T>(action: () => T) =>
    () => {
      lock?.check();
      return action();
    };
  return { watch: checked(guard.watch), repair: checked(guard.repair), restoreLost: checked(guard.restoreLost) };
}

/** Keeps `progress.json` fresh: an agent that thinks for minutes still looks alive. */
function everyBeat(onBeat: (now: number) => unknown): () => void {
  const timer = setInterval(() => onBeat(systemClock.now()), PROGRESS_EVERY_MS).unref();
  return () => clearInterval(timer);
}

/** The time in a form that is safe in file names. */
function fileStamp(): string {
  return new Date(systemClock.now()).toISOString().replaceAll(/[:.]/g, "-");
}
