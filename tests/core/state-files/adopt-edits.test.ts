import { describe, expect, test } from "bun:test";
import type { State } from "../../../src/core/journal/state.ts";
import { adoptEdits } from "../../../src/core/state-files/adopt-edits.ts";
import type { OldFileName, OldFiles } from "../../../src/core/state-files/legacy/adopt-legacy.ts";
import { renderStateFiles } from "../../../src/core/state-files/render-state-files.ts";
import { statusFile } from "../../../src/core/state-files/status-file.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { after, iterationFinished, iterationStarted, runFinished, runStarted, START } from "./script.ts";

const NOW = START + 60_000;
const breaker = {
  ...closedBreaker(),
  state: "open" as const,
  since: START + 123,
  reason: "output_decline" as const,
  sentence: "The answers shrank.",
  no_progress: 3,
  same_error: 1,
  fingerprint: "f",
  total_opens: 1,
};
const state = after(
  runStarted(),
  iterationStarted(1),
  { type: "agent_session", call: 1, session_id: "s-1" },
  iterationFinished({ breaker }),
  runFinished("output_decline"),
);

/** The files as the run left them, with changes; undefined deletes. */
function disk(changes: Partial<Record<OldFileName, string | undefined>> = {}, of: State = state): OldFiles {
  const texts = {
    ...renderStateFiles(of, { head: "h", outputFile: "o" }),
    "status.json": statusFile(of, { complete: true }),
    ...changes,
  };
  const present = Object.entries(texts).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, { text, mtime: NOW }]] : [],
  );
  return Object.fromEntries(present);
}

const circuit = (change: Record<string, unknown>) =>
  JSON.stringify({
    ...JSON.parse(renderStateFiles(state, { head: null, outputFile: null })[".circuit_breaker_state"]),
    ...change,
  });

describe("edits are not adopted", () => {
  test("from untouched files: the state is the same object", () => {
    const adoption = adoptEdits(state, disk(), NOW);
    expect(adoption).toEqual({ state, notes: [], corrupt: [] });
    expect(adoption.state).toBe(state);
  });

  test("from files with another key order or indentation", () => {
    const same = { ".circuit_breaker_state": circuit({ current_loop: 99 }), ".call_count": "1" };
    expect(adoptEdits(state, disk(same), NOW).notes).toEqual([]);
  });

  test("from outdated files of a ralph that was killed before it wrote them", () => {
    const begun = after(runStarted());
    expect(adoptEdits(state, disk({}, begun), NOW).state).toBe(state);
    expect(
      adoptEdits(state, disk({ "status.json": statusFile(state, { complete: false }), ".call_count": "0\n" }), NOW)
        .state,
    ).toBe(state);
  });

  test("after a run without an end, whose journal is newer than its files", () => {
    const killed = after(runStarted(), iterationStarted(1));
    expect(adoptEdits(killed, disk({ ".call_count": undefined }, killed), NOW).state).toBe(killed);
  });
});

describe("an edited breaker", () => {
  test.each<[string, string | undefined, Record<string, unknown>, string]>([
    ["deleted", undefined, closedBreaker(), ".circuit_breaker_state was deleted, so the circuit breaker is reset."],
    [
      "closed by the bash loop",
      '{"state":"CLOSED","consecutive_no_progress":0}',
      closedBreaker(),
      ".circuit_breaker_state was changed, so the circuit breaker is CLOSED.",
    ],
    [
      "aged",
      circuit({ opened_at: "2020-01-01T00:00:00+00:00" }),
      { ...breaker, since: Date.UTC(2020, 0, 1) },
      ".circuit_breaker_state was changed, so the circuit breaker is OPEN.",
    ],
  ])("that was %s", (_, text, expected, note) => {
    const adoption = adoptEdits(state, disk({ ".circuit_breaker_state": text }), NOW);
    expect(adoption.state.breaker).toEqual(expected as State["breaker"]);
    expect(adoption.notes).toEqual([note]);
  });

  test("is recorded in the history", () => {
    const { breaker_history } = adoptEdits(state, disk({ ".circuit_breaker_state": undefined }), NOW).state;
    expect(breaker_history.at(-1)).toMatchObject({
      from_state: "OPEN",
      to_state: "CLOSED",
      timestamp: new Date(NOW).toISOString(),
    });
  });

  test.each(["", "{", "[]"])("that is unreadable (%j) changes nothing and is moved aside", (text) => {
    const adoption = adoptEdits(state, disk({ ".circuit_breaker_state": text }), NOW);
    expect(adoption.state.breaker).toBe(state.breaker);
    expect(adoption.corrupt).toEqual([".circuit_breaker_state"]);
  });
});

describe("edited counters", () => {
  test.each<[string, Partial<Record<OldFileName, string | undefined>>, Partial<State["budget"]>]>([
    ["zero", { ".call_count": "0\n" }, { calls: 0, hour: "2026013109" }],
    ["deleted", { ".call_count": undefined }, { calls: 0, hour: "2026013109" }],
    ["raised by another program", { ".call_count": "40\n", ".token_count": "5\n" }, { calls: 40, tokens: 5 }],
    [
      "all deleted",
      { ".call_count": undefined, ".token_count": undefined, ".last_reset": undefined },
      { calls: 0, hour: "" },
    ],
    ["of an hour that is over", { ".last_reset": "2020010100\n" }, { calls: 0, hour: "" }],
  ])("case: %s", (_, changes, expected) => {
    const adoption = adoptEdits(state, disk(changes), NOW);
    expect(adoption.state.budget).toMatchObject(expected);
    expect(adoption.notes).toHaveLength(1);
  });

  test.each<[OldFileName, string]>([
    [".call_count", "abc"],
    [".token_count", ""],
    [".last_reset", "noon"],
  ])("%s with %j change nothing, and the file is moved aside", (name, text) => {
    const adoption = adoptEdits(state, disk({ [name]: text }), NOW);
    expect(adoption.state.budget).toBe(state.budget);
    expect(adoption.corrupt).toEqual([name]);
  });
});

describe("an edited session", () => {
  test.each<[string, Partial<Record<OldFileName, string | undefined>>]>([
    ["the id's file is deleted", { ".claude_session_id": undefined }],
    ["the id's file is emptied", { ".claude_session_id": "\n" }],
    ["the session's file is deleted", { ".ralph_session": undefined }],
    [
      "the session's file says reset",
      { ".ralph_session": '{"session_id":"","reset_at":"2026-01-31T00:00:00Z","reset_reason":"x"}' },
    ],
    ["both are deleted", { ".claude_session_id": undefined, ".ralph_session": undefined }],
  ])("is dropped when %s", (_, changes) => {
    const { state: next, notes } = adoptEdits(state, disk(changes), NOW);
    expect(next.session).toEqual({
      session_id: null,
      reset_at: new Date(NOW).toISOString(),
      reset_reason: "manual_reset_flag",
    });
    expect(next.session_history).toHaveLength(1);
    expect(notes).toHaveLength(1);
  });

  test("follows an id that another program wrote", () => {
    const { state: next } = adoptEdits(state, disk({ ".claude_session_id": "s-2\n" }), NOW);
    expect(next.session).toMatchObject({ session_id: "s-2", driver: "claude-code" });
  });

  test("is ignored if the file is unreadable", () => {
    expect(adoptEdits(state, disk({ ".claude_session_id": "0" }), NOW)).toMatchObject({
      state: { session: { session_id: "s-1" } },
      corrupt: [".claude_session_id"],
    });
  });
});

test("several edits are adopted together, even if status.json is missing or another program's", () => {
  for (const status of [undefined, '{"loop_count":3,"status":"halted"}', "{"]) {
    const files = disk({
      "status.json": status,
      ".call_count": "0",
      ".circuit_breaker_state": undefined,
      ".claude_session_id": undefined,
    });
    const { state: next, notes } = adoptEdits(state, files, NOW);
    expect([next.breaker.state, next.budget.calls, next.session.session_id]).toEqual(["closed", 0, null]);
    expect(notes).toHaveLength(3);
  }
});

test("each edited file that cannot be read has a note of its own", () => {
  const files = disk({ ".circuit_breaker_state": "{", ".claude_session_id": "{" });
  const { notes, corrupt } = adoptEdits(state, files, NOW);
  expect(corrupt).toEqual([".circuit_breaker_state", ".claude_session_id"]);
  expect(notes.map((note) => note.split(" ")[0])).toEqual([...corrupt]);
});
