import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "../../src/driver.ts";
import { callAgent } from "../../src/run/call.ts";
import { bodiesOf, type FakeParts, fakeWorld, finished, type Play, requestOf, typesOf } from "./fake-world.ts";

const FIRST = { iteration: 1, call: 1, purpose: "main", tree: null } as const;

/** One call of an agent that does what `play` says. */
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
const session = (session_id: string): AgentEvent => ({ type: "session_id", session_id });
const sessions = (journal: Parameters<typeof bodiesOf>[0]) =>
  bodiesOf(journal, "agent_session").map((body) => (body as { session_id: string }).session_id);

test("a call is recorded from its start to its end", async () => {
  const { outcome, journal } = await called({ says: [{ type: "text", text: "Hello" }, finished] });
  expect(typesOf(journal)).toEqual(["agent_started", "agent_text", "agent_finished"]);
  expect(bodiesOf(journal, "agent_finished")).toMatchObject([{ ok: true, outcome: "ok", final_text: "Done." }]);
  expect(outcome).toMatchObject({ ok: true, error: null, repeat: null, noWrites: false });
});

test("a call that a signal ended says so", async () => {
  const { outcome } = await called({
    says: ["Loading"],
    ends: { outcome: "failed", exitCode: null, signal: "SIGKILL" },
  });
  expect(outcome.error?.message).toContain("SIGKILL");
});

test("the decoder is told the last lines of stderr at the end", async () => {
  const end = (stderr: readonly string[] = []) => stderr.map((line) => failure(`logged: ${line}`));
  const driver = { decoder: () => ({ line: () => [], end }) };
  const { outcome } = await called({ ends: { outcome: "failed", stderrTail: ["why"] } }, { driver });
  expect(outcome.error?.message).toBe("logged: why");
});

describe("the session", () => {
  const chooses = { driver: { choosesSessionId: true } };
  test.each<[string, Play, FakeParts, ReturnType<typeof requestOf>, string[]]>([
    [
      "that the agent names on each line is told once",
      { says: [session("a"), session("a"), finished] },
      {},
      requestOf(),
      ["a"],
    ],
    ["that it names anew is another", { says: [session("a"), session("b"), finished] }, {}, requestOf(), ["a", "b"]],
    [
      "that was chosen exists from the first event on, though it is named last",
      { says: [{ type: "text", text: "x" }, session("chosen"), finished] },
      chooses,
      requestOf(),
      ["chosen"],
    ],
    [
      "that was chosen is not told before the agent says anything",
      { says: ["Error: no such model"], ends: { exitCode: 1, outcome: "failed" } },
      chooses,
      requestOf(),
      [],
    ],
    [
      "that goes on is told by the agent alone",
      { says: [{ type: "text", text: "x" }, finished] },
      chooses,
      requestOf({ resume: "old" }),
      [],
    ],
    [
      "that cannot be one of this CLI is none",
      { says: [session("no"), finished] },
      { driver: { sessionIds: /^(?!no$)/ } },
      requestOf(),
      [],
    ],
    [
      "of plain text is the one that was chosen",
      { says: ["Hello"] },
      chooses,
      requestOf({ format: "text" }),
      ["chosen"],
    ],
    [
      "of plain text that goes on is the same",
      { says: ["Hello"] },
      chooses,
      requestOf({ format: "text", resume: "old" }),
      ["old"],
    ],
    [
      "that a hook finds counts above what the events told",
      { says: [session("a"), finished] },
      { driver: { extractSessionId: () => "hooked" } },
      requestOf(),
      ["a", "hooked"],
    ],
    [
      "that a hook finds and that cannot be one leaves the word to the last resort",
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
      "of an agent that could not be started is looked for nowhere",
      { ends: { outcome: "spawn_failed", exitCode: null } },
      { driver: { extractSessionId: () => "hooked" } },
      requestOf(),
      [],
    ],
  ])("%s", async (_name, play, parts, request, expected) => {
    expect(sessions((await called(play, parts, request)).journal)).toEqual(expected);
  });

  test("that is unknown to the agent makes the call one to repeat", async () => {
    const rejected: AgentEvent = { type: "error", class: "session", message: "No conversation found" };
    const play: Play = { says: [rejected], ends: { exitCode: 1, outcome: "failed" } };
    const { outcome } = await called(play, {}, requestOf({ resume: "old" }));
    expect(outcome).toMatchObject({ ok: false, repeat: "session", error: { class: "session" } });
    expect((await called(play)).outcome.repeat).toBeNull();
  });
});

describe("a limit", () => {
  const limits = async (says: AgentEvent[]) => {
    const { outcome, journal } = await called({ says, ends: { exitCode: 1, outcome: "failed" } });
    expect(outcome).toMatchObject({ ok: false, repeat: "limit" });
    return bodiesOf(journal, "agent_limit");
  };

  test("with a time is recorded as it was told", async () => {
    expect(await limits([limited("2026-03-04T15:00:00.000Z"), failure("limit reached")])).toMatchObject([
      { kind: "usage_limit", resets_at: "2026-03-04T15:00:00.000Z" },
    ]);
  });

  test("without a time gets the one that the error's wording states", async () => {
    const said = await limits([limited(null), failure("You've hit your usage limit. Resets at 3:00 PM (UTC)")]);
    expect(said).toMatchObject([{ resets_at: null }, { resets_at: expect.stringContaining("T15:00:00") }]);
  });

  test("that only words tell of is one too", async () => {
    expect(await limits([failure("You've hit your usage limit. Resets at 3:00 PM (UTC)")])).toHaveLength(1);
  });
});

test.each<[string, (AgentEvent | string)[], boolean]>([
  ["before a good end was overcome", [failure("500"), finished], true],
  ["after it is the end", [finished, failure("500")], false],
])("an error %s", async (_name, says, ok) => {
  expect((await called({ says })).outcome.ok).toBe(ok);
});

test("an event that nobody knows is noted once and counted", async () => {
  const unknown: AgentEvent = { type: "unknown", name: "mystery" };
  const { journal } = await called({ says: [unknown, unknown, finished] });
  expect(bodiesOf(journal, "note")).toEqual([
    { type: "note", level: "info", text: "Demo printed an event that this ralph does not know: mystery" },
  ]);
  expect(bodiesOf(journal, "agent_finished")).toMatchObject([{ unknown_events: 2 }]);
});

test("text that is being written is shown and not recorded", async () => {
  const shown: string[] = [];
  const partial: AgentEvent = { type: "partial", text: "Hel" };
  const { journal } = await called(
    { says: [partial, finished] },
    { agent: { onPartial: (text) => void shown.push(text) } },
  );
  expect(shown).toEqual(["Hel"]);
  expect(typesOf(journal)).toEqual(["agent_started", "agent_finished"]);
});

test.each<[string, Play, string]>([
  ["the last plain lines", { says: ["starting", "Error: no such model"] }, "starting\nError: no such model"],
  ["what stderr said in words", { ends: { stderrTail: ['{"level":"info"}', "panic"] } }, "panic"],
  [
    "and no event that was cut",
    { says: ['{"type": "text", "text": "quoted: fatal', "no such model"] },
    "no such model",
  ],
])("what went wrong without an error event is %s", async (_name, play, message) => {
  const { outcome } = await called({ ...play, ends: { outcome: "failed", exitCode: 1, ...play.ends } });
  expect(outcome.error?.message).toBe(message);
});

test("what the agent changed of ralph's files, and what it left running, is noted", async () => {
  const parts: FakeParts = { guard: { repair: () => [".ralph/lock (put back)"] } };
  const { journal } = await called({ says: [finished], ends: { leftovers: [7, 8] } }, parts);
  expect(typesOf(journal)).toEqual(["agent_started", "note", "agent_finished", "note"]);
  expect(bodiesOf(journal, "note")).toMatchObject([
    { level: "warn", text: expect.stringContaining(".ralph/lock (put back)") },
    { level: "info", text: "Ended 2 process(es) that the agent left behind." },
  ]);
});
