import { existsSync } from "node:fs";
import { join } from "node:path";
import { gatePassed } from "../../core/decide/gate-rules.ts";
import type { EventOf, RalphEvent } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { isCheckpoint } from "../../core/state-files/checkpoint.ts";
import { formatLiveEvent } from "../../core/state-files/live-log.ts";
import { metricsLine } from "../../core/state-files/metrics-file.ts";
import { progressFile } from "../../core/state-files/progress-file.ts";
import { type ProjectionContext, renderStateFiles } from "../../core/state-files/render-state-files.ts";
import { type LogEntry, logEntry, logLine } from "../../core/state-files/run-log.ts";
import { statusFile } from "../../core/state-files/status-file.ts";
import { createOutputArchive } from "../process/output-archive.ts";
import { createDebounced } from "./debounce.ts";
import { type Beat, createHeartbeat } from "./heartbeat.ts";
import { appendLines, emptyFile, ensureFolder, ROTATE_BYTES, rotate } from "./log-files.ts";
import { createManagedFiles } from "./managed-files.ts";
import { createOnceReporter } from "./report-once.ts";

/** Keeps the files that other programs read in step with the journal. Nothing here throws. */
export type Projections = {
  /** To be called after each append, with the state after the last of these events. */
  update(state: State, events: readonly RalphEvent[]): void;
  /** A line of `logs/ralph.log` that is no event; `at` in epoch ms. */
  log(at: number, entry: LogEntry): void;
  /** Puts back what somebody else changed, made or deleted since it was written here; the names of those files. */
  repair(): string[];
  /** The folder was put back: the next update writes every file anew. */
  invalidate(): void;
};

export type ProjectionOptions = {
  /** The project's `.ralph`, absolute. */
  ralphDir: string;
  /** Told once, in a sentence, that a projection cannot be written: the loop goes on without it. */
  onFailure: (text: string) => void;
  /** Size in bytes at which `logs/ralph.log` is rotated. */
  rotateBytes?: number;
  /**
   * Calls back a moment later. What is written when an agent starts is put off with it: an agent that ends at once is
   * not kept waiting, and its state and the next one's are one write. Absent: at once.
   */
  defer?: (write: () => void) => void;
  /** When `progress.json` is to be written anew while the agent works. Absent: never. */
  beat?: Beat;
};

export function createProjections(options: ProjectionOptions): Projections {
  const { ralphDir, defer = null, beat = () => () => {}, rotateBytes = ROTATE_BYTES } = options;
  const logs = join(ralphDir, "logs");
  const failures = createOnceReporter(options.onFailure);
  const files = createManagedFiles(ralphDir, ".ralph", failures);
  const outputs = createOutputArchive(ralphDir, failures);
  const due = createDebounced(defer ?? ((write) => write()), writeLate);
  const follow = createHeartbeat(beat, writeProgress);
  let context: ProjectionContext = { head: null, outputFile: null };
  /** Of the iteration under way: for its line of metrics. */
  let iteration: { calls: number; gates: "pass" | "fail" | null } = { calls: 0, gates: null };
  /** All files were written once. */
  let whole = false;

  function append(name: string, text: string): void {
    if (text === "") return;
    failures.attempt(`.ralph/${name}`, () => {
      if (name.startsWith("logs/")) ensureFolder(logs);
      appendLines(join(ralphDir, name), text);
    });
  }

  function writeAll(state: State): void {
    due.cancel();
    const put = Object.entries(renderStateFiles(state, context)).map(([name, content]) => files.write(name, content));
    files.write("status.json", statusFile(state, { complete: put.every(Boolean) }));
    whole = true;
  }

  // The next two are called by timers, where nobody could hear that the journal fails too: failures are told with the next event.
  /** The agent runs already: what it did to a file is not to be covered up by the write. */
  function writeLate(state: State): void {
    files.checkEdits();
    writeAll(state);
  }

  function writeProgress(state: State, now: number): void {
    files.write("progress.json", progressFile(state, now));
  }

  function beginIteration({ head, call }: EventOf<"iteration_started">): void {
    context = { ...context, head };
    iteration = { calls: call, gates: call > 1 ? iteration.gates : null };
    if (call > 1) return;
    failures.attempt(".ralph/logs/ralph.log", () => rotate(join(logs, "ralph.log"), rotateBytes));
    failures.attempt(".ralph/live.log", () => emptyFile(join(ralphDir, "live.log")));
  }

  function keepOutput({ driver, call }: State, event: EventOf<"agent_finished">): void {
    const path = outputs.keep(driver, event);
    // A review is no answer.
    if (call?.purpose !== "review") context = { ...context, outputFile: `.ralph/${path}` };
  }

  function note(state: State, event: RalphEvent): void {
    if (event.type === "iteration_started") beginIteration(event);
    if (event.type === "agent_finished") keepOutput(state, event);
    if (event.type === "gate_finished") iteration.gates = gatePassed(event) ? (iteration.gates ?? "pass") : "fail";
    if (event.type === "iteration_finished")
      append("logs/metrics.jsonl", metricsLine(state, event, iteration.gates, iteration.calls));
  }

  /** Which of the files that are written whole these events ask for. */
  function bringUpToDate(state: State, events: readonly RalphEvent[]): void {
    // The rest follows in a moment, when the agent has started or is waited for: until then it delays the start.
    if (events.every(({ type }) => type === "run_started"))
      files.write("status.json", statusFile(state, { complete: false }));
    // What follows the end of a run (a note) must not leave `seq` behind.
    else if (state.finished !== null || events.some(isUrgent)) writeAll(state);
    // The first time all of them are made: an agent could not be told from us.
    else if (events.some(isCheckpoint)) defer === null || !whole ? writeAll(state) : due.schedule(state);
  }

  return {
    update(state, events) {
      for (const event of events) note(state, event);
      due.update(state);
      append("live.log", events.map(formatLiveEvent).join(""));
      append("logs/ralph.log", events.map(logText).join(""));
      bringUpToDate(state, events);
      follow(state);
      failures.report();
    },
    log(at, entry) {
      append("logs/ralph.log", logLine(at, entry));
      failures.report();
    },
    repair() {
      if (!existsSync(ralphDir)) return [];
      const names = files.repair();
      failures.report();
      return names;
    },
    invalidate: files.invalidate,
  };
}

function isUrgent(event: RalphEvent): boolean {
  return isCheckpoint(event) && event.type !== "agent_started";
}

function logText(event: RalphEvent): string {
  const entry = logEntry(event);
  return entry === null ? "" : logLine(Date.parse(event.at), entry);
}
