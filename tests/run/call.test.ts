import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "../../src/driver.ts";
import { callAgent } from "../../src/run/call.ts";
import { bodiesOf, type FakeParts, fakeWorld, finished, type Play, requestOf, typesOf } from "./fake-world.ts";

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
const session = (session_id: string): AgentEvent => ({ type: "session_id", session_id });
const sessions = (journal: Parameters<typeof bodiesOf>[0]) =>
  bodiesOf(journal, "agent_session").map((body) => (body as { session_id: string }).session_id);

test("a call is recorded from start to end", async () => {
  const { outcome, journal } = await called({ says: [{ type: "text", text: "Hello" }, finished] });
  expect(typesOf(journal)).toEqual(["agent_started", "agent_text", "agent_finished"]);
  expect(bodiesOf(journal, "agent_finished")).toMatchObject([{ ok: true, outcome: "ok", final_text: "Done." }]);
  expect(outcome).toMatchObject({ ok: true, error: null, repeat: null, noWrites: false });
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
      "is not looked for if the agent could not be started",
      { ends: { outcome: "spawn_failed", exitCode: null } },
      { driver: { extractSessionId: () => "hooked" } },
      requestOf(),
      [],
    ],
  ])("%s", async (_name, play, parts, request, expected) => {
    expect(sessions((await called(play, parts, request)).journal)).toEqual(expected);
  });

  test("that the agent does not know has the call repeated", async () => {
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
    { agent: { onPartial: (text) => void shown.push(text) } },
  );
  expect(shown).toEqual(["Hel"]);
  expect(typesOf(journal)).toEqual(["agent_started", "agent_finished"]);
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
    { level: "info", text: "Ended 2 process(es) that the agent left behind." },
  ]);
});
