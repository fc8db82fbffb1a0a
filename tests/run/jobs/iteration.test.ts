/** The result of one iteration: evidence, gates and sessions, by the rules of docs/product.md. */
import { describe, expect, test } from "bun:test";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { bodiesOf, type FakeParts, fakeWorld, finished, type Play, typesOf } from "../fake-world.ts";

const PLAN = "- [ ] one\n- [ ] two";
const GATED = { TEST_COMMAND: "npm test" };
const answers: Play = { says: [finished], changes: ["a.ts"] };
const idle: Play = { says: [finished] };

/** The journal of a run with these plays, one iteration each. */
async function played(plays: readonly Play[], parts: FakeParts = {}): Promise<RalphEvent[]> {
  const settings = { MAX_ITERATIONS: plays.length, ...parts.settings };
  const fake = fakeWorld({ ...parts, plays, settings });
  await fake.run(loop);
  return fake.journal;
}

function iterations(journal: readonly RalphEvent[]): EventOf<"iteration_finished">[] {
  return journal.flatMap((event) => (event.type === "iteration_finished" ? [event] : []));
}

describe("progress", () => {
  test.each<[string, Play, boolean]>([
    ["is a changed file", { ...idle, changes: ["a.ts"] }, true],
    ["is a commit", { ...idle, commits: ["c1"] }, true],
    ["is a ticked box", { ...idle, plan: "- [x] one\n- [ ] two" }, true],
    ["is false if nothing changed", idle, false],
  ])("%s", async (_name, play, progress) => {
    expect(iterations(await played([play], { plan: PLAN }))).toMatchObject([{ evidence: { progress } }]);
  });

  test("is false for an unticked box", async () => {
    const plan = "- [x] one\n- [ ] two";
    const [iteration] = iterations(await played([{ ...idle, plan: PLAN }], { plan }));
    expect(iteration?.evidence).toMatchObject({ progress: false, plan_delta: -1 });
  });

  test("excludes files that a gate wrote: the next iteration takes a new snapshot", async () => {
    const journal = await played([{ ...answers, gates: [{ changes: ["report.xml"] }] }, idle], { settings: GATED });
    expect(bodiesOf(journal, "gate_finished")).not.toHaveLength(0);
    expect(iterations(journal).map(({ evidence }) => evidence.progress)).toEqual([true, false]);
  });

  test("excludes the user's changes during a wait between iterations", async () => {
    let tree = 1;
    const { workspace } = fakeWorld().world;
    const journal = await played([idle, idle], {
      settings: { MAX_CALLS_PER_HOUR: 1 },
      world: {
        workspace: {
          ...workspace,
          snapshot: async () => ({ id: `tree-${tree}`, head: null, isGitRepository: false }),
          changes: async (before, after) => ({
            files: before.id === after.id ? [] : ["a.ts"],
            commits: [],
            headMoved: false,
          }),
        },
      },
      whileWaiting: () => {
        tree += 1;
      },
    });
    expect(iterations(journal).map(({ evidence }) => evidence.progress)).toEqual([false, false]);
  });
});

test("an iteration lists at most 200 changed files but counts them all", async () => {
  const changes = Array.from({ length: 250 }, (_, n) => `f${String(n).padStart(3, "0")}.ts`);
  const [iteration] = iterations(await played([{ ...idle, changes }]));
  expect(iteration?.evidence.files_changed).toHaveLength(200);
  expect(iteration?.evidence.files_changed_count).toBe(250);
});

describe("the agent's session", () => {
  const session: AgentEvent = { type: "session_id", session_id: "s1" };
  const failing = (errorClass: "request" | "infrastructure"): Play => ({
    says: [session, { type: "error", class: errorClass, message: "it went wrong" }],
    ends: { outcome: "failed", exitCode: 1 },
    changes: ["a.ts"],
  });
  const resumes = (journal: readonly RalphEvent[]) =>
    journal.flatMap((event) => (event.type === "iteration_started" ? [event.resume] : []));

  test("is dropped after the provider refused a request", async () => {
    const journal = await played([failing("request"), answers]);
    expect(bodiesOf(journal, "reset")).toContainEqual({ type: "reset", what: "session", reason: "api_error" });
    expect(resumes(journal)).toEqual([null, null]);
  });

  test("goes on after any other failure", async () => {
    expect(resumes(await played([failing("infrastructure"), answers]))).toEqual([null, "s1"]);
  });

  test("is reset as expired before the call that would have resumed it", async () => {
    const created = new Date(Date.UTC(2020, 0, 1)).toISOString();
    const journal = await played([answers], {
      earlier: {
        finished: { reason: "stopped_by_user", exit_code: 0, sentence: "", at: created },
        session: { session_id: "old", driver: "demo", created_at: created, last_used: created },
      },
    });
    expect(typesOf(journal).indexOf("reset")).toBeLessThan(typesOf(journal).indexOf("iteration_started"));
    expect(bodiesOf(journal, "reset")[0]).toMatchObject({ what: "session", reason: "session_expired" });
    expect(resumes(journal)).toEqual([null]);
  });
});

describe("an iteration that met a limit", () => {
  const usage = (tokens: number): AgentEvent => ({
    type: "usage",
    input_tokens: tokens,
    output_tokens: 0,
    cache_read_tokens: null,
    cache_creation_tokens: null,
    duration_ms: null,
    cost_usd: tokens / 100,
    turns: 1,
    model: null,
  });
  const limited: Play = {
    says: [usage(100), { type: "error", class: "limit", message: "limit reached" }],
    ends: { outcome: "failed", exitCode: 1 },
  };

  test("adds up the usage of all its calls", async () => {
    const journal = await played([limited, { ...answers, says: [usage(10), finished] }], {
      settings: { MAX_ITERATIONS: 1 },
    });
    expect(iterations(journal)).toMatchObject([{ usage: { input_tokens: 110, cost_usd: 1.1 } }]);
  });

  test("compares with the tree before its first call", async () => {
    const journal = await played([{ ...limited, changes: ["first.ts"] }, idle], { settings: { MAX_ITERATIONS: 1 } });
    expect(iterations(journal)).toMatchObject([{ evidence: { progress: true, files_changed: ["first.ts"] } }]);
  });
});

describe("an iteration that timed out", () => {
  const timedOut: Play = { ends: { outcome: "timed_out", exitCode: null } };

  test("counts as work if files changed", async () => {
    expect(iterations(await played([{ ...timedOut, changes: ["a.ts"] }]))).toMatchObject([{ outcome: "timed_out" }]);
  });

  test("is a failure if nothing changed", async () => {
    expect(iterations(await played([timedOut]))).toMatchObject([{ outcome: "failed" }]);
  });
});
