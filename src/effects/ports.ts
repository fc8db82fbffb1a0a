/** Ports: records of functions, one for each part of the outside world that a run touches. */

import type { ControlCommand } from "../core/control-command.ts";
import type { TaskClaim } from "../core/fleet/claim.ts";
import type { AgentOutcome, RalphEvent } from "../core/journal/event.ts";
import type { ProcessIdentity } from "../core/journal/process-identity.ts";
import type { State } from "../core/journal/state.ts";
import type { ConflictSides } from "../core/land/messages.ts";
import type { LandTask } from "../core/land/tick.ts";
import type { PriceTable } from "../core/money/prices.ts";
import type { Asked } from "../core/prompt/look-prompt.ts";
import type { BytesMask } from "../core/secrets/mask.ts";
import type { OldFileName, OldFiles } from "../core/state-files/legacy/adopt-legacy.ts";
import type { TaskGraph, WorkTask } from "../core/tasks/task-graph.ts";
import type { Command, Driver, Host } from "../driver.ts";
import type { HeldClaim } from "./fleet/claims.ts";

/** Wall clock in epoch ms. */
export type Clock = {
  now(): number;
  /**
   * Waits until the wall clock reaches `until`, even across the machine's sleep; ends early, without an error, when `signal`
   * aborts or the clock was set back.
   * @param since when the wait was decided, to notice a clock that was set back since then
   */
  sleepUntil(until: number, signal: AbortSignal, since?: number): Promise<void>;
};

export type ProcessOptions = {
  cwd: string;
  /** The child's complete environment. */
  env: Record<string, string>;
  /** Receives stdout and stderr byte for byte as they arrive, with a mask in lines. */
  stdoutFile: string;
  stderrFile: string;
  /** Takes secrets out of what these files receive. */
  mask?: BytesMask | null;
  /** ms of running time; 0 for none. */
  timeoutMs: number;
  /** ms without output, file change or child CPU; 0 for none. */
  idleMs: number;
  /** ms between TERM and KILL. */
  graceMs: number;
  /** Aborting ends the child and its descendants with outcome `stopped`. */
  signal: AbortSignal;
  /** Value of RALPH_RUN in the child's environment; it identifies daemons that left every group. */
  marker: string;
  /** Whether files changed, a sign of life besides output; called when the idle time is over. */
  isAlive?: () => boolean | Promise<boolean>;
  /** ms without a write or CPU use, however much is printed; 0 or absent for none. */
  writeMs?: number;
  /** Whether anything was written since the last call; called when the write time is over. */
  hasWritten?: () => boolean | Promise<boolean>;
  onStart(child: { pid: number; group: number; startTime: string | null }): void;
  /** Complete lines of stdout without line ends; overlong lines are cut. Reading waits for this call to return. */
  onLines(lines: string[]): void;
  /** True once the agent's final event was seen; the process then has 2 s to exit by itself. */
  isFinished(): boolean;
  /** True while only the final event is missing: a process that stays silent and idle then is ended with outcome `ok`. */
  isOver?(): boolean;
};

export type ProcessResult = {
  outcome: AgentOutcome;
  /** The outcome is `idle` because nothing was written for `writeMs`. */
  noWrites: boolean;
  exitCode: number | null;
  signal: string | null;
  ms: number;
  /** The last 20 lines of stderr, at most 4 kB. */
  stderrTail: string[];
  /** Why the program could not be started. */
  spawnError: string | null;
  /** Pids that still ran after the agent exited and had to be ended. */
  leftovers: number[];
  /** Bytes that the file of one of its outputs keeps, if there was more. */
  keptBytes?: number;
};

export type ProcessPort = { run(command: Command, options: ProcessOptions): Promise<ProcessResult> };

/** A call that is to be made in a sandbox. */
export type SandboxEntry = {
  /** The name of the run. */
  run: string;
  driver: Pick<Driver, "sandbox">;
  command: Command;
  cwd: string;
  /** The environment outside. */
  env: Record<string, string>;
  /** Absolute paths in the project that the agent may only read: gate files, settings. */
  fixed: readonly string[];
  /** Folder for what the agent put where it must not be. */
  keep: string;
  /** Once it aborts, no engine is waited for: such a call is not started. */
  signal: AbortSignal;
};

/** The same call inside. */
export type SandboxedCall = {
  command: Command;
  env: Record<string, string>;
  /** Ends what is left inside; call it after the call. @returns what was found where nothing may be, and what was done */
  leave(): Promise<string[]>;
};

/** Where a run shuts its agents in: a command in, a command out. */
export type Sandbox = {
  /** For a header: engine and network. */
  summary: string;
  /** @throws RalphError `environment` if the call cannot be made inside */
  enter(entry: SandboxEntry): Promise<SandboxedCall>;
  close(): Promise<void>;
};

/**
 * Runs a short program to its end while ralph waits; never throws. `failure` says why it could not start or that it timed
 * out.
 */
export type RunSync = (
  argv: readonly string[],
  options: {
    cwd: string;
    env: Record<string, string>;
    input?: string;
    timeoutMs: number;
    /** Of the output; `latin1` for bytes. */
    encoding?: "utf8" | "latin1";
  },
) => { exitCode: number | null; stdout: string; stderr: string; failure: string | null };

/** The working tree at one moment; opaque outside `effects/snapshot/`. */
export type Snapshot = {
  readonly id: string;
  /** HEAD at that moment; null if there is none. */
  readonly head: string | null;
  /** The branch that was checked out; null on none, or without a repository. */
  readonly branch: string | null;
  readonly isGitRepository: boolean;
};

export type WorkspaceChange = {
  /** Paths whose content differs, sorted, relative to the project with forward slashes. */
  files: string[];
  /** Ids of commits that HEAD gained, newest first, at most 50. */
  commits: string[];
  headMoved: boolean;
  /** A repository inside gained a commit. */
  committedInside?: true;
};

/** The project's files and its repository, if there is one. */
export type Workspace = {
  isGitRepository: boolean;
  head(): string | null;
  /** The branch that is checked out; null on none, or without a repository. */
  branch(): string | null;
  /** The lock file of a git that is at work in the repository, or was killed there. `since`: epoch ms of its last change. */
  indexLock(): { path: string; since: number } | null;
  snapshot(): Promise<Snapshot>;
  changes(before: Snapshot, after: Snapshot): Promise<WorkspaceChange>;
  /** The first line of a commit's message; null if it cannot be read, or is empty. */
  subject(commit: string): Promise<string | null>;
  /** Hash of everything that counts in the tree: equal for equal content, even if files were touched or committed. */
  fingerprint(snapshot: Snapshot): string;
  /** What could not be read the fast way; grows while the tree is read, each warning once. */
  warnings: readonly string[];
};

export type MadeCheckpoint = {
  commit: string;
  /** Paths of files that it lacks: too large to keep, or unreadable. */
  leftOut: string[];
  /** The ref of the one before it, where somebody deleted or moved it, and mostly others with it. */
  lost: string | null;
};

/** A checkpoint whose files are read, and which is not on the disk yet. */
export type ReadCheckpoint = MadeCheckpoint & {
  /** Writes it. @throws Error if it cannot be written; the project and its branches are as they were */
  write(): void;
};

type CheckpointName = { run: string; name: string; message: string; onlyNew: boolean };

/** Paths from the project. */
export type RestoredFiles = {
  written: number;
  deleted: number;
  /** What stood in the way and is in no checkpoint. */
  set_aside: string[];
  /** What could not be given back, with the reason. */
  left: string[];
  /** What was not as the work left it, if anything. */
  changed_since?: string[];
};

export type Checkpoints = {
  /**
   * Keeps the files of a snapshot as a commit: untracked ones too, ignored ones not.
   * @param about `name`: of the checkpoint in its run; `onlyNew`: not if the last one has the same files
   * @returns null if none was needed
   * @throws Error if it cannot be written; the project and its branches are as they were
   */
  make(snapshot: Snapshot, about: CheckpointName): MadeCheckpoint | null;
  /** The first half of `make`, after which the files may change; the second may wait until an agent has started. */
  read(snapshot: Snapshot, about: CheckpointName): ReadCheckpoint | null;
  /**
   * Makes the files of commit `from`, which are those of now, into those of commit `to`.
   * @param aside folder for what stands in the way and is in no checkpoint
   * @param since the commit of the files as the work left them; null or left out if none has them
   * @throws Error if `from` or `to` cannot be read; nothing was changed then
   */
  restore(options: { from: string; to: string; aside: string; since?: string | null }): Promise<RestoredFiles>;
  /**
   * Takes the changes of some iterations, the last first, out of the files of commit `from`, which are those of now.
   * @param plan the plan, by its path from the project, as it shall be, null to leave it; its ticks are no text to merge
   * @returns what stands in the way, if anything does: nothing was changed then
   * @throws Error as `restore`
   */
  takeBack(options: {
    from: string;
    steps: readonly { before: string; after: string }[];
    plan: { path: string; text: string | null } | null;
    aside: string;
  }): Promise<RestoredFiles | { conflicts: string[] }>;
};

/** What git did, or why it did not; `ended`: ralph ended it. */
export type Tried<T> = { value: T } | { failed: string; ended?: "stopped" | "timed_out" };

/** What is checked out. */
export type Checkout = {
  /** Null for a detached HEAD. */
  branch: string | null;
  /** Null before the first commit. */
  head: string | null;
  /** What of git's own waits there for somebody: a rebase, a merge … */
  busy: string | null;
  /** Whether tracked files differ from the commit. */
  isChanged: boolean;
};

/** A branch to rebase on, as it is known here. */
export type BaseBranch = {
  /** Null before it was fetched, or if it is gone. */
  commit: string | null;
  /** Where it is fetched from; null for a branch of this repository. */
  remote: { name: string; branch: string } | null;
};

/** A rebase that stopped at a conflict: the commit's subject, and the paths from the repository's root. */
export type RebaseConflict = { subject: string; paths: string[]; marked: string[] };
export type RebaseEnd = "done" | RebaseConflict;

/** A file in a commit that is too large for most servers. */
export type LargeFile = { path: string; bytes: number };

/** What changes branches, tags and remotes: the git program. A git that fails is a value. */
export type Publisher = {
  checkout(): Promise<Tried<Checkout>>;
  /** Paths from the repository's root that differ from HEAD, or are new; ignored ones not. */
  uncommitted(): Promise<Tried<string[]>>;
  /** @returns the commit; null if there was nothing to commit */
  commitAll(message: string, signal: AbortSignal): Promise<Tried<{ commit: string; large: LargeFile[] } | null>>;
  /** @param name as a person writes it: `main`, `origin/main`. @returns null for what is no branch */
  base(name: string): Promise<Tried<BaseBranch | null>>;
  fetch(remote: { name: string; branch: string }, signal: AbortSignal): Promise<Tried<null>>;
  /** Whether a commit is there and among the ancestors of another one, or that itself. */
  isAncestor(commit: string, of: string): Promise<boolean>;
  /** Paths of files in no commit that git would overwrite in a rebase, as it ignores them. */
  overwrittenByRebase(onto: string): Promise<Tried<string[]>>;
  rebase(onto: string, signal: AbortSignal): Promise<Tried<RebaseEnd>>;
  /** Goes on with a rebase after its conflict, if that is solved. */
  rebaseOn(after: RebaseConflict, signal: AbortSignal): Promise<Tried<RebaseEnd | "unsolved">>;
  /** The commit that the branch of the rebase under way had; null without one. */
  rebasedFrom(): Promise<string | null>;
  /** Ends the rebase under way, if possible with branch and files as they were before it. */
  giveUpRebase(): Promise<Tried<null>>;
  /** How many commits fewer the branch has after a rebase, without those that the other branch has too. */
  lostByRebase(from: string, onto: string): Promise<number>;
  /** Checks out a branch as it was at a commit, without touching files: they are already those of that commit. */
  putBranchBack(branch: string, commit: string): Promise<void>;
  /** The remotes, with the main branch of each as far as it is known here. */
  remotes(): Promise<{ name: string; main: string | null }[]>;
  /** The remote that git would push a branch to; null if none can be told. */
  remoteOf(branch: string): Promise<string | null>;
  /** What the remote has: a branch, and the name of its main branch. */
  look(
    remote: string,
    branch: string,
    signal: AbortSignal,
  ): Promise<Tried<{ tip: string | null; main: string | null }>>;
  /**
   * Pushes a commit to a ref of the remote.
   * @param replaces the commit that the ref must have to be replaced; null: nothing is replaced
   */
  push(
    to: { remote: string; ref: string; commit: string; replaces: string | null },
    signal: AbortSignal,
  ): Promise<Tried<null>>;
  /** All tags, here and in the remote; those of HEAD. */
  tags(remote: string | null, signal: AbortSignal): Promise<Tried<{ all: string[]; remote: string[]; head: string[] }>>;
  /** @returns the id of the tag */
  tag(name: string, commit: string, message: string): Promise<Tried<string>>;
  /** Deletes a tag if it has this id. */
  untag(name: string, id: string): Promise<void>;
};

/** The project's own files, read again at each call. */
export type ProjectFiles = {
  /** Canonical folder. */
  dir: string;
  /** Whether the folder was removed or moved. */
  isGone(): boolean;
  /** The prompt's text. @throws RalphError if it is missing */
  prompt(): string;
  /** The plan's text; null if there is none. */
  plan(): string | null;
  /** The project's own prompt for reviews; null if there is none. */
  reviewPrompt(): string | null;
  /** Where it is written what was asked, for an agent that has seen nothing yet. */
  asked(): Asked;
};

/** Keeps an agent from changing what only ralph and its user may change. */
export type ProjectGuard = {
  /** Remembers the guarded files. Call it right before an agent starts. */
  watch(): void;
  /** Undoes changes since `watch`. @returns each change and what was done */
  repair(): string[];
  /** Restores a deleted prompt, plan, agent file, settings or journal. @returns the paths that were gone */
  restoreLost(): string[];
};

/** The files that keep the output of one call. */
export type CallFiles = { stdout: string; stderr: string };

/** An event, and the state after it. */
export type StateStep = { readonly event: RalphEvent; readonly state: State };

/** The files of one run, open for writing. */
export type RunFiles = {
  /** Appends to the journal. @throws if it cannot be written */
  write(events: readonly RalphEvent[]): void;
  /** Starts to flush the journal to the disk without waiting for it. */
  sync(): void;
  /** Updates the state files for these events; `state` is the state after the last of them. Never throws. */
  updateStateFiles(steps: readonly StateStep[]): void;
  callFiles(iteration: number, call: number): CallFiles;
  /** Path of another file in the run's folder; creates the folder if necessary. */
  file(name: string): string;
  /**
   * Backs up the files that the run needs, and guards them from now on.
   * @param snapshot makes the first line of a new journal if the agent destroyed the old one
   */
  guardProject(snapshot: () => RalphEvent): ProjectGuard;
  /** Gives back the room on the disk that is held for the run's last records. */
  freeRoom(): void;
  /** Closes them. @param ended the state of a run that has ended, for which the next start need not read its journal */
  close(ended: State | null): void;
};

/** What this user's runs spent, over all projects. */
export type SpendingLedger = {
  /** Adds what a call cost, in USD, that ended at `at` (epoch ms). @throws RalphError `environment` if it cannot be written */
  add(at: number, usd: number): void;
  /** USD spent on a local day such as `2026-11-22`. @throws RalphError `environment` if it cannot be read */
  spentOn(day: string): number;
};

/** The commands of gaps that looks of this user's own runs named in this project: a journal tells them too, but anybody may have written it. */
export type OwnGaps = { add(command: string): void; has(command: string): boolean };

/** A branch that may be landed. */
export type LandBranch = { name: string; commit: string; task: LandTask | null };

/** A file that a commit changes; null where it does not exist. The path is that from the project. */
export type ChangedText = { path: string; before: string | null; after: string | null };

/** What putting a branch on top of the stack came to. */
export type PutBranch =
  | { kind: "merged"; commit: string }
  /** All of it is there already. */
  | { kind: "there" }
  | { kind: "conflict"; sides: ConflictSides };

/** Ticks of a worktree's plan, and why they stayed there: null if the project's plan has them now. */
export type CarriedTicks = { worktree: string; tasks: string[]; why: string | null };

/** Where branches are put together, and the target that gets them. The scratch checkout is thrown away at the end, and after a kill. */
export type LandYard = {
  /** Name of the branch that gets them. */
  readonly target: string;
  /** The target's commit now. */
  tip(): Promise<string>;
  /** Whether a commit is in another's history. */
  isIn(commit: string, other: string): Promise<boolean>;
  /**
   * The branches to land: those that workers have handed in, in the order of the plan, or those that are named.
   * @returns also those that cannot be taken, and why
   */
  candidates(named: readonly string[] | null): Promise<{ branches: LandBranch[]; without: LeftBranch[] }>;
  /**
   * Makes the checkout anew, at this commit.
   * @param signal ends what git does there from then on
   * @throws RalphError `environment` if it cannot be made
   */
  open(base: string, signal: AbortSignal): Promise<void>;
  /** Puts a branch on what is checked out. */
  put(branch: LandBranch, below: string): Promise<PutBranch>;
  /** Checks a commit out with nothing else beside it but what git ignores in the project. @returns the project's folder in it */
  checkOut(commit: string): Promise<string>;
  /** The files of the project that a commit changes. */
  changes(commit: string, wanted: (path: string) => boolean): Promise<ChangedText[]>;
  /** A file of the project as it is checked out; null if there is none. */
  read(path: string): string | null;
  /** The file of the project to which a path leads through links there; null for the path itself, or none. */
  leadsTo(path: string): string | null;
  /** Writes files of the project over what is checked out, or deletes them (null). */
  lay(files: ReadonlyMap<string, string | null>): void;
  /** Moves the target from one commit to another, if it is still there, and takes landed work out of the queue. */
  move(from: string, to: string, branches: readonly LandBranch[]): Promise<TargetMove>;
  /**
   * Ticks the boxes of landed work where the plan is in no commit, and takes what is left of it out of the queue.
   * @returns what of it was ticked in worktrees of a person, for each that had such a tick
   */
  settle(branches: readonly LandBranch[]): Promise<CarriedTicks[]>;
  /** Gives handed-in work back to its author. "gone": somebody else has changed its claim; "kept": it has none. */
  giveBack(
    branch: LandBranch,
    why: "red" | "conflict",
    message: string,
  ): Promise<"returned" | "parked" | "gone" | "kept">;
  /** Whether moving the target changes files that a person may have open. */
  touchesProject(): Promise<boolean>;
  /** Removes the checkout. */
  close(): Promise<void>;
};

/** A worktree in which a swarm's worker does one task after the other, each in a process of its own. */
export type SwarmWorker = {
  /** As a person calls it, `w1`. */
  name: string;
  /** In claims. */
  id: string;
  /** The project's folder in it. */
  project: string;
};

/** A worker's process. */
export type WorkerProcess = {
  /** Its exit code; null if a signal ended it. */
  exited: Promise<number | null>;
  /** The error that it ended with and what to do about it, in its own words; null if it printed none. */
  words(): string | null;
  /** `after_iteration` lets the iteration under way finish. */
  stop(how: "after_iteration" | "now"): void;
};

/** What a swarm sees and does. */
export type SwarmYard = {
  workers: readonly SwarmWorker[];
  /** The project's other worktrees: of a larger swarm before this one, or of a person. */
  others: readonly SwarmWorker[];
  /** The tasks of the plan as they are on the target, and the claims on them. @throws RalphError `environment` if git fails */
  look(): Promise<{ graph: TaskGraph; claims: Map<string, HeldClaim> }>;
  /** @param share what it may use at most, and how long, as flags of `ralph run` */
  start(worker: SwarmWorker, task: string, share: readonly string[]): WorkerProcess;
  /** The newest run of a worker; null before its first. */
  newest(worker: SwarmWorker): State | null;
  /** The runs in the worktree of that name, the newest first; those of one that was removed, too. */
  runs(name: string): Iterable<State>;
  /** Whether a process works there that this swarm did not start: one of a swarm that was killed. */
  isBusy(worker: SwarmWorker): boolean;
  /** Says something to the live run of a worker. @returns whether it heard it; it may not listen yet, or not any more */
  say(worker: SwarmWorker, text: string): Promise<boolean>;
  /**
   * Frees the branch of the task that a worker was at which ended, with all that it left.
   * @param isHeld whether it still has the task
   * @returns why a person has to look at the work; null if nobody has to
   * @throws RalphError `environment` if git fails
   */
  leave(worker: SwarmWorker, task: Pick<WorkTask, "id" | "text">, isHeld: boolean): Promise<string | null>;
  /** Repositories in a worker's checkout with work that no commit of it takes along, from its root. @throws RalphError `environment` if git fails */
  leftInside(worker: SwarmWorker): Promise<string[]>;
  /** Changes a claim if it is still the one that was seen. @returns whether it was */
  settle(task: string, seen: string, next: TaskClaim | null): Promise<boolean>;
};

/** Branches that were neither landed nor returned, and why. */
export type LeftBranch = { name: string; why: string };

/**
 * What became of the target: it was moved, somebody else has moved it, or it cannot be, and why. `behind`: submodules that are checked out
 * with it, at the commits that it had before, and the command that brings them along.
 */
export type TargetMove =
  | { kind: "done"; behind?: { paths: string[]; command: string } }
  | { kind: "moved" }
  | { kind: "refused"; why: string };

/** A copy of the project's tree in a folder of its own. */
export type TreeCopy = { dir: string; remove(): void };

/** The files that gates run and read, wherever they are kept. Paths are relative to the project, with forward slashes. */
export type GateFiles = {
  /** Every file that counts in a snapshot, with what identifies its content and mode; of `also` those too that it does not show. */
  list(tree: Snapshot, also?: readonly string[]): ReadonlyMap<string, string>;
  /** The bytes of a file now; null if it is gone, unreadable, or larger than `most` bytes. */
  read(path: string, most?: number): Uint8Array | null;
  /** The file of the project that a path leads to through links; null if it is that file, or there is none. */
  leadsTo(path: string): string | null;
  /**
   * Writes a file of the project, or deletes it (null).
   * @param id what identified its content and mode: a program stays one
   * @returns where a folder in its place, or a file in the place of its folder, was moved; null for none
   * @throws the file system's error, RalphError `environment` if a link leads out of the project
   */
  write(path: string, content: Uint8Array | null, id?: string): string | null;
  /**
   * Copies the files of a snapshot as they are now, with `changes` laid over them (null: left out), and links what the project
   * ignores, such as installed dependencies, so that gates can run there.
   * @throws the file system's error, after removing what it had copied
   */
  copyTree(tree: Snapshot, changes: ReadonlyMap<string, Uint8Array | null>): Promise<TreeCopy>;
  /** Keeps a text in the folder of a run. @returns its SHA-256 */
  keep(run: string, name: string, text: string): string;
  /** A kept text; null if it is gone or, where a digest is given, another one. */
  kept(run: string, name: string, digest: string | null): string | null;
};

/** A hidden gate: a check outside the project, of which the agent learns what it requires, and nothing else. */
export type HiddenGate = { command: string; requirement: string | null };

export type HiddenGates = {
  /** The gates of HIDDEN_GATES. @throws RalphError `environment` for one whose file lies inside the project */
  open(entries: readonly string[]): HiddenGate[];
  /** Path outside the project for the output of a hidden gate. @throws the file system's error */
  outputFile(run: string, name: string): string;
};

/** A run of a project's journals. */
export type FoldedRun = {
  run: string;
  dir: string;
  /** Named as the folder is: a journal that came with a clone may name any run. */
  state: State;
  /** Numbers of the journal's unreadable lines. */
  badLines: number[];
};

/** The agents of a run that may be alive. */
export type Agents = {
  /** Values of RALPH_RUN in their environments. */
  markers: readonly string[];
  /** Their process groups. */
  groups: readonly number[];
};

/** How a run hears commands. */
export type ControlListener = {
  /** The project's folder, canonical. */
  project: string;
  run: string;
  /** The agents that may not steer the run, at this moment. */
  agents(): Agents;
  /** @returns false if it could not be recorded, and is not carried out */
  onCommand(command: ControlCommand): boolean;
  /** Something that the user should know: a command was refused, or the socket is gone. */
  onWarning(text: string): void;
  /** True once the run takes no more commands. */
  isOver(): boolean;
};

/** Everything outside ralph that a run uses: one project, and the machine. Built only by `effects/world.ts`. */
export type World = {
  project: ProjectFiles;
  host: Host;
  /** Environment of the programs that a run starts. */
  env: Record<string, string>;
  /** Pid of this process. */
  pid: number;
  clock: Clock;
  /** Running time in ms since some moment: setting the clock does not move it, and sleep may not count. */
  runningMs(): number;
  /** By how many ms local time is ahead of UTC at a time (epoch ms). */
  offsetAt(at: number): number;
  /** IANA name of the user's time zone, for reset times without one. */
  readonly zone: string;
  newSessionId(): string;
  /** Prices of models, for agents that tell no cost. */
  readonly prices: PriceTable;
  ledger: SpendingLedger;
  /** Whether a run of this user has worked in the project before. */
  isListed(): boolean;
  ownGaps: OwnGaps;
  process: ProcessPort;
  /** Null: agents run as ralph does. */
  sandbox: Sandbox | null;
  workspace: Workspace;
  checkpoints: Checkpoints;
  /**
   * Made when it is asked for: few runs need the git program.
   * @param marker value of RALPH_RUN in the environment of git, by which the next run ends what a kill left
   * @param stop once it has aborted, each call of git has only some seconds more
   */
  publisher(marker: string, stop: AbortSignal): Promise<Publisher>;
  gateFiles: GateFiles;
  hiddenGates: HiddenGates;
  /** The beginning and the end of a text file, or of what follows `from` in it, without overlap; all in bytes. */
  outputEnds(path: string, max: { head: number; tail: number; from?: number }): { head: string; tail: string };
  /** Of a regular file, in bytes; 0 if none can be read there. */
  fileSize(path: string): number;

  /**
   * Takes the project's lock for a run; call the result to release it.
   * @param onLost another ralph has taken this one for dead and holds the lock, or the project was deleted: the run must end at once
   * @throws RalphError `environment` if another ralph holds it
   */
  takeLock(run: string, onLost: (error: Error) => void): () => void;
  /** The name of the next run. */
  nextRun(): string;
  /** The newest run with a readable journal; null if there is none. */
  newestRun(version: string): FoldedRun | null;
  /** Calls back after so many ms, unless the process ends first. */
  after(ms: number, call: () => void): void;
  /**
   * Opens a run's journal and state files.
   * @param warn reports a state file that cannot be written; the run goes on without it
   * @throws RalphError `environment` if the run's folder cannot be written
   */
  openRun(run: string, warn: (text: string) => void): RunFiles;
  /** Moves unreadable lines of a journal aside. @returns the path of the copy */
  moveCorruptJournalAside(dir: string): string;
  /** State files of the originals, or our own as others edited them; `flat` includes those at the project's root. */
  readOldFiles(flat: boolean): OldFiles;
  moveOldFilesAside(names: readonly OldFileName[], flat: boolean): void;
  /**
   * Ends the processes that a killed ralph left.
   * @param seenAt epoch ms at which ralph last saw the process
   * @returns the pids of the ended processes
   */
  endOrphan(process: ProcessIdentity, seenAt: number | null): Promise<number[]>;
  /**
   * Listens for commands to a run from other processes of this user; call the result to stop.
   * @throws when commands cannot be received
   */
  listenForControl(listener: Omit<ControlListener, "project">): () => void;
};
