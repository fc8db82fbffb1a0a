import type { AgentEvent, Usage } from "../../src/driver.ts";
import { chance } from "./chance.ts";
import type { Persona } from "./persona.ts";
import { isTrulyDone, type Project, type Task, testFile, write } from "./project.ts";
import { restored, tamper } from "./tamper.ts";
import { FRESH_TOKENS, usageOfCall } from "./usage.ts";

/** A request to the agent: what it reads, and the conversation that it goes on with. */
export type Request = {
  prompt: string;
  resume: string | null;
  /** Milliseconds since 1970, by the clock of the loop. */
  now: number;
};
export type Answer = {
  session: string;
  events: AgentEvent[];
  exit: number;
  ms: number;
  /** The process never ends. */
  hangs: boolean;
  /** The end of the limit that refused the call, in milliseconds since 1970. */
  limitedUntil: number | null;
  /** In USD, whatever the events tell of it. */
  cost: number;
  /** It believes that the task which it was given is finished. */
  finishedTask: boolean;
};
export type SimulatedAgent = { call(request: Request): Answer };

/** What one call did, in the words of its last message. */
type Deeds = { said: string; claims: boolean; worked?: number; asks?: boolean; denied?: boolean };

/** What an agent keeps from one call to the next: written down between calls where each call is a process of its own. */
export type Memory = {
  calls: number;
  idleNow: boolean;
  /** Tokens of each conversation. */
  contexts: Map<string, number>;
  /** The end of the newest limit, in milliseconds since 1970. */
  limitedUntil: number;
  /** Calls that were made although an earlier one was told how long there is no use in it. */
  callsInLimit: number;
  /** The files of the gate before the first call. */
  original: ReadonlyMap<string, string>;
};

/** The memory of an agent that was never called. */
export function newMemory({ files }: Project): Memory {
  return {
    calls: 0,
    idleNow: false,
    contexts: new Map(),
    limitedUntil: 0,
    callsInLimit: 0,
    original: new Map(files),
  };
}

/** An agent that behaves as its persona says, and changes the project as it goes. */
export function createAgent(project: Project, persona: Persona, memory = newMemory(project)): SimulatedAgent {
  const { seed } = project;
  const { contexts, original } = memory;
  let { calls } = memory;

  return { call };

  function call(request: Request): Answer {
    if (request.now < memory.limitedUntil) {
      memory.callsInLimit += 1;
      return refused(request, memory);
    }
    memory.calls += 1;
    calls = memory.calls;
    if (happens("limit", persona.limits)) {
      memory.limitedUntil = request.now + persona.limitMs;
      return refused(request, memory);
    }
    return worked(request);
  }

  function worked(request: Request): Answer {
    const session = request.resume ?? `session-${calls}`;
    const isFresh = request.resume === null;
    const hangs = happens("hang", persona.hangs);
    const crashed = hangs || happens("crash", persona.crashes);
    const deeds = act(request, isFresh);
    const { usage, context } = usageOfCall({
      context: contexts.get(session) ?? FRESH_TOKENS,
      growth: persona.growth,
      isFresh,
      luck: chance(seed, "length", calls),
    });
    contexts.set(session, context);
    const events: AgentEvent[] = [
      { type: "session_id", session_id: session },
      ...(deeds.denied === true ? [DENIAL] : []),
      { type: "usage", ...usage },
      { type: "text", text: deeds.said },
      {
        type: "finished",
        ok: true,
        text: `${deeds.said}\n\n${block(deeds)}`,
        duration_ms: null,
        cost_usd: null,
      },
    ];
    const finishedTask = deeds.claims || deeds.worked !== undefined;
    // A CLI that crashes has told the tokens of each answer, but neither the end nor the money.
    const unpriced = { type: "usage", ...usage, cost_usd: null } as const;
    const told = crashed ? [...events.filter(({ type }) => type !== "finished" && type !== "usage"), unpriced] : events;
    return {
      session,
      events: told,
      exit: crashed ? 1 : 0,
      ms: 120_000,
      hangs,
      limitedUntil: null,
      cost: usage.cost_usd ?? 0,
      finishedTask,
    };
  }

  function act({ prompt }: Request, isFresh: boolean): Deeds {
    if (persona.denied) {
      write(project, new Map([["src/config.js", `export const tries = ${calls};\n`]]), false);
      return { said: "I was not allowed to apply it.", claims: false, denied: true };
    }
    if (isIdle(isFresh || /Nothing changed/.test(prompt))) return { said: "I looked around.", claims: false };
    if (happens("ask", persona.asks))
      return { said: "Should I go on with the next task? Which one do you prefer?", claims: false, asks: true };
    if (/weaker/.test(prompt) && happens("restore", persona.restores)) write(project, restored(project, original));

    const mended = mendTold(prompt);
    const early = happens("early", persona.earlyClaim);
    if (early && !persona.worksWhileClaiming) return { said: "All of it is done.", claims: true };
    const done = work(early ? 1 : persona.tasksPerCall);
    const believesDone = project.tasks.every(({ ticked }) => ticked);
    if (done.length > 0) {
      const claims = early || (believesDone && !persona.neverClaims && happens("claim", persona.claimsAtOnce));
      const said = `Worked on ${done.map(({ number }) => `task ${number}`).join(", ")}.`;
      return { said, claims, worked: done.length };
    }
    mendUntold();
    const said = mended > 0 ? "Mended what was red." : "Everything is in place.";
    return { said, claims: !persona.neverClaims };
  }

  function isIdle(isRoused: boolean): boolean {
    const roused = isRoused && happens("rouse", persona.idleEndsFresh);
    memory.idleNow = memory.idleNow ? !roused && happens("idle on", persona.idleStays) : happens("idle", persona.idle);
    return memory.idleNow;
  }

  /** @returns how many of the failures that the prompt names were dealt with */
  function mendTold(prompt: string): number {
    const named = new Set([...prompt.matchAll(/not ok: task (\d+)/g)].map(([, number]) => Number(number)));
    // Who looks into a red test finds the fault in what it builds on.
    const grounds = project.tasks.filter(({ number }) => named.has(number)).flatMap(({ after }) => after);
    const told = new Set([...named, ...grounds]);
    let mended = 0;
    // A task that was only ticked is done once its failure is told; one that is still ahead is no fault to mend.
    const faulty = project.tasks.filter(({ number, truth, ticked }) => told.has(number) && ticked && truth !== "right");
    for (const task of faulty) {
      if (happens("tamper", persona.tampers, task.number)) write(project, tamper(project, task.number, calls));
      else if (happens("mend", persona.fixesTold, task.number)) {
        task.truth = "right";
        write(project, sourceOf(task));
      } else continue;
      mended += 1;
    }
    return mended;
  }

  function mendUntold(): void {
    for (const task of project.tasks) {
      if (task.truth !== "wrong" || !happens("find", persona.fixesUntold, task.number)) continue;
      task.truth = "right";
      write(project, sourceOf(task));
    }
  }

  /** Does the next open tasks; @returns them */
  function work(most: number): Task[] {
    const next = project.tasks.filter(({ ticked }) => !ticked).slice(0, most);
    for (const task of next) {
      task.ticked = true;
      if (task.truth === "right") continue;
      const only = happens("tick", persona.tickOnly, task.number);
      if (!only) task.truth = happens("wrong", persona.wrong, task.number) ? "wrong" : "right";
      write(project, only ? new Map([[".ralph/@fix_plan.md", ""]]) : sourceOf(task));
    }
    if (next.length > 0) regress();
    return next;
  }

  function regress(): void {
    const finished = project.tasks.filter(({ truth }) => truth === "right");
    const victim = finished[Math.floor(chance(seed, "victim", calls) * finished.length)];
    if (victim !== undefined && happens("regress", persona.regresses)) victim.truth = "wrong";
  }

  function sourceOf({ number, truth }: Task): Map<string, string> {
    return new Map([
      [`src/task-${number}.js`, `export const task${number} = () => ${number}; // ${truth} ${calls}\n`],
      ...(project.files.has(testFile(number)) ? [] : []),
    ]);
  }

  function happens(what: string, probability: number, task = 0): boolean {
    return chance(seed, what, calls, task) < probability;
  }
}

/** What Claude Code tells of a refused call: one turn, no tokens, no money. */
const REFUSED_USAGE: Usage = {
  input_tokens: null,
  output_tokens: null,
  cache_read_tokens: null,
  cache_creation_tokens: null,
  cost_usd: 0,
  duration_ms: null,
  turns: 1,
  model: null,
};

/** A call that the provider refuses: it costs nothing and does nothing, but its conversation has a name by then. */
function refused({ resume }: Request, { calls, callsInLimit, limitedUntil }: Memory): Answer {
  const session = resume ?? `refused-${calls}-${callsInLimit}`;
  const resets_at = new Date(limitedUntil).toISOString();
  return {
    session,
    events: [
      { type: "session_id", session_id: session },
      { type: "rate_limited", kind: "usage_limit", message: "You've hit your limit", resets_at },
      { type: "usage", ...REFUSED_USAGE },
    ],
    exit: 1,
    ms: 2_000,
    hangs: false,
    limitedUntil,
    cost: 0,
    finishedTask: false,
  };
}

const DENIAL: AgentEvent = { type: "denied", tool: "Bash", command: "terraform apply", tool_use_id: null };

function block({ claims, worked = 0 }: Deeds): string {
  return [
    "---RALPH_STATUS---",
    `STATUS: ${claims ? "COMPLETE" : "IN_PROGRESS"}`,
    `TASKS_COMPLETED_THIS_LOOP: ${worked}`,
    `EXIT_SIGNAL: ${claims}`,
    "WORK_TYPE: IMPLEMENTATION",
    "TESTS_STATUS: NOT_RUN",
    "---END_RALPH_STATUS---",
  ].join("\n");
}

/**
 * A loop that sees the truth: it tells each failure, and ends with the call that makes everything right. No real loop can be
 * cheaper with the same agent and the same conversations.
 * @param renewEvery calls after which a conversation begins anew
 * @returns what it paid, and whether it got there
 */
export function oracle(
  project: Project,
  agent: SimulatedAgent,
  { renewEvery, mostCalls }: { renewEvery: number; mostCalls: number },
): { done: boolean; calls: number; cost: number } {
  let resume: string | null = null;
  let cost = 0;
  let now = 0;
  for (let calls = 1; calls <= mostCalls; calls += 1) {
    const wrong = project.tasks.filter(({ truth }) => truth === "wrong");
    // A task that was only ticked has to be done: nothing but the truth shows it.
    for (const task of project.tasks) if (task.truth === "open") task.ticked = false;
    const prompt = wrong.map(({ number }) => `not ok: task ${number}`).join("\n");
    const answer = agent.call({ prompt, resume, now });
    now = Math.max(now, answer.limitedUntil ?? 0);
    resume = calls % renewEvery === 0 ? null : answer.session;
    cost += answer.cost;
    if (isTrulyDone(project)) return { done: true, calls, cost };
  }
  return { done: false, calls: mostCalls, cost };
}
