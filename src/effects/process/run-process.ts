import type { ChildProcess } from "node:child_process";
import process from "node:process";
import type { AgentOutcome } from "../../core/journal/event.ts";
import { nap, systemClock } from "../clock.ts";
import type { Clock, ProcessOptions, ProcessPort, ProcessResult } from "../ports.ts";
import { endProcesses } from "../process-tree/end-processes.ts";
import { type KernelMarker, openKernelMarker } from "../process-tree/kernel-mark.ts";
import { type ProcessInfo, SPAWN_ORIGIN, startTimeFrom } from "../process-tree/process-info.ts";
import { findMembers, forkCount, listProcesses, type ProcessTree, startTimeOf } from "../process-tree/process-tree.ts";
import type { LostOutputs } from "../protect/lost-outputs.ts";
import { createFloodPace, type FloodPace } from "./flood-pace.ts";
import type { Guardian } from "./guardian.ts";
import { createIdleWatch } from "./idle-watch.ts";
import { maskedFile } from "./masked-file.ts";
import { type OutputFile, openOutputFile } from "./output-file.ts";
import { createOutputReader } from "./output-reader.ts";
import { type Agent, spawnAgent } from "./spawn-agent.ts";
import { createWatchdog, type EndReason, type Vitals } from "./watchdog.ts";

/** How long to wait for a killed process to report its exit; one stuck in the kernel is given up. */
const EXIT_MS = 2000;
/**
 * How long an agent whose answer is complete may be silent and idle before it counts as hung: OpenCode, which has no final
 * event, was recorded to retry in silence for 78 s.
 */
const OVER_MS = 120_000;

type Files = { stdout: OutputFile; stderr: OutputFile };
type Exit = { code: number | null; signal: string | null };
type Ending = Pick<ProcessResult, "outcome" | "ms"> & Partial<ProcessResult>;

/**
 * Runs agents: one call returns one complete result (product.md "Signals and processes"). Overlapping calls need different
 * markers: after each call, every process with its RALPH_RUN is ended.
 * @param clock measures timeouts; the short waits around an exit use real time
 * @param lost keeps outputs that the agent deletes while it runs
 * @param guardian ends the agent if this process is killed
 * @param openPace hears how many lines each call has
 * @throws RalphError `environment` if the output cannot be written, and anything that `onStart` or `onLines` throws. The
 * agent is ended first.
 */
export function createProcessPort(
  clock: Clock = systemClock,
  lost: LostOutputs | null = null,
  guardian: Guardian | null = null,
  openPace: () => FloodPace = createFloodPace,
): ProcessPort {
  let mark: KernelMarker | null = null;
  return {
    async run(command, options) {
      const startedAt = clock.now();
      const notStarted = (outcome: AgentOutcome, spawnError: string | null) =>
        result({ outcome, spawnError, ms: clock.now() - startedAt });
      const { mask = null } = options;
      const opened = (path: string) => {
        const file = openOutputFile(path, lost);
        return mask === null ? file : maskedFile(file, mask);
      };
      const stdout = opened(options.stdoutFile);
      const stderr = opened(options.stderrFile);
      try {
        if (options.signal.aborted) return notStarted("stopped", null);
        const env = { ...options.env, ...command.env, RALPH_RUN: options.marker };
        // Before the start: a kill in between must not leave an agent that nobody knows.
        await guardian?.opening(options.marker);
        mark ??= openKernelMarker() ?? ((_, start) => start());
        const forks = forkCount();
        const calledAt = Date.now();
        const spawned = await spawnAgent(command, { cwd: options.cwd, env, marker: options.marker, mark });
        if ("error" in spawned) return notStarted("spawn_failed", spawned.error);
        guardian?.opened(options.marker, spawned.pid);
        return await follow({ ...spawned, forks, calledAt }, { stdout, stderr }, options, {
          clock,
          startedAt,
          pace: openPace(),
        });
      } finally {
        guardian?.closed(options.marker);
        try {
          stdout.close();
        } finally {
          stderr.close();
        }
      }
    },
  };
}

/** From the agent's start to the end of everything it started. */
async function follow(
  { child, pid, pipes, forks, calledAt }: Agent & { forks: number | null; calledAt: number },
  files: Files,
  options: ProcessOptions,
  { clock, startedAt, pace }: { clock: Clock; startedAt: number; pace: FloodPace },
): Promise<ProcessResult> {
  const { marker, graceMs } = options;
  const vitals: Vitals = { exited: false, broken: false, finishedAt: null, lastOutput: startedAt };
  const startTime = startTimeOfChild(pid, calledAt);
  const isOurs = () => process.platform === "win32" && !vitals.exited;
  const tree = { pid, group: pid, startTime, marker, graceMs, forks, isOurs };
  const watchdog = createWatchdog({
    clock,
    vitals,
    deadline: options.timeoutMs > 0 ? startedAt + options.timeoutMs : Number.POSITIVE_INFINITY,
    stop: options.signal,
    idle: createIdleWatch(clock, options.idleMs, options.isAlive ?? (() => false), () => livingMembers(tree)),
    writes: createIdleWatch(clock, options.writeMs ?? 0, options.hasWritten ?? (() => false), async () =>
      (await livingMembers(tree)).filter((info) => info.pid !== pid),
    ),
    isOver: () => options.isOver?.() === true,
    over: createIdleWatch(
      clock,
      OVER_MS,
      () => false,
      () => livingMembers(tree),
    ),
  });
  const exit = exitOf(child, () => {
    vitals.exited = true;
    watchdog.wake();
  });
  let known: Promise<ProcessInfo[]> = Promise.resolve([]);
  const output = createOutputReader(pipes, files, {
    onBytes() {
      vitals.lastOutput = clock.now();
    },
    onLines(lines) {
      options.onLines(lines);
      pace.lines(lines.length);
      if (options.isOver?.() === true) watchdog.wake();
      if (vitals.finishedAt !== null || !options.isFinished()) return;
      vitals.finishedAt = clock.now();
      // Without readable environments, a process that leaves the tree can be found only while its parent lives.
      if (process.platform !== "linux") known = livingMembers(tree);
      watchdog.wake();
    },
    onBroken() {
      vitals.broken = true;
      watchdog.wake();
    },
  });

  try {
    options.onStart({ pid, group: tree.group, startTime: tree.startTime });
    const reason = await watchdog.watch();
    if (reason !== null) await endProcesses(tree, await known);
    const { code, signal } = await (vitals.exited ? exit : withTimeout(EXIT_MS, exit, { code: null, signal: null }));
    await output.drain();
    return result({
      outcome: outcomeOf(reason, code),
      noWrites: reason === "no_writes",
      exitCode: code,
      signal,
      ms: clock.now() - startedAt,
      stderrTail: output.stderrTail(),
      leftovers: await endProcesses(tree, await known),
      ...keptOf(files),
    });
  } catch (error) {
    output.close();
    await endProcesses(tree, await known);
    throw error;
  } finally {
    pace.end();
  }
}

function keptOf({ stdout, stderr }: Files): Pick<ProcessResult, "keptBytes"> {
  const keptBytes = stdout.keptBytes() ?? stderr.keptBytes();
  return keptBytes === null ? {} : { keptBytes };
}

/** An agent that gave its final event has answered, even if ralph ended it. */
function outcomeOf(reason: EndReason | null, code: number | null): AgentOutcome {
  if (reason === "finished" || reason === "over") return "ok";
  if (reason === "no_writes") return "idle";
  if (reason === null || reason === "broken") return code === 0 ? "ok" : "failed";
  return reason;
}

async function livingMembers(tree: ProcessTree): Promise<ProcessInfo[]> {
  return findMembers(await listProcesses(tree), tree);
}

function exitOf(child: ChildProcess, onExit: () => void): Promise<Exit> {
  return new Promise((resolve) => {
    // Not "close": that waits for every child that holds a pipe.
    child.once("exit", (code, signal) => {
      resolve({ code, signal });
      onExit();
    });
  });
}

/**
 * Windows does not report the start time at once, so use the moment before the call: a scan of a new program may delay the
 * call that starts it.
 * @param calledAt epoch ms
 */
function startTimeOfChild(pid: number, calledAt: number): string | null {
  return process.platform === "win32" ? startTimeFrom(SPAWN_ORIGIN, calledAt) : startTimeOf(pid);
}

async function withTimeout<T>(ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  const settled = new AbortController();
  const late = nap(ms, settled.signal).then(() => otherwise);
  const first = await Promise.race([promise, late]);
  settled.abort();
  return first;
}

function result(ending: Ending): ProcessResult {
  return {
    noWrites: false,
    exitCode: null,
    signal: null,
    stderrTail: [],
    spawnError: null,
    leftovers: [],
    ...ending,
    // A steady clock returns fractions.
    ms: Math.max(Math.round(ending.ms), 0),
  };
}
