import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import type { State } from "../../src/core/journal/state.ts";
import type { Settings } from "../../src/core/settings/settings.ts";
import type { AgentEvent, CommandRequest, Driver } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { textDecoder } from "../../src/driver-host/text-decoder.ts";
import type { ProcessOptions, ProcessResult, Snapshot } from "../../src/effects/ports.ts";
import type { LoopDeps, ProjectPort } from "../../src/run/deps.ts";
import type { CallDecoders } from "../../src/run/listener.ts";
import { createRecorder, type EventSubscriber } from "../../src/run/recorder.ts";
import { createStopController, type StopController } from "../../src/run/stop-controller.ts";
import { NOON, settingsOf, stateOf } from "../core/given.ts";

export const decoders: CallDecoders = { kit: decoderKit, text: textDecoder };

/** A driver of an agent that prints its events as they are; a line in words is none. */
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

/** What an agent prints (events, or lines of words) and how its process ends. */
export type Play = {
  says?: readonly (AgentEvent | string)[];
  ends?: Partial<ProcessResult>;
  /** What happens in the outside world while it works. */
  meanwhile?(options: ProcessOptions): void;
};

export type FakeRun = { deps: LoopDeps; journal: RalphEvent[]; stops: StopController; plays: Play[] };

export type FakeParts = {
  plays?: Play[];
  driver?: Partial<Driver>;
  settings?: Partial<Settings>;
  state?: Partial<State>;
  project?: Partial<ProjectPort>;
  deps?: Partial<LoopDeps>;
  readers?: EventSubscriber[];
  /** What happens in the outside world during each wait. */
  whileWaiting?(stops: StopController): void;
};

/**
 * The outside world of a run in memory. The clock jumps to the end of each wait; each call of the agent takes the next of
 * `plays`, and each snapshot finds another tree than the one before.
 */
export function fakeRun(parts: FakeParts = {}): FakeRun {
  const journal: RalphEvent[] = [];
  const plays = [...(parts.plays ?? [])];
  let now = NOON;
  let trees = 0;
  const settings = settingsOf(parts.settings);
  const recorder = createRecorder({
    run: "r",
    state: stateOf({ settings: { ...settings }, ...parts.state }),
    now: () => now,
    write: (events) => void journal.push(...events),
    sync: () => {},
    readers: parts.readers ?? [],
  });
  const stops = createStopController((how, by) => recorder.append({ type: "stop_requested", how, by }));
  const snapshot = (): Snapshot => ({ id: `tree-${++trees}`, head: null, isGitRepository: false });
  const deps: LoopDeps = {
    driver: { ...plainDriver, ...parts.driver },
    binary: ["demo"],
    settings,
    recorder,
    workspace: {
      isGitRepository: false,
      head: () => null,
      snapshot: async () => snapshot(),
      changes: async () => ({ files: ["a.ts"], commits: [], headMoved: false }),
      fingerprint: ({ id }) => id,
      warnings: [],
    },
    process: { run: async (_command, options) => play(plays.shift() ?? {}, options) },
    clock: {
      now: () => now,
      sleepUntil: async (until, signal) => {
        parts.whileWaiting?.(stops);
        if (!signal.aborted) now = Math.max(now, until);
      },
    },
    project: {
      prompt: () => "Work.",
      plan: () => null,
      reviewPrompt: () => null,
      watch: () => {},
      mend: () => [],
      isGone: () => false,
      restoreLost: () => [],
      ...parts.project,
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
    marker: "r",
    stop: stops,
    zone: "UTC",
    newSessionId: () => "chosen",
    callFiles: (iteration, call) => ({ stdout: `${iteration}-${call}.out`, stderr: `${iteration}-${call}.err` }),
    runFile: (name) => name,
    ends: () => ({ head: "", tail: "" }),
    onPartial: () => {},
    live: false,
    ...parts.deps,
  };
  return { deps, journal, stops, plays };
}

function play({ says = [], ends = {}, meanwhile }: Play, options: ProcessOptions): ProcessResult {
  const result = resultOf(ends);
  if (result.outcome === "spawn_failed") return result;
  options.onStart({ pid: 1, group: 1, startTime: null });
  options.onLines(says.map((said) => (typeof said === "string" ? said : JSON.stringify(said))));
  meanwhile?.(options);
  return options.signal.aborted ? resultOf({ outcome: "stopped", exitCode: null, signal: "SIGTERM" }) : result;
}

/** The events of some types, without what every event has. */
export function bodiesOf(journal: readonly RalphEvent[], ...types: EventBody["type"][]): object[] {
  return journal.filter(({ type }) => types.includes(type)).map(({ v, seq, at, run, iteration, ...body }) => body);
}
