import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import type { State } from "../../src/core/journal/state.ts";
import { LIST_PRICES } from "../../src/core/money/prices.ts";
import { dayOf } from "../../src/core/money/spending.ts";
import type { Settings } from "../../src/core/settings/settings.ts";
import type { OldFiles } from "../../src/core/state-files/legacy/adopt-legacy.ts";
import { renderStateFiles } from "../../src/core/state-files/render-state-files.ts";
import { utcOffset } from "../../src/core/text/time-text.ts";
import type { AgentEvent, CommandRequest, Driver } from "../../src/driver.ts";
import type {
  FoldedRun,
  HiddenGate,
  ProcessOptions,
  ProcessResult,
  ProjectFiles,
  ProjectGuard,
  Snapshot,
  World,
} from "../../src/effects/ports.ts";
import type { Agent } from "../../src/run/agent.ts";
import type { EventSubscriber } from "../../src/run/recorder.ts";
import { type Run, type RunSpec, withRun } from "../../src/run/run.ts";
import { NOON, settingsOf, stateOf } from "../core/given.ts";
import { type MemoryTree, memoryGateFiles } from "./fake-gate-files.ts";

/** A driver of an agent that prints its events as JSON; a line in words is no event. */
export const plainDriver: Driver = {
  name: "demo",
  displayName: "Demo",
  cliBinary: "demo",
  validTools: [],
  buildCommand: () => ({ argv: ["demo"], stdin: "" }),
  decoder: (kit) => ({
    line: (text) => [kit.json(text)].flat().filter(kit.isRecord) as AgentEvent[],
    end: () => [],
  }),
};

export const requestOf = (about: Partial<CommandRequest> = {}): CommandRequest => ({
  binary: ["demo"],
  prompt: "Work.",
  context: null,
  resume: null,
  newSessionId: "chosen",
  format: "json",
  partial: false,
  model: null,
  effort: null,
  allowedTools: null,
  permissionMode: "default",
  readOnly: false,
  cwd: "/project",
  isGitRepository: false,
  ...about,
});

export const resultOf = (about: Partial<ProcessResult> = {}): ProcessResult => ({
  outcome: "ok",
  noWrites: false,
  exitCode: 0,
  signal: null,
  ms: 10,
  stderrTail: [],
  spawnError: null,
  leftovers: [],
  ...about,
});

export const finished: AgentEvent = { type: "finished", ok: true, text: "Done.", duration_ms: null, cost_usd: null };

/** The effects of a process on the project while it runs. */
type Effects = {
  /** Files that it writes. */
  changes?: readonly string[];
  /** The same with their contents; null deletes one. */
  writes?: Readonly<Record<string, string | null>>;
  /** Ids of commits that it makes. */
  commits?: readonly string[];
  /** The plan's text when it has ended. */
  plan?: string;
  /** Anything else that happens in the outside world meanwhile. */
  meanwhile?(options: ProcessOptions): void;
};

/** How a gate ends. */
export type GatePlay = Effects & { exit?: number; outcome?: ProcessResult["outcome"]; prints?: string };

/** An agent's output (events, or lines of words), its effects, and how its process ends. */
export type Play = Effects & {
  says?: readonly (AgentEvent | string)[];
  ends?: Partial<ProcessResult>;
  /** How the gates after this play end, in order; a gate without an entry passes and writes nothing. */
  gates?: readonly GatePlay[];
};

export type FakeParts = {
  /** The time that the machine ran; by default as the clock says. */
  runningMs?: () => number;
  /** One play for each call of the agent. After the last one, the agent prints and changes nothing. */
  plays?: readonly Play[];
  /** How the gates before the first call end. */
  gates?: readonly GatePlay[];
  /** How every other gate ends, by its command and the files in its folder; it passes where this is absent. */
  check?(command: string, files: ReadonlyMap<string, string>): GatePlay;
  /** The project's files at the start. */
  tree?: Readonly<Record<string, string>>;
  hidden?: readonly HiddenGate[];
  /** What earlier runs kept, by `run/name`. */
  kept?: ReadonlyMap<string, string>;
  driver?: Partial<Driver>;
  settings?: Partial<Settings>;
  /** The state in which the newest run ended; absent if there is none. */
  earlier?: Partial<State>;
  /** Unreadable lines of its journal. */
  badLines?: number[];
  oldFiles?: OldFiles;
  plan?: string | null;
  files?: Partial<ProjectFiles>;
  guard?: Partial<ProjectGuard>;
  world?: Partial<World>;
  agent?: Partial<Agent>;
  spec?: Partial<RunSpec>;
  subscribers?: readonly EventSubscriber[];
  /** What happens in the outside world during each wait. */
  whileWaiting?(run: Run): void;
  /** Called before events are written; what it throws, the journal throws. */
  onWrite?(events: readonly RalphEvent[]): void;
};

export type Fake = {
  world: World;
  agent: Agent;
  /** All written events, of every run. */
  journal: RalphEvent[];
  /** Locks, openings and endings, in order. */
  log: string[];
  /** Requests of the calls, and commands of the gates, in order. */
  started: ProcessOptions[];
  /** What the state files were brought up to: the last state, and the events since the time before. */
  updates: { state: State; events: readonly RalphEvent[] }[];
  gateFiles: MemoryTree;
  /** Runs a job in this world. */
  run<T>(job: (run: Run, agent: Agent) => Promise<T>): Promise<T>;
};

/**
 * The outside world of a run, in memory. The clock jumps to the end of each wait and call. A process changes the tree only if
 * its play says so: an idle agent makes no progress here either.
 */
export function fakeWorld(parts: FakeParts = {}): Fake {
  const journal: RalphEvent[] = [];
  const log: string[] = [];
  const started: ProcessOptions[] = [];
  const updates: Fake["updates"] = [];
  const spending: { day: string; usd: number }[] = [];
  // What a run left was named in runs of this user.
  const gaps = new Set(parts.earlier?.looks?.gaps.map(({ command }) => command));
  const plays = [...(parts.plays ?? [])];
  const writes: Pick<Effects, "changes" | "commits">[] = [];
  const trees: ReadonlyMap<string, string>[] = [new Map(Object.entries(parts.tree ?? {}))];
  const outputs = new Map<string, string>();
  let gates = parts.gates ?? [];
  let plan = parts.plan ?? null;
  let now = NOON;
  let current: Run | null = null;
  const settings = settingsOf(parts.settings);

  const head = () => writes.flatMap(({ commits = [] }) => commits).at(-1) ?? null;
  const snapshot = (): Snapshot => ({
    id: `tree-${writes.length + 1}`,
    head: head(),
    branch: null,
    isGitRepository: false,
  });
  const position = ({ id }: Snapshot) => Number(id.slice("tree-".length)) - 1;

  const treeNow = () => trees.at(-1) ?? new Map<string, string>();
  const gateFiles = memoryGateFiles(
    (tree) => (tree === null ? treeNow() : (trees[position(tree)] ?? treeNow())),
    (path, text) => write({ [path]: text }),
  );
  for (const [name, text] of parts.kept ?? []) gateFiles.kept.set(name, text);

  function write(files: Readonly<Record<string, string | null>>, commits: readonly string[] = []): void {
    const tree = new Map(treeNow());
    for (const [path, text] of Object.entries(files)) {
      if (text === null) tree.delete(path);
      else tree.set(path, text);
    }
    writes.push({ changes: Object.keys(files), commits });
    trees.push(tree);
  }

  function happen(effects: Effects, options: ProcessOptions): void {
    const { changes = [], writes: contents = {}, commits = [], plan: text, meanwhile } = effects;
    meanwhile?.(options);
    const files = { ...Object.fromEntries(changes.map((path) => [path, ""])), ...contents };
    if (Object.keys(files).length > 0 || commits.length > 0) write(files, commits);
    if (text !== undefined) plan = text;
  }

  function playCall(options: ProcessOptions): ProcessResult {
    const play = plays.shift() ?? {};
    const result = resultOf(play.ends);
    gates = play.gates ?? [];
    if (result.outcome === "spawn_failed") return result;
    options.onStart({ pid: 1, group: 1, startTime: null });
    options.onLines((play.says ?? []).map((line) => (typeof line === "string" ? line : JSON.stringify(line))));
    happen(play, options);
    now += result.ms;
    return options.signal.aborted ? resultOf({ outcome: "stopped", exitCode: null, signal: "SIGTERM" }) : result;
  }

  function playGate(command: string, options: ProcessOptions): ProcessResult {
    const [next, ...rest] = gates;
    const gate = next ?? parts.check?.(command, gateFiles.filesIn(options.cwd)) ?? {};
    gates = rest;
    outputs.set(options.stdoutFile, gate.prints ?? "");
    options.onStart({ pid: 2, group: 2, startTime: null });
    happen(gate, options);
    if (options.signal.aborted) return resultOf({ outcome: "stopped", exitCode: null, signal: "SIGTERM" });
    return resultOf({ outcome: gate.outcome ?? "ok", exitCode: gate.exit ?? 0 });
  }

  const newest: FoldedRun | null =
    parts.earlier === undefined
      ? null
      : {
          run: "0001",
          dir: "/runs/0001",
          state: stateOf({ run: "0001", updated_at: new Date(NOON).toISOString(), ...parts.earlier }),
          badLines: parts.badLines ?? [],
        };

  const world: World = {
    checkpoints: {
      make: () => null,
      read: () => null,
      restore: async () => ({ written: 0, deleted: 0, set_aside: [], left: [] }),
      takeBack: async () => ({ conflicts: [] }),
    },
    publisher: async () => {
      throw new Error("no git here");
    },
    project: {
      dir: "/project",
      isGone: () => false,
      prompt: () => "Work.",
      plan: () => plan,
      reviewPrompt: () => null,
      asked: () => ({ task: null, files: [".ralph/PROMPT.md"] }),
      ...parts.files,
    },
    host: {
      platform: "linux",
      env: {},
      cwd: "/project",
      home: "/home",
      isRoot: false,
      which: () => null,
      run: async () => ({ exit_code: 0, stdout: "", stderr: "" }),
    },
    env: {},
    pid: 4711,
    offsetAt: utcOffset,
    clock: {
      now: () => now,
      sleepUntil: async (until, signal) => {
        if (current !== null) parts.whileWaiting?.(current);
        if (!signal.aborted) now = Math.max(now, until);
      },
    },
    runningMs: parts.runningMs ?? (() => now),
    zone: "UTC",
    newSessionId: () => "chosen",
    prices: LIST_PRICES,
    ownGaps: { add: (command) => void gaps.add(command), has: (command) => gaps.has(command) },
    isListed: () => true,
    ledger: {
      add: (at, usd) => void spending.push({ day: dayOf(at), usd }),
      spentOn: (day) => spending.reduce((sum, one) => sum + (one.day === day ? one.usd : 0), 0),
    },
    sandbox: null,
    process: {
      run: async ({ argv }, options) => {
        started.push(options);
        const isGate = /-(?:gate|check)-/.test(options.stdoutFile) || options.stdoutFile.startsWith("/hidden/");
        return isGate ? playGate(argv.at(-1) ?? "", options) : playCall(options);
      },
    },
    workspace: {
      isGitRepository: false,
      head,
      branch: () => null,
      indexLock: () => null,
      snapshot: async () => snapshot(),
      changes: async (before, after) => {
        const between = writes.slice(position(before), position(after));
        return {
          files: [...new Set(between.flatMap(({ changes = [] }) => changes))].sort(),
          commits: between.flatMap(({ commits = [] }) => commits).reverse(),
          headMoved: before.head !== after.head,
        };
      },
      subject: async (commit) => `message of ${commit}`,
      fingerprint: ({ id }) => id,
      warnings: [],
    },
    gateFiles: gateFiles.port,
    hiddenGates: {
      open: (entries) => (entries.length === 0 ? [] : [...(parts.hidden ?? [])]),
      outputFile: (run, name) => `/hidden/${run}/${name}`,
    },
    outputEnds: (path) => ({ head: outputs.get(path) ?? "", tail: "" }),
    fileSize: () => 0,
    takeLock: (run) => {
      log.push(`lock ${run}`);
      return () => log.push("unlock");
    },
    nextRun: () => (newest === null ? "0001" : "0002"),
    newestRun: () => newest,
    after: (_, call) => call(),
    openRun: (run) => {
      log.push(`open ${run}`);
      return {
        write: (events) => {
          parts.onWrite?.(events);
          journal.push(...events);
        },
        sync: () => {},
        updateStateFiles: (steps) => {
          const last = steps.at(-1);
          if (last !== undefined) updates.push({ state: last.state, events: steps.map(({ event }) => event) });
        },
        callFiles: (iteration, call) => ({ stdout: `${iteration}-${call}.out`, stderr: `${iteration}-${call}.err` }),
        file: (name) => name,
        guardProject: () => ({
          watch: () => log.push("watch"),
          repair: () => [],
          restoreLost: () => [],
          ...parts.guard,
        }),
        freeRoom: () => log.push("free room"),
        close: () => log.push(`close ${run}`),
      };
    },
    moveCorruptJournalAside: (dir) => `${dir}/copy`,
    readOldFiles: () => parts.oldFiles ?? (newest === null ? {} : stateFilesOf(newest.state)),
    moveOldFilesAside: (names) => log.push(...names.map((name) => `aside ${name}`)),
    endOrphan: async ({ marker }) => {
      log.push(`end ${marker}`);
      return [99];
    },
    listenForControl: ({ run }) => {
      log.push(`listen ${run}`);
      return () => log.push("deaf");
    },
    ...parts.world,
  };
  const agent: Agent = {
    driver: { ...plainDriver, ...parts.driver },
    binary: ["demo"],
    onPartial: () => {},
    live: false,
    ...parts.agent,
  };
  const spec: RunSpec = {
    driver: agent.driver,
    settings,
    version: "0.0.0",
    startedBy: "cli",
    subscribers: parts.subscribers ?? [],
    recordIn: "new run",
    takesCommands: true,
    ...parts.spec,
  };
  return {
    world,
    agent,
    journal,
    log,
    started,
    updates,
    gateFiles,
    run: (job) =>
      withRun(world, spec, (run) => {
        current = run;
        return job(run, agent);
      }),
  };
}

/** The state files that ralph wrote. */
function stateFilesOf(state: State): OldFiles {
  const files = renderStateFiles(state, { head: null, outputFile: null });
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, text]) => (text === null ? [] : [[name, { text, mtime: NOON }]])),
  );
}

/** The events of some types, without the envelope. */
export function bodiesOf(journal: readonly RalphEvent[], ...types: EventBody["type"][]): object[] {
  return journal.filter(({ type }) => types.includes(type)).map(({ v, seq, at, run, iteration, ...body }) => body);
}

/** The types of a run's events, without `run_started`. */
export function typesOf(journal: readonly RalphEvent[]): string[] {
  return journal.map(({ type }) => type).filter((type) => type !== "run_started");
}
