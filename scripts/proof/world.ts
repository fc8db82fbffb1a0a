import type { Settings } from "../../src/core/settings/settings.ts";
import type { AgentEvent, Driver } from "../../src/driver.ts";
import type { ProcessOptions, ProcessResult, Snapshot, World } from "../../src/effects/ports.ts";
import { memoryGateFiles } from "../../tests/run/fake-gate-files.ts";
import { type Fake, fakeWorld, resultOf } from "../../tests/run/fake-world.ts";
import type { SimulatedAgent } from "./agent.ts";
import { chance } from "./chance.ts";
import { type GateKind, type Project, planText, runGate, write } from "./project.ts";
import { look, runCheck } from "./stranger.ts";

const START = Date.UTC(2026, 2, 4, 8);
const GATE_MS = 5_000;

export type WorldParts = {
  project: Project;
  agent: SimulatedAgent;
  /** Share of the gate's runs that are red for no reason. */
  gateFlakes: number;
  gate: GateKind;
  /** Whether the project has a plan with boxes; else the task is in the prompt alone. */
  hasPlan: boolean;
  settings: Partial<Settings>;
};

/** The driver of simulated agents: their events are printed as they are. */
const driver: Partial<Driver> = {
  name: "simulated",
  displayName: "Simulated agent",
  supportsReadOnly: true,
  buildCommand: ({ prompt, resume }) => ({ argv: ["simulated", ...(resume === null ? [] : [resume])], stdin: prompt }),
};

export type SimulatedWorld = Fake & {
  /** USD of all calls so far, whatever the loop counts. */
  spent: () => number;
  /** Calls of strangers who looked at finished work. */
  looks: () => number;
  /** Time that the loop spent waiting for calls that had stopped to do anything. */
  stalledMs: () => number;
  /** How many such calls there were. */
  stalls: () => number;
};

/** The outside world of a run with a simulated agent, in memory and in virtual time: waits and calls take none. */
export function simulatedWorld({ project, agent, gateFlakes, gate, hasPlan, settings }: WorldParts): SimulatedWorld {
  let now = START;
  let gateRuns = 0;
  let looks = 0;
  let printed = "";
  let spent = 0;
  let stalledMs = 0;
  let stalls = 0;
  const position = ({ id }: Snapshot) => Number(id);
  const snapshot = (): Snapshot => ({
    id: `${project.writes.length}`,
    head: headOf(project),
    branch: "main",
    isGitRepository: true,
  });

  function callAgent(argv: readonly string[], stdin: string, options: ProcessOptions): ProcessResult {
    const isLook = stdin.includes("---RALPH_GAP---");
    if (isLook) looks += 1;
    const answer = isLook ? look(project, looks) : agent.call({ prompt: stdin, resume: argv[1] ?? null, now });
    spent += answer.cost;
    options.onStart({ pid: 1, group: 1, startTime: null });
    options.onLines(answer.events.map((event: AgentEvent) => JSON.stringify(event)));
    if (answer.hangs) return hang(answer.ms, options);
    now += answer.ms;
    return resultOf({ exitCode: answer.exit, ms: answer.ms });
  }

  /** The call that never ends is ended by what the loop allows. */
  function hang(ms: number, { idleMs, timeoutMs }: ProcessOptions): ProcessResult {
    const isIdle = idleMs > 0 && (timeoutMs === 0 || ms + idleMs < timeoutMs);
    const took = isIdle ? ms + idleMs : timeoutMs;
    if (took === 0) throw new Error("the loop would wait for this call for ever");
    now += took;
    stalledMs += took - ms;
    stalls += 1;
    return resultOf({ outcome: isIdle ? "idle" : "timed_out", exitCode: null, signal: "SIGTERM", ms: took });
  }

  function callGate(command: string, options: ProcessOptions): ProcessResult {
    gateRuns += 1;
    const result = runCheck(project, command) ?? runGate(project, files.filesIn(options.cwd), gate);
    const flaked = chance(project.seed, "flake", gateRuns) < gateFlakes;
    printed = flaked ? `${result.output}Error: connect ECONNREFUSED 127.0.0.1\n` : result.output;
    options.onStart({ pid: 2, group: 2, startTime: null });
    now += GATE_MS;
    return resultOf({ exitCode: flaked ? 1 : result.exit, ms: GATE_MS });
  }

  // The tree never changes between a snapshot and its use here.
  const files = memoryGateFiles(
    () => new Map([...project.files].filter(([path]) => !path.startsWith(".ralph/"))),
    (path, text) => write(project, new Map([[path, text]]), false),
  );
  const world: Partial<World> = {
    gateFiles: files.port,
    host: { ...fakeWorld().world.host, which: (program) => `/bin/${program}` },
    clock: {
      now: () => now,
      sleepUntil: async (until, signal) => {
        if (!signal.aborted) now = Math.max(now, until);
      },
    },
    runningMs: () => now,
    process: {
      run: async ({ argv, stdin }, options) =>
        argv[0] === "simulated" ? callAgent(argv, stdin ?? "", options) : callGate(argv.at(-1) ?? "", options),
    },
    workspace: {
      isGitRepository: true,
      head: () => headOf(project),
      branch: () => "main",
      indexLock: () => null,
      snapshot: async () => snapshot(),
      changes: async (before, after) => {
        const between = project.writes.slice(position(before), position(after));
        return {
          files: [...new Set(between.flatMap(({ files }) => files))]
            .filter((path) => !path.startsWith(".ralph/"))
            .sort(),
          commits: between.flatMap(({ commits }) => commits).reverse(),
          headMoved: before.head !== after.head,
        };
      },
      subject: async () => null,
      fingerprint: ({ id }) => id,
      warnings: [],
    },
    outputEnds: () => ({ head: printed, tail: "" }),
  };
  const fake = fakeWorld({
    world,
    driver,
    settings: { ...settings },
    files: { plan: () => (hasPlan ? planText(project) : null) },
  });
  return { ...fake, spent: () => spent, looks: () => looks, stalledMs: () => stalledMs, stalls: () => stalls };
}

function headOf({ writes }: Project): string | null {
  return writes.flatMap(({ commits }) => commits).at(-1) ?? null;
}
