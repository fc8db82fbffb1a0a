import { describe, expect, test } from "bun:test";
import type { State } from "../../../src/core/journal/state.ts";
import { adoptEdits } from "../../../src/core/state-files/adopt-edits.ts";
import { isCheckpoint } from "../../../src/core/state-files/checkpoint.ts";
import { adoptLegacy, type OldFiles } from "../../../src/core/state-files/legacy/adopt-legacy.ts";
import { lastDriver, readSessionId } from "../../../src/core/state-files/legacy/old-session.ts";
import { renderStateFiles } from "../../../src/core/state-files/render-state-files.ts";
import { logEntry } from "../../../src/core/state-files/run-log.ts";
import { statusFile } from "../../../src/core/state-files/status-file.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { after, iterationFinished, iterationStarted, play, runFinished, runStarted, START } from "./script.ts";

const NOW = START + 60_000;

/** A state's files as a run left them, with changes; undefined deletes. */
function disk(of: State, changes: Record<string, string | undefined>): OldFiles {
  const texts = {
    ...renderStateFiles(of, { head: null, outputFile: null }),
    "status.json": statusFile(of, { complete: true }),
    ...changes,
  };
  const present = Object.entries(texts).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, { text, mtime: NOW }]] : [],
  );
  return Object.fromEntries(present);
}

describe("an edit of a state file", () => {
  const breaker = {
    ...closedBreaker(),
    state: "open" as const,
    since: START,
    reason: "output_decline" as const,
    sentence: "The words that the file keeps of it.",
    no_progress: 3,
    total_opens: 1,
  };
  const state = after(runStarted(), iterationStarted(1), iterationFinished({ breaker }), runFinished("output_decline"));

  test("keeps the reason of an open breaker, which the file lacks", () => {
    const file = JSON.parse(renderStateFiles(state, { head: null, outputFile: null })[".circuit_breaker_state"]);
    const text = JSON.stringify({ ...file, consecutive_no_progress: 2 });
    const adopted = adoptEdits(state, disk(state, { ".circuit_breaker_state": text }), NOW).state.breaker;
    expect(adopted).toMatchObject({ state: "open", reason: "output_decline", no_progress: 2 });
  });

  test("is reported with the names of the edited files only", () => {
    const { notes } = adoptEdits(state, disk(state, { ".call_count": "7\n" }), NOW);
    expect(notes).toEqual([expect.stringMatching(/^\.call_count was changed: 7 calls /)]);
  });

  test("that empties a session's file changes nothing without a session", () => {
    const adoption = adoptEdits(state, disk(state, { ".claude_session_id": " \n" }), NOW);
    expect(adoption).toEqual({ state, notes: [], corrupt: [] });
  });
});

test("state files are written at the start, before each call, at waits, stops and resets, and at the end", () => {
  const written = play(
    runStarted(),
    iterationStarted(1),
    { type: "iteration_interrupted", number: 1, why: "crash" },
    { type: "wait_started", until: "", why: "offline", message: "" },
    { type: "wait_ended", why: "offline" },
    { type: "stop_requested", how: "now", by: "user" },
    { type: "stop_withdrawn" },
    { type: "reset", what: "both", reason: "manual_reset_flag" },
    { type: "note", level: "info", text: "t" },
    runFinished("plan_complete"),
  ).flatMap(({ event }) => (isCheckpoint(event) ? [event.type] : []));
  expect(written).toEqual([
    "run_started",
    "iteration_interrupted",
    "wait_started",
    "wait_ended",
    "stop_requested",
    "stop_withdrawn",
    "reset",
    "run_finished",
  ]);
});

test.each([
  ["both", "Reset of circuit breaker and session: manual_reset_flag."],
  ["circuit", "Reset of the circuit breaker: manual_reset_flag."],
  ["session", "Reset of the session: manual_reset_flag."],
] as const)("ralph.log names the reset: %s", (what, text) => {
  const step = play(runStarted(), { type: "reset", what, reason: "manual_reset_flag" }).at(-1);
  expect(step === undefined ? null : logEntry(step.event)?.text).toBe(text);
});

describe("adopting an earlier program's files", () => {
  const transitions = Array.from({ length: 60 }, (_, n) => ({
    timestamp: "2026-01-01T00:00:00+00:00",
    loop: n,
    from_state: "CLOSED",
    to_state: "HALF_OPEN",
    reason: `r${n}`,
  }));
  const adopt = (texts: Record<string, string>) =>
    adoptLegacy(Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { text, mtime: NOW }])), {
      now: NOW,
      driver: null,
    });

  test("keeps the newest 50 transitions of the breaker", () => {
    const { state } = adopt({ ".circuit_breaker_history": JSON.stringify(transitions) });
    expect(state.breaker_history).toHaveLength(50);
    expect(state.breaker_history.at(-1)).toMatchObject({ reason: "r59" });
  });

  test("lists unreadable files in the order of reading", () => {
    const { corrupt, notes } = adopt({ ".circuit_breaker_state": "{", ".call_count": "many" });
    expect(corrupt).toEqual([".circuit_breaker_state", ".call_count"]);
    expect(notes.map((note) => note.split(" ")[0])).toEqual([".circuit_breaker_state", ".call_count"]);
  });

  test("reads a breaker's reason in any case", () => {
    const file = JSON.stringify({ state: "OPEN", reason: "OUTPUT DECLINE", opened_at: "2026-01-01T00:00:00+00:00" });
    expect(adopt({ ".circuit_breaker_state": file }).state.breaker).toMatchObject({ reason: "output_decline" });
  });

  test("takes the driver from the last complete line of the metrics", () => {
    expect(lastDriver('{"driver":"a"}\n{"driver":"b"}\n\n  \n')).toBe("b");
    expect(lastDriver('{"driver":"a"}\n{"driver":')).toBe("a");
    expect(lastDriver("")).toBeNull();
  });

  test("ignores a byte order mark before a session's id", () => {
    expect(readSessionId("\uFEFFabc-123\nmore")?.id).toBe("abc-123");
    expect(readSessionId("abc\uFEFF-123")).toBeNull();
  });
});
