import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { metricsLine } from "../../../src/core/state-files/metrics-file.ts";
import { renderStateFiles } from "../../../src/core/state-files/render-state-files.ts";
import { logEntry, logLine } from "../../../src/core/state-files/run-log.ts";
import { statusFile } from "../../../src/core/state-files/status-file.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { after, iterationFinished, iterationStarted, play, runFinished, runStarted, START } from "./script.ts";

/**
 * Small readers that treat the files like the programs around the originals (those of the bash original and of bmalph).
 */
const bmalph = {
  /** An unmapped word makes the whole file count as corrupt. */
  status(text: string): string {
    const words: Record<string, string> = {
      running: "running",
      halted: "blocked",
      stopped: "blocked",
      paused: "blocked",
      error: "blocked",
      completed: "completed",
      success: "completed",
      graceful_exit: "completed",
    };
    const file = JSON.parse(text);
    return typeof file.loop_count === "number" ? (words[file.status] ?? "corrupt") : "corrupt";
  },
  sessionId(text: string): string | null {
    try {
      const file = JSON.parse(text);
      return file.session_id ?? file.sessionId ?? null;
    } catch {
      return text.split("\n")[0]?.replace("\r", "") ?? null;
    }
  },
  log: (text: string) =>
    new TextDecoder()
      .decode(new TextEncoder().encode(text).slice(-4096))
      .split("\n")
      .flatMap((line) => /^\[(\S+ \S+)\] \[(\w+)\] (.*)$/u.exec(line)?.slice(2) ?? []),
};
const bash = {
  monitor(status: string, progress: string): string {
    const { loop_count, status: word, calls_made_this_hour, max_calls_per_hour } = JSON.parse(status);
    const now = JSON.parse(progress);
    const working =
      now.status === "executing"
        ? ` ${now.indicator} ${now.elapsed_seconds}s ${[...now.last_output].slice(0, 60).join("")}`
        : "";
    return `#${loop_count} ${word} ${calls_made_this_hour}/${max_calls_per_hour}${working}`;
  },
  sessionId(text: string): string | null {
    if (text.startsWith("{")) return JSON.parse(text).session_id;
    return /^[A-Za-z0-9_-]+$/u.test(text.trim()) ? text.trim() : null;
  },
  minutesOpen(text: string, now: number): number {
    const { opened_at, last_change } = JSON.parse(text);
    return Math.floor((now - Date.parse(opened_at ?? last_change)) / 60_000);
  },
  summary(lines: string) {
    const rows = lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const sum = (key: string) => rows.reduce((all, row) => all + row[key], 0);
    return {
      total_loops: rows.length,
      successful: rows.filter((row) => row.success === true).length,
      avg_duration: sum("duration") / rows.length,
      total_calls: sum("calls"),
    };
  },
};

const files = (...events: EventBody[]) => renderStateFiles(after(...events), { head: null, outputFile: null });
const wait: EventBody = { type: "wait_started", until: new Date(START).toISOString(), why: "usage_limit", message: "" };

describe("bmalph", () => {
  test("never takes a live loop for a finished or corrupt one", () => {
    const events = [
      runStarted(),
      iterationStarted(1),
      wait,
      { type: "wait_ended", why: "usage_limit" } as const,
      iterationFinished(),
      iterationStarted(2),
      iterationFinished({ outcome: "failed" }),
    ];
    expect(play(...events).map(({ state }) => bmalph.status(statusFile(state, { complete: true })))).toEqual([
      "running",
      "running",
      "blocked",
      "running",
      "running",
      "running",
      "running",
    ]);
  });

  test.each(Object.keys(STOP_REASONS) as StopReason[])(
    "takes %s for an end, completed only if ralph's exit code means that the work is done",
    (reason) => {
      const done = STOP_REASONS[reason].exit === 0 && !["stopped_by_user", "landed"].includes(reason);
      expect(bmalph.status(statusFile(after(runStarted(), runFinished(reason)), { complete: true }))).toBe(
        done ? "completed" : "blocked",
      );
    },
  );

  test("finds a line at the end of the log after texts of any length", () => {
    const [said = ""] = play({ type: "said", text: "長い話\n".repeat(5000) }).map(({ event }) =>
      logLine(Date.parse(event.at), logEntry(event) ?? { level: "INFO", text: "" }),
    );
    expect(bmalph.log(said.repeat(3))).toEqual(["INFO", expect.stringMatching(/^For the next prompt: 長い話 .*…$/u)]);
  });

  test("finds every line of the log", () => {
    const text = play(runStarted(), iterationStarted(1), iterationFinished()).map(({ event }) =>
      logLine(Date.parse(event.at), logEntry(event) ?? { level: "INFO", text: "" }),
    );
    expect(bmalph.log(text.join(""))).toEqual([
      "INFO",
      "Run r1 started: ralph 1.0.0, Claude Code.",
      "LOOP",
      "Iteration 1.",
      "SUCCESS",
      "Iteration 1 ended: Two files changed.",
    ]);
  });
});

describe("the bash loop", () => {
  test("shows the loop, the calls and the agent's text in its monitor", () => {
    const state = after(runStarted(), iterationStarted(1), { type: "agent_text", call: 1, text: 'a "b"\nc' });
    const progress = renderStateFiles(state, { head: null, outputFile: null })["progress.json"];
    expect(bash.monitor(statusFile(state, { complete: true }), progress ?? "")).toBe("#1 running 1/100 ⠋ 1s c");
  });

  test("reads the cooldown's start in either time format of date(1)", () => {
    const breaker = {
      ...closedBreaker(),
      state: "open" as const,
      since: START,
      reason: "repeated_error" as const,
      sentence: "",
    };
    const text = files(runStarted(), iterationStarted(1), iterationFinished({ breaker }))[".circuit_breaker_state"];
    expect(bash.minutesOpen(text, START + 30 * 60_000)).toBe(30);
    expect(JSON.parse(text).opened_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/u);
  });

  test("adds up the metrics in its summary", () => {
    const steps = play(
      runStarted(),
      iterationStarted(1),
      iterationFinished({ ms: 2000 }),
      iterationStarted(2),
      iterationFinished({ ms: 4000, outcome: "failed" }),
    );
    const lines = steps
      .map(({ state, event }) => (event.type === "iteration_finished" ? metricsLine(state, event, null, 1) : ""))
      .join("");
    expect(bash.summary(lines)).toEqual({ total_loops: 2, successful: 1, avg_duration: 3, total_calls: 2 });
  });
});

test.each(["5e550001-0000-4000-8000-000000000001", "ses_7f3a", "12345"])(
  "both originals read the session id %s from its file",
  (session_id) => {
    const text =
      files(runStarted(), iterationStarted(1), { type: "agent_session", call: 1, session_id })[".claude_session_id"] ??
      "";
    expect([bmalph.sessionId(text), bash.sessionId(text)]).toEqual([session_id, session_id]);
  },
);
