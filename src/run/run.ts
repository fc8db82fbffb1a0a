import { withClosings } from "../core/closings.ts";
import type { ControlCommand } from "../core/control-command.ts";
import { hasGates } from "../core/decide/gate-rules.ts";
import { proofOf } from "../core/decide/proof.ts";
import {
  type Envelope,
  type EventBody,
  type EventOf,
  JOURNAL_VERSION,
  type RalphEvent,
} from "../core/journal/event.ts";
import { runMarker } from "../core/journal/process-identity.ts";
import type { State } from "../core/journal/state.ts";
import { totalTokens } from "../core/journal/usage.ts";
import { warning } from "../core/journal/warning.ts";
import { wasLookedAt } from "../core/look/look-first.ts";
import { carriedLooks } from "../core/look/look-state.ts";
import { countedUsd } from "../core/money/spending.ts";
import { parseProjectPlan } from "../core/plan/fix-plan.ts";
import { type Masks, masksOf } from "../core/secrets/mask.ts";
import { maskEvent } from "../core/secrets/mask-event.ts";
import type { Settings } from "../core/settings/settings.ts";
import { STOP_REASONS, type StopReason } from "../core/stop/stop-reasons.ts";
import { count } from "../core/text/count.ts";
import { money } from "../core/text/money.ts";
import type { Driver } from "../driver.ts";
import type { FoldedRun, ProjectGuard, RunFiles, World } from "../effects/ports.ts";
import { applyControlCommand } from "./apply-control.ts";
import { createBatches } from "./batches.ts";
import { createGateWatch, type GateWatch } from "./gate-watch.ts";
import { createLater, type Later } from "./later.ts";
import { recordCrash } from "./record-crash.ts";
import { createRecorder, type EventSubscriber, type Recorder } from "./recorder.ts";
import { type Recovered, recoverProject } from "./recover-project.ts";
import { carriedCutOff, carriedSpending, carriedTakenOff, initialRunState, leftBrokenOff } from "./recovery.ts";
import { createStopController, type StopController } from "./stop-controller.ts";
import { createTold } from "./told.ts";

/** What to start a run with. */
export type RunSpec = {
  /** Null for a run without an agent. */
  driver: Pick<Driver, "name" | "displayName" | "decoder"> | null;
  settings: Settings;
  /** The version of this ralph. */
  version: string;
  /** What starts the run: `cli`, `task`, `demo`, `import` … */
  startedBy: string;
  /** What a person calls the agent that looks at finished work; null if none does. */
  reviewer?: string | null;
  /** The text that the run works on instead of the project's prompt and plan. */
  task?: string | null;
  /** The words of its command that make a later run like this one (run-words.ts). */
  words?: readonly string[];
  /** Receive every recorded event, after the state files. */
  subscribers: readonly EventSubscriber[];
  /**
   * Whether the job records in a run of its own, or at the end of the newest one, which keeps its end. In a project
   * without runs it gets one of its own.
   */
  recordIn: "new run" | "newest run";
  /** Whether other processes of this user may steer the run: stop, pause, say … */
  takesCommands: boolean;
};

/** What two clocks differ by without anyone setting one. */
const CLOCK_NOISE_MS = 100;

/** A run under way, as its job sees it. */
export type Run = {
  readonly world: World;
  readonly settings: Settings;
  /** The folded journal. */
  state(): State;
  /**
   * The state and the time (epoch ms), for a decision. A clock that was set back makes the run no younger: its beginning moves with the
   * clock, so that bounds in time hold.
   */
  present(): { state: State; now: number };
  /** The folded journal for the agent: with the secrets that a person told it, which the journal does not keep. */
  toldState(): State;
  /** Take secrets out of what is written or shown. */
  readonly masks: Masks;
  /** The only way to change the state. */
  append<B extends EventBody>(body: B): Envelope & B;
  appendAll(bodies: readonly EventBody[]): void;
  readonly later: Later;
  /** Sends all events from now on to a subscriber. */
  subscribe(subscriber: EventSubscriber): void;
  readonly stops: StopController;
  /** Carries out a user's command. @returns false if it could not be recorded: then the run ends */
  control(command: ControlCommand): boolean;
  /** Keeps the agent from bending the gates. */
  readonly gateWatch: GateWatch;
  readonly files: Pick<RunFiles, "callFiles" | "file">;
  /** Guards the project's files; backs them up at its first use. */
  readonly guard: ProjectGuard;
  /** Value of RALPH_RUN in the environment of all processes of this run. */
  readonly marker: string;
  /** Records the end of the run; call it last. */
  finish(reason: StopReason, sentence: string): EventOf<"run_finished">;
};

/**
 * Runs a job as a run, and is the only way to do so. Takes the project's lock, recovers an earlier run, opens journal
 * and state files, listens for stops and commands, runs the job, records a crash, closes everything.
 * @returns what the job returns
 * @throws RalphError `environment` if another ralph holds the lock or the project cannot be written; whatever the job
 * throws
 */
export async function withRun<T>(world: World, spec: RunSpec, job: (run: Run) => Promise<T>): Promise<T> {
  const name = world.nextRun();
  let onLost = (_: Error) => {};
  const releaseLock = world.takeLock(name, (error) => onLost(error));
  const begin = async (): Promise<T> => {
    const earlier = await recoverProject(world, spec.version, spec.driver);
    const continued = spec.recordIn === "newest run" ? earlier.newest : null;
    const record = openRecord(world, spec, continued?.run ?? name, startState(world, spec, earlier, continued));
    const run = createRun(world, spec, record);
    onLost = run.stops.fail;
    let stopListening = () => {};
    const live = async (): Promise<T> => {
      try {
        if (continued === null) run.append(runStarted(world, spec, run.state()));
        run.appendAll([...earlier.notes, ...spendingNote(run.state())]);
        if (spec.takesCommands) stopListening = listen(run);
        return await job(run);
      } catch (error) {
        recordCrash(record.recorder, error, { ledger: world.ledger, freeRoom: record.files.freeRoom });
        throw error;
      }
    };
    return withClosings(live, [() => stopListening(), ...record.closings]);
  };
  return withClosings(begin, [releaseLock]);
}

/** Says why a run ends sooner than its bounds alone would tell, where it has any. */
function spendingNote({ earlier, settings }: State): EventBody[] {
  const cost = countedUsd(earlier.usage, settings);
  const iterations = earlier.iterations === 0 ? [] : [count(earlier.iterations, "iteration")];
  const spent = [...iterations, ...(cost === 0 ? [] : [money(cost)])];
  const bounds = [
    [settings.MAX_ITERATIONS, earlier.iterations],
    [settings.MAX_COST_USD, cost],
    [settings.MAX_TOKENS, totalTokens(earlier.usage)],
  ] as const;
  if (!bounds.some(([most, used]) => most !== null && used > 0)) return [];
  return [warning(`This goes on with a run that broke off: its ${spent.join(" and ")} count against the bounds.`)];
}

function startState(
  world: World,
  { settings, startedBy, task = null }: RunSpec,
  { state }: Recovered,
  continued: FoldedRun | null,
): State {
  if (continued !== null) return state;
  const plan = parseProjectPlan(world.project.plan(), settings);
  const next = { startedBy, task, settings };
  const spent = { ...carriedSpending(state, next), broken_off: leftBrokenOff(state, next) };
  const looked = carriedLooks(state, { startedBy, wanted: settings.REVIEW_ON_DONE, isOwn: world.ownGaps.has });
  const now = world.clock.now();
  const fresh = initialRunState(state, settings, now, world.offsetAt(now));
  const begin = { ...fresh, ...carriedTakenOff(state, next, plan), ...carriedCutOff(state, next) };
  return { ...begin, ...looked, ...spent, plan: plan?.counts ?? null };
}

/** A run's files, and the recorder that writes to them. */
type RunRecord = { files: RunFiles; recorder: Recorder; masks: Masks; closings: (() => void)[] };

/** Longer than the time between two agents, too short to notice. */
const SCREEN_MS = 25;
/** The originals' dashboards look at the state files every two seconds; eight renames after each of many quick calls would cost more than the calls. */
const FILES_MS = 1000;

function openRecord(world: World, { settings, subscribers }: RunSpec, run: string, state: State): RunRecord {
  const masks = masksOf(settings, world.env);
  const files = world.openRun(run, (text) => recorder.append(warning(text)));
  const stateFiles = { name: "the state files", onEvents: files.updateStateFiles };
  const projections = createBatches([stateFiles], (tell) => world.after(FILES_MS, tell));
  const screens = createBatches(subscribers, (tell) => world.after(SCREEN_MS, tell));
  const recorder = createRecorder({
    run,
    state,
    now: world.clock.now,
    write: files.write,
    sync: files.sync,
    mask: masks.text,
    subscribers: [...projections.subscribers, ...screens.subscribers],
  });
  const close = () => {
    const state = recorder.state();
    files.close(state.finished === null ? null : state);
  };
  // Room first: the last words of the state files have to fit too.
  return { files, recorder, masks, closings: [files.freeRoom, projections.tell, screens.tell, close] };
}

function createRun(world: World, spec: RunSpec, { files, recorder, masks }: RunRecord): Run {
  const { state, append, appendAll, subscribe } = recorder;
  const { clock, runningMs } = world;
  const began = { at: clock.now(), running: runningMs() };
  const stops = createStopController((how, by) => append({ type: "stop_requested", how, by }));
  const later = createLater();
  let guard: ProjectGuard | null = null;
  const told = createTold(masks, world.env);
  return {
    world,
    masks,
    toldState: () => told.inFull(state()),
    settings: spec.settings,
    state,
    present() {
      const now = clock.now();
      const setBackMs = Math.max(0, runningMs() - began.running - (now - began.at));
      const started = Date.parse(state().started_at) - setBackMs;
      return {
        now,
        state: setBackMs < CLOCK_NOISE_MS ? state() : { ...state(), started_at: new Date(started).toISOString() },
      };
    },
    append,
    appendAll,
    later,
    subscribe,
    stops,
    gateWatch: createGateWatch({ world, settings: spec.settings, state, append }),
    control: (command) => {
      if ("text" in command) told.hear(command.text);
      return recorded(stops, () => applyControlCommand(command, { recorder, stops }));
    },
    files,
    get guard() {
      guard ??= files.guardProject(() => maskEvent(snapshot(world, spec, state()), masks.text));
      return guard;
    },
    get marker() {
      return runMarker(state());
    },
    finish(reason, sentence) {
      later.now();
      // Before the end is written, not after: nobody opens an ended run again who would find what a kill in between left of it.
      files.freeRoom();
      return append(runFinished(state(), spec.settings, { reason, sentence }));
    },
  };
}

/**
 * Records what comes from outside, at any moment. Nobody waits for it whom its error could reach, so a journal that cannot be
 * written ends the run here as it does anywhere else. @returns whether it was recorded
 */
function recorded(stops: StopController, record: () => void): boolean {
  try {
    record();
    return true;
  } catch (error) {
    stops.fail(error as Error);
    return false;
  }
}

/** Listens for commands of this user's other processes. If that fails, the run notes it and goes on. */
function listen({ world, marker, control, state, append, stops }: Run): () => void {
  const warn = (text: string) => void recorded(stops, () => append(warning(text)));
  const agents = () => {
    const { call, gate } = state();
    return {
      markers: [marker],
      groups: [call?.agent?.group, gate?.process.group].filter((group) => group !== undefined),
    };
  };
  const isOver = () => state().finished !== null;
  try {
    return world.listenForControl({ run: state().run, agents, onCommand: control, onWarning: warn, isOver });
  } catch (error) {
    warn(`This run can't be steered from other terminals: ${(error as Error).message}`);
    return () => {};
  }
}

function runStarted(world: World, spec: RunSpec, state: State) {
  const { version, driver, settings, startedBy, reviewer = null, task = null, words = [] } = spec;
  return {
    type: "run_started",
    version,
    driver: driver?.name ?? "",
    display_name: driver?.displayName ?? "",
    ...(reviewer === null ? {} : { reviewer }),
    ...(world.sandbox === null ? {} : { sandbox: world.sandbox.summary }),
    // The journal lies in the project, where the agent can read it.
    settings: { ...settings, HIDDEN_GATES: settings.HIDDEN_GATES.map(() => "hidden") },
    state,
    pid: world.pid,
    started_by: startedBy,
    project: world.project.dir,
    task,
    words,
  } satisfies EventBody;
}

/**
 * A first event that holds the current state, for a journal that has lost its lines: folding it alone gives this state. The recorder
 * does not write it, so its secrets are still in it.
 */
function snapshot(world: World, spec: RunSpec, state: State): RalphEvent {
  const { run, seq, started_at } = state;
  return { v: JOURNAL_VERSION, seq, at: started_at, run, iteration: 0, ...runStarted(world, spec, state) };
}

function runFinished(state: State, settings: Settings, { reason, sentence }: { reason: StopReason; sentence: string }) {
  const { iterations, calls, usage, gates, started_by } = state;
  // The plan was done before: neither gates nor an agent's word say anything of this run.
  const didNothing = started_by === "swarm" && gates.length === 0 && hasGates(settings);
  return {
    type: "run_finished",
    stop_reason: reason,
    exit_code: STOP_REASONS[reason].exit,
    sentence,
    iterations,
    calls,
    usage,
    cost_usd: usage.cost_usd,
    proof: didNothing ? null : proofOf(reason, gates, wasLookedAt(state, settings)),
  } satisfies EventBody;
}
