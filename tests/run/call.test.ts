import { describe, expect, test } from "bun:test";
import { noUsage } from "../../src/core/journal/usage.ts";
import type { AgentEvent, Driver, Host, Usage } from "../../src/driver.ts";
import { callAgent } from "../../src/run/call.ts";
import { MINUTE, NOON } from "../core/given.ts";
import {
  bodiesOf,
  type FakeParts,
  fakeWorld,
  finished,
  type Play,
  requestOf,
  resultOf,
  typesOf,
} from "./fake-world.ts";

const FIRST = { iteration: 1, call: 1, purpose: "main", tree: null } as const;

/** Runs one call of an agent that plays `play`. */
async function called(play: Play, parts: FakeParts = {}, request = requestOf()) {
  const fake = fakeWorld({ ...parts, plays: [play] });
  const outcome = await fake.run((run, agent) => callAgent(run, agent, { ...FIRST, request }));
  return { outcome, journal: fake.journal };
}

const limited = (resets_at: string | null): AgentEvent => ({
  type: "rate_limited",
  kind: "usage_limit",
  message: "limit",
  resets_at,
});
const failure = (message: string): AgentEvent => ({ type: "error", class: "infrastructure", message });
const WORDS: AgentEvent = { type: "text", text: "Hello" };
const complete = (over: boolean | null): AgentEvent => ({ type: "complete", over });
const session = (session_id: string): AgentEvent => ({ type: "session_id", session_id });
const sessions = (journal: Parameters<typeof bodiesOf>[0]) =>
  bodiesOf(journal, "agent_session").map((body) => (body as { session_id: string }).session_id);

test("a call is recorded from start to end", async () => {
  const { outcome, journal } = await called({ says: [{ type: "text", text: "Hello" }, finished] });
  expect(typesOf(journal)).toEqual(["agent_started", "agent_text", "agent_finished"]);
  expect(bodiesOf(journal, "agent_finished")).toMatchObject([{ ok: true, outcome: "ok", final_text: "Done." }]);
  expect(outcome).toMatchObject({ ok: true, error: null, repeat: null, noWrites: false });
});

test("an output that is not kept whole is told", async () => {
  const { journal } = await called({ says: [finished], ends: { keptBytes: 268_435_456 } });
  const text = "The agent printed more than is kept of one output: its file ends after 268 MB.";
  expect(bodiesOf(journal, "note")).toMatchObject([{ level: "warn", text }]);
});

test("a call ended by a signal names the signal", async () => {
  const { outcome } = await called({
    says: ["Loading"],
    ends: { outcome: "failed", exitCode: null, signal: "SIGKILL" },
  });
  expect(outcome.error?.message).toContain("SIGKILL");
});

test("the decoder receives the last lines of stderr at the end", async () => {
  const end = (stderr: readonly string[] = []) => stderr.map((line) => failure(`logged: ${line}`));
  const driver = { decoder: () => ({ line: () => [], end }) };
  const { outcome } = await called({ ends: { outcome: "failed", stderrTail: ["why"] } }, { driver });
  expect(outcome.error?.message).toBe("logged: why");
});

describe("the session id", () => {
  const chooses = { driver: { choosesSessionId: true } };
  test.each<[string, Play, FakeParts, ReturnType<typeof requestOf>, string[]]>([
    [
      "is recorded once, though the agent prints it on each line",
      { says: [session("a"), session("a"), finished] },
      {},
      requestOf(),
      ["a"],
    ],
    [
      "is recorded again when it changes",
      { says: [session("a"), session("b"), finished] },
      {},
      requestOf(),
      ["a", "b"],
    ],
    [
      "that ralph chose is recorded at the first event, though the agent prints it last",
      { says: [{ type: "text", text: "x" }, session("chosen"), finished] },
      chooses,
      requestOf(),
      ["chosen"],
    ],
    [
      "that ralph chose is not recorded before the agent prints an event",
      { says: ["Error: no such model"], ends: { exitCode: 1, outcome: "failed" } },
      chooses,
      requestOf(),
      [],
    ],
    [
      "of a resumed session is recorded only when the agent prints it",
      { says: [{ type: "text", text: "x" }, finished] },
      chooses,
      requestOf({ resume: "old" }),
      [],
    ],
    [
      "that is invalid for this CLI is not recorded",
      { says: [session("no"), finished] },
      { driver: { sessionIds: /^(?!no$)/ } },
      requestOf(),
      [],
    ],
    ["of plain text is the chosen one", { says: ["Hello"] }, chooses, requestOf({ format: "text" }), ["chosen"]],
    [
      "of plain text in a resumed session is the resumed one",
      { says: ["Hello"] },
      chooses,
      requestOf({ format: "text", resume: "old" }),
      ["old"],
    ],
    [
      "that a hook finds wins over the events",
      { says: [session("a"), finished] },
      { driver: { extractSessionId: () => "hooked" } },
      requestOf(),
      ["a", "hooked"],
    ],
    [
      "comes from the fallback hook if the first hook finds an invalid one",
      { says: [finished] },
      {
        driver: {
          sessionIds: /^(?!no$)/,
          extractSessionId: () => "no",
          fallbackSessionId: () => Promise.resolve("last"),
        },
      },
      requestOf(),
      ["last"],
    ],
    [
      "is asked of the fallback if the call was cut short",
      { says: ["Hm."], ends: { exitCode: null, outcome: "timed_out" } },
      { driver: { fallbackSessionId: () => Promise.resolve("last") } },
      requestOf(),
      ["last"],
    ],
    [
      "is not asked of the fallback if the call failed",
      { says: ["Hm."], ends: { exitCode: 1, outcome: "failed" } },
      { driver: { fallbackSessionId: () => Promise.resolve("last") } },
      requestOf(),
      [],
    ],
    [
      "is not looked for if the agent could not be started",
      { ends: { outcome: "spawn_failed", exitCode: null } },
      { driver: { extractSessionId: () => "hooked" } },
      requestOf(),
      [],
    ],
  ])("%s", async (_name, play, parts, request, expected) => {
    expect(sessions((await called(play, parts, request)).journal)).toEqual(expected);
  });

  test("that cannot be one of this CLI is noted, once", async () => {
    const says = [session("no"), session("no"), finished];
    const { journal } = await called({ says }, { driver: { displayName: "Demo", sessionIds: /^(?!no$)/ } });
    expect(journal.filter(({ type }) => type === "note")).toMatchObject([
      { level: "info", text: "Demo named a session that it cannot resume: no" },
    ]);
  });

  test("that the agent does not know has the call repeated", async () => {
    const rejected: AgentEvent = { type: "error", class: "session", message: "No conversation found" };
    const play: Play = { says: [rejected], ends: { exitCode: 1, outcome: "failed" } };
    const { outcome } = await called(play, {}, requestOf({ resume: "old" }));
    expect(outcome).toMatchObject({ ok: false, repeat: "session", error: { class: "session" } });
    expect((await called(play)).outcome.repeat).toBeNull();
  });
});

describe("a driver's usage file", () => {
  const line = (tokens: number) => `${JSON.stringify({ type: "usage", ...noUsage(), input_tokens: tokens })}\n`;
  const used = (journal: Parameters<typeof bodiesOf>[0]) =>
    bodiesOf(journal, "agent_usage").map((body) => (body as Partial<Usage>).input_tokens);
  const told = (input_tokens: number | null): AgentEvent => ({ type: "usage", ...noUsage(), turns: 2, input_tokens });

  /** The files of all sessions, as they grow when the agent starts. */
  function withFiles(before: Record<string, string>, after: Record<string, string>, driver: Partial<Driver> = {}) {
    let files = before;
    const asked: string[] = [];
    const usageFiles = (_: Host, id: string) => {
      asked.push(id);
      return [`/none/${id}`, `/home/${id}`];
    };
    const parts: FakeParts = {
      driver: { choosesSessionId: true, usageFiles, ...driver },
      world: {
        fileSize: (path) => files[path]?.length ?? 0,
        outputEnds: (path, { from = 0 }) => ({ head: (files[path] ?? "").slice(from), tail: "" }),
      },
    };
    const meanwhile = () => {
      files = after;
    };
    return { asked, parts, meanwhile };
  }

  test("tells the tokens of a call that told none, of a new session and of a resumed one from where it was", async () => {
    const files = { "/home/chosen": line(3) + line(4), "/home/old": line(90) + line(5) };
    const { parts, meanwhile } = withFiles({ "/home/old": line(90) }, files);
    const play = { says: [told(null), finished], meanwhile };
    const { journal, outcome } = await called(play, parts);
    expect(used(journal)).toEqual([null, 7]);
    expect(outcome.output.usage).toMatchObject({ input_tokens: 7, turns: 2 });
    expect(bodiesOf(journal, "agent_started")).toMatchObject([{ usage_from: 0 }]);
    const again = withFiles({ "/home/old": line(90) }, files);
    const resumed = await called({ ...play, meanwhile: again.meanwhile }, again.parts, requestOf({ resume: "old" }));
    expect(used(resumed.journal)).toEqual([null, 5]);
    expect(bodiesOf(resumed.journal, "agent_started")).toMatchObject([{ usage_from: line(90).length }]);
  });

  test("tells all of a session that the agent took in the place of the one to be resumed", async () => {
    const { parts, meanwhile } = withFiles({ "/home/old": line(90) }, { "/home/old": line(90), "/home/new": line(7) });
    const play = { says: [session("new"), finished], meanwhile };
    expect(used((await called(play, parts, requestOf({ resume: "old" }))).journal)).toEqual([7]);
  });

  test("tells those of a call that was cut short before it named its session", async () => {
    const { parts, meanwhile } = withFiles({}, { "/home/old": line(5) });
    const play: Play = { says: ["Hm."], ends: { outcome: "timed_out", exitCode: null }, meanwhile };
    expect(used((await called(play, parts, requestOf({ resume: "old" }))).journal)).toEqual([5]);
  });

  test("is not read where the output told them, and not by an id that leads elsewhere", async () => {
    const files = { "/home/chosen": line(3), "/home/../x": line(3) };
    const one = withFiles(files, files);
    expect(used((await called({ says: [told(9), finished] }, one.parts)).journal)).toEqual([9]);
    const other = withFiles(files, files, { choosesSessionId: false });
    expect(used((await called({ says: [session("../x"), finished] }, other.parts)).journal)).toEqual([]);
    expect(other.asked).toEqual([]);
  });

  test("may hold anything: only figures of usage that can be count", async () => {
    const odd = `${JSON.stringify(finished)}\n{"type":"text","text":"Hello"}\n\0{]\n${line(-5)}${line(3)}{"type":"us`;
    const { parts, meanwhile } = withFiles({}, { "/home/chosen": odd });
    const play: Play = { says: [told(null)], ends: { outcome: "failed", exitCode: 1 }, meanwhile };
    const { journal, outcome } = await called(play, parts);
    expect([outcome.ok, used(journal)]).toEqual([false, [null, 3]]);
    expect(bodiesOf(journal, "agent_text")).toEqual([]);
  });
});

describe("a limit", () => {
  const limits = async (says: AgentEvent[]) => {
    const { outcome, journal } = await called({ says, ends: { exitCode: 1, outcome: "failed" } });
    expect(outcome).toMatchObject({ ok: false, repeat: "limit" });
    return bodiesOf(journal, "agent_limit");
  };

  test("with a reset time is recorded as reported", async () => {
    expect(await limits([limited("2026-03-04T15:00:00.000Z"), failure("limit reached")])).toMatchObject([
      { kind: "usage_limit", resets_at: "2026-03-04T15:00:00.000Z" },
    ]);
  });

  test("without a reset time gets it from the error's wording", async () => {
    const said = await limits([limited(null), failure("You've hit your usage limit. Resets at 3:00 PM (UTC)")]);
    expect(said).toMatchObject([{ resets_at: null }, { resets_at: expect.stringContaining("T15:00:00") }]);
  });

  test("that only the error's wording reports is recorded", async () => {
    expect(await limits([failure("You've hit your usage limit. Resets at 3:00 PM (UTC)")])).toHaveLength(1);
  });
});

test.each<[string, (AgentEvent | string)[], boolean]>([
  ["before a successful final event does not fail the call", [failure("500"), finished], true],
  ["after a successful final event fails the call", [finished, failure("500")], false],
])("an error %s", async (_name, says, ok) => {
  expect((await called({ says })).outcome.ok).toBe(ok);
});

test("an unknown event is noted once and counted each time", async () => {
  const unknown: AgentEvent = { type: "unknown", name: "mystery" };
  const { journal } = await called({ says: [unknown, unknown, finished] });
  expect(bodiesOf(journal, "note")).toEqual([
    { type: "note", level: "info", text: "Demo printed an event that this ralph does not know: mystery" },
  ]);
  expect(bodiesOf(journal, "agent_finished")).toMatchObject([{ unknown_events: 2 }]);
});

test("partial text is shown but not recorded", async () => {
  const shown: string[] = [];
  const partial: AgentEvent = { type: "partial", text: "Hel" };
  const { journal } = await called(
    { says: [partial, finished] },
    { agent: { onPartial: (read) => void shown.push(read()) } },
  );
  expect(shown).toEqual(["Hel"]);
  expect(typesOf(journal)).toEqual(["agent_started", "agent_finished"]);
});

test("partial text is shown without the secrets in it", async () => {
  const shown: string[] = [];
  const partial: AgentEvent = { type: "partial", text: `The token is ghp_${"a1B2".repeat(9)}.` };
  await called({ says: [partial, finished] }, { agent: { onPartial: (read) => void shown.push(read()) } });
  expect(shown).toEqual(["The token is [masked: github token]."]);
});

test.each<[string, Play, string]>([
  ["the last plain lines of stdout", { says: ["starting", "Error: no such model"] }, "starting\nError: no such model"],
  ["the plain lines of stderr", { ends: { stderrTail: ['{"level":"info"}', "panic"] } }, "panic"],
  ["never a truncated event", { says: ['{"type": "text", "text": "quoted: fatal', "no such model"] }, "no such model"],
])("the error of a call without an error event is %s", async (_name, play, message) => {
  const { outcome } = await called({ ...play, ends: { outcome: "failed", exitCode: 1, ...play.ends } });
  expect(outcome.error?.message).toBe(message);
});

test("repaired files and ended leftover processes are noted", async () => {
  const parts: FakeParts = { guard: { repair: () => [".ralph/lock (put back)"] } };
  const { journal } = await called({ says: [finished], ends: { leftovers: [7, 8] } }, parts);
  expect(typesOf(journal)).toEqual(["agent_started", "note", "agent_finished", "note"]);
  expect(bodiesOf(journal, "note")).toMatchObject([
    { level: "warn", text: expect.stringContaining(".ralph/lock (put back)") },
    { level: "info", text: "Ended 2 processes that the agent left behind." },
  ]);
});

describe("the process of an agent's call", () => {
  const MINUTES = { CLAUDE_TIMEOUT_MINUTES: 20, IDLE_TIMEOUT_MINUTES: 3, WRITE_TIMEOUT_MINUTES: 5 };

  /** What a process is started with; `tree` as the iteration found it. */
  async function startedWith(settings: FakeParts["settings"], tree: string | null = "tree-1", play: Play = {}) {
    const fake = fakeWorld({ settings: { ...MINUTES, ...settings }, plays: [play], agent: { binary: ["demo"] } });
    const request = requestOf({ cwd: "/project/work" });
    const marker = await fake.run(async (run, agent) => {
      await callAgent(run, agent, { ...FIRST, iteration: 4, call: 2, request, tree });
      return run.marker;
    });
    return { options: fake.started[0], marker, log: fake.log };
  }

  test("gets the settings' times in milliseconds, its folder, its own output files and the run's marker", async () => {
    const { options, marker } = await startedWith({});
    expect(options).toMatchObject({
      cwd: "/project/work",
      stdoutFile: "4-2.out",
      stderrFile: "4-2.err",
      timeoutMs: 20 * MINUTE,
      idleMs: 3 * MINUTE,
      writeMs: 5 * MINUTE,
      graceMs: 5000,
      marker,
    });
  });

  test("gets the environment of the world", async () => {
    const fake = fakeWorld({ world: { env: { PATH: "/bin" } } });
    await fake.run((run, agent) => callAgent(run, agent, { ...FIRST, request: requestOf() }));
    expect(fake.started[0]?.env).toEqual({ PATH: "/bin" });
  });

  test("begins after the project's files were remembered, so that its changes of them can be undone", async () => {
    const { log } = await startedWith({}, null, { says: [finished] });
    expect(log).toContain("watch");
  });

  test.each<[string, FakeParts["settings"], string | null, { isAlive: boolean; hasWritten: boolean }]>([
    ["is checked for changed files before it counts as idle", {}, "tree-1", both(true)],
    ["is not checked for changed files without a tree to compare with", {}, null, both(false)],
    [
      "is never idle without an idle timeout",
      { IDLE_TIMEOUT_MINUTES: 0 },
      "tree-1",
      { isAlive: false, hasWritten: true },
    ],
    [
      "need not write without a write timeout",
      { WRITE_TIMEOUT_MINUTES: 0 },
      "tree-1",
      { isAlive: true, hasWritten: false },
    ],
  ])("%s", async (_name, settings, tree, expected) => {
    const { options } = await startedWith(settings, tree);
    const { isAlive, hasWritten, writeMs } = options ?? {};
    expect({ isAlive: isAlive !== undefined, hasWritten: hasWritten !== undefined }).toEqual(expected);
    expect(writeMs !== undefined).toBe(expected.hasWritten);
  });

  test.each<[string, Play, boolean]>([
    ["is finished after its final event", { says: [finished] }, true],
    ["is unfinished before its final event", { says: [{ type: "text", text: "Hello" }] }, false],
  ])("%s", async (_name, play, over) => {
    const seen: boolean[] = [];
    await startedWith({}, null, { ...play, meanwhile: ({ isFinished }) => void seen.push(isFinished()) });
    expect(seen).toEqual([over]);
  });

  test.each<[string, AgentEvent[], boolean]>([
    ["lacks only its final event after an answer that is complete", [WORDS, complete(true)], true],
    ["goes on after an answer that may be complete", [WORDS, complete(false)], false],
    ["goes on once it works again", [complete(true), WORDS], false],
    ["goes on once it says so", [complete(true), complete(null)], false],
  ])("%s", async (_name, says, over) => {
    const seen: unknown[] = [];
    await startedWith({}, null, { says, meanwhile: ({ isOver }) => void seen.push(isOver?.()) });
    expect(seen).toEqual([over]);
  });

  test("is recorded without its prompt, which the journal would keep once a call", async () => {
    const driver: Partial<Driver> = { buildCommand: ({ prompt }) => ({ argv: ["demo", "-p", prompt] }) };
    const { journal } = await called({ says: [finished] }, { driver }, requestOf({ prompt: "Do this and that." }));
    expect(JSON.stringify(bodiesOf(journal, "agent_started"))).not.toContain("Do this and that.");
  });

  test("runs inside its sandbox, which is left before anything else reads the project", async () => {
    const order: unknown[] = [];
    const fake = fakeWorld({
      settings: { TEST_COMMAND: "sh checks/test.sh" },
      tree: { "checks/test.sh": "exit 0\n" },
      guard: {
        repair: () => {
          order.push("repair");
          return [];
        },
      },
      world: {
        env: { PATH: "/bin" },
        sandbox: {
          summary: "a jail",
          enter: async ({ command, env, fixed }) => {
            order.push(["enter", command.argv, env, fixed]);
            const leave = async () => {
              order.push("leave");
              return [".git/commondir (removed)"];
            };
            return { command: { argv: ["jail", ...command.argv], stdin: "" }, env: { INSIDE: "1" }, leave };
          },
          close: async () => {},
        },
        process: {
          run: async ({ argv }, { env, onStart, onLines }) => {
            order.push(["run", argv, env]);
            onStart({ pid: 1, group: 1, startTime: null });
            onLines([JSON.stringify(finished)]);
            return resultOf();
          },
        },
      },
    });
    await fake.run(async (run, agent) => {
      run.gateWatch.begin(await run.world.workspace.snapshot());
      return callAgent(run, agent, { ...FIRST, request: requestOf() });
    });
    expect(order).toEqual([
      ["enter", ["demo"], { PATH: "/bin" }, ["/project/checks/test.sh"]],
      ["run", ["jail", "demo"], { INSIDE: "1" }],
      "leave",
      "repair",
    ]);
    expect(bodiesOf(fake.journal, "note")).toContainEqual(
      expect.objectContaining({ level: "warn", text: expect.stringContaining(".git/commondir (removed)") }),
    );
  });
});

function both(value: boolean) {
  return { isAlive: value, hasWritten: value };
}

test("the decoder gets the usage of the session's earlier calls", async () => {
  const facts: unknown[] = [];
  const usage = { ...noUsage(), input_tokens: 7 };
  const at = new Date(NOON).toISOString();
  await called(
    { says: [finished] },
    {
      earlier: {
        finished: { reason: "stopped_by_user", exit_code: 0, sentence: "", at },
        session: { session_id: "old", driver: "demo", created_at: at, last_used: at, usage },
      },
      driver: {
        decoder: (_kit, given) => {
          facts.push(given);
          return { line: () => [], end: () => [] };
        },
      },
    },
    requestOf({ resume: "old" }),
  );
  expect(facts).toEqual([{ resume: "old", used: usage }]);
});

test.each<[string, AgentEvent[], boolean]>([
  ["is an answer if it was complete", [WORDS, complete(true)], true],
  ["is none if the agent went on", [WORDS, complete(true), complete(null)], false],
])("a call without its final event %s", async (_name, says, ok) => {
  expect((await called({ says })).outcome.ok).toBe(ok);
});

describe("the end of a call", () => {
  const endOf = async (play: Play) => {
    const { outcome, journal } = await called(play);
    return { outcome, end: bodiesOf(journal, "agent_finished")[0] };
  };

  test("is recorded with exit code, signal and time", async () => {
    const { outcome, end } = await endOf({ ends: { outcome: "failed", exitCode: 3, signal: "SIGSEGV", ms: 1234 } });
    expect(end).toMatchObject({ call: 1, outcome: "failed", ok: false, exit_code: 3, signal: "SIGSEGV", ms: 1234 });
    expect(outcome).toMatchObject({ outcome: "failed", ms: 1234 });
  });

  test("is a failure without an answer, even with exit code 0", async () => {
    expect((await endOf({ says: [{ type: "text", text: "Hel" }] })).end).toMatchObject({
      outcome: "failed",
      exit_code: 0,
    });
  });

  test("after a timeout is recorded as a timeout", async () => {
    expect((await endOf({ ends: { outcome: "timed_out", exitCode: null } })).end).toMatchObject({
      outcome: "timed_out",
    });
  });

  test("mentions missing writes only if they ended the call", async () => {
    const idle = await endOf({ ends: { outcome: "idle", exitCode: null, noWrites: true } });
    expect([idle.end, idle.outcome]).toMatchObject([{ no_writes: true }, { noWrites: true }]);
    expect((await endOf({ says: [finished] })).end).not.toHaveProperty("no_writes");
  });

  test("counts each unknown event, and names each kind once", async () => {
    const unknown = (name: string): AgentEvent => ({ type: "unknown", name });
    const { outcome, end } = await endOf({ says: [unknown("a"), unknown("b"), unknown("a"), finished] });
    expect(end).toMatchObject({ unknown_events: 3 });
    expect(outcome.unknownEvents).toEqual(["a", "b"]);
  });
});

describe("the words of a limit", () => {
  const said = async (error: AgentEvent, says: AgentEvent[] = []) => {
    const { journal } = await called({ says: [...says, error], ends: { exitCode: 1, outcome: "failed" } });
    return { limits: bodiesOf(journal, "agent_limit"), end: bodiesOf(journal, "agent_finished")[0] };
  };
  const epoch = `limit reached|${NOON / 1000}`;

  test("replace a number of seconds by a time", async () => {
    const { end } = await said({ type: "error", class: "limit", message: epoch });
    expect(end).toMatchObject({ error: { class: "limit", message: expect.stringMatching(/^limit reached, resets /) } });
  });

  test("in another error stay unchanged", async () => {
    const { limits, end } = await said({ type: "error", class: "auth", message: epoch });
    expect(end).toMatchObject({ error: { class: "auth", message: epoch } });
    expect(limits).toEqual([]);
  });

  test("distinguish a rate limit from a usage limit, without the other lines of the error", async () => {
    const message = "Error at line 1\nToo many requests\nat fetch";
    const { limits } = await said({ type: "error", class: "infrastructure", message });
    expect(limits).toEqual([
      { type: "agent_limit", call: 1, kind: "rate_limit", message: "Too many requests", resets_at: null },
    ]);
  });

  test("that no pattern matches still end when they say so", async () => {
    const message = "Allowance spent. Resets at 2027-01-02T03:04:05Z";
    const { limits } = await said({ type: "error", class: "limit", message });
    expect(limits).toEqual([
      { type: "agent_limit", call: 1, kind: "usage_limit", message, resets_at: "2027-01-02T03:04:05.000Z" },
    ]);
  });

  test("that no pattern matches are kept, as a usage limit without an end", async () => {
    const { limits } = await said({ type: "error", class: "limit", message: "Come back later." });
    expect(limits).toEqual([
      { type: "agent_limit", call: 1, kind: "usage_limit", message: "Come back later.", resets_at: null },
    ]);
  });
});

test("a session that a hook found is recorded after all that the output said", async () => {
  const end = (): AgentEvent[] => [{ type: "text", text: "late" }];
  const driver = { decoder: () => ({ line: () => [], end }), extractSessionId: () => "hooked" };
  const { journal } = await called({}, { driver });
  expect(typesOf(journal)).toEqual(["agent_started", "agent_text", "agent_session", "agent_finished"]);
});
