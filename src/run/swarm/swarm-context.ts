import { MINUTE_MS } from "../../core/durations.ts";
import type { TaskClaim } from "../../core/fleet/claim.ts";
import { createClaimWatch } from "../../core/fleet/claim-watch.ts";
import type { State } from "../../core/journal/state.ts";
import type { Orphan } from "../../core/swarm/orphan.ts";
import type { Share } from "../../core/swarm/share.ts";
import type { SwarmEnd } from "../../core/swarm/swarm-end.ts";
import type { TaskGraph, WorkTask } from "../../core/tasks/task-graph.ts";
import type { LandYard, SwarmWorker, SwarmYard, WorkerProcess } from "../../effects/ports.ts";
import type { LandResult } from "../jobs/land.ts";
import type { Run } from "../run.ts";

export type SwarmOptions = {
  yard: SwarmYard;
  land: LandYard;
  /** Land without any gate. */
  untested: boolean;
  /** ms between the starts of two workers: agents that begin at once meet the same limits at once. */
  staggerMs: number;
  /** ms between two looks at the workers. */
  lookMs: number;
};

/** A worker at work. */
export type Busy = {
  worker: SwarmWorker;
  task: WorkTask;
  share: Share;
  /** The newest run there before: what it says is not of this process. */
  before: string | null;
  process: WorkerProcess;
  exit: number | null | "running";
  /** Whether it was asked to stop by this swarm. */
  isTold: boolean;
};

/** The plan as it is on the target, and the claims on its tasks, each with the id by which it is changed. */
export type Seen = {
  graph: TaskGraph;
  claims: ReadonlyMap<string, { id: string; claim: TaskClaim }>;
  /** The target's commit. */
  tip: string;
};

/** What the parts of a swarm share. */
export type Swarm = {
  run: Run;
  options: SwarmOptions;
  /** Workers at work, those that an earlier swarm left, and those that take no more, by name. */
  busy: Map<string, Busy>;
  orphans: Map<string, Orphan>;
  ended: Map<string, SwarmEnd>;
  /** How often the processes of a worker were killed. */
  deaths: Map<string, number>;
  /** Epoch ms until which the provider's limit holds: they all have the same provider. */
  restsUntil: number;
  landing: boolean;
  landed: LandResult | null;
  /** All that was handed in when a pass left some of it, and the target's commit after it: another pass would do no better. */
  left: { handedIn: string; tip: string } | null;
  /** The target's newest commit that is known; "" before the first look. */
  tip: string;
  /** What failed beside the swarm's own steps, once. */
  failure: Error | null;
  /** When a worker was started last, and plan and claims were seen, in ms of the time that the machine ran. */
  lastStart: number;
  /** What sees whether workers elsewhere renew their claims. */
  watch: ReturnType<typeof createClaimWatch>;
  /** Plan and claims as they were seen last; null: look again. Each look starts several programs. */
  seen: Seen | null;
  seenAt: number;
  /** The questions, as they were then. */
  inbox: State["inbox"] | null;
  /** By what a person said, the workers that have heard it, until all at work have. */
  heard: Map<string, Set<string>>;
  /** By what was passed on, the workers that were told, until one of them has had it in a prompt. */
  passed: Map<string, Set<string>>;
  /** Repositories inside the checkouts of workers that were told of, by worker and path. */
  nested: Set<string>;
  /** What others had when the journal last told that the swarm waits for them. */
  elsewhere: string;
  /** The stop that was passed on to the workers. */
  told: "after_iteration" | "now" | null;
};

/** A swarm before its first step. */
export function newSwarm(run: Run, options: SwarmOptions): Swarm {
  return {
    run,
    options,
    busy: new Map(),
    orphans: new Map(),
    ended: new Map(),
    deaths: new Map(),
    restsUntil: 0,
    landing: false,
    landed: null,
    left: null,
    tip: "",
    failure: null,
    lastStart: Number.NEGATIVE_INFINITY,
    watch: createClaimWatch(run.settings.CLAIM_LEASE_MINUTES * MINUTE_MS, run.world.runningMs),
    seen: null,
    seenAt: Number.NEGATIVE_INFINITY,
    inbox: null,
    heard: new Map(),
    passed: new Map(),
    nested: new Set(),
    elsewhere: "",
    told: null,
  };
}
