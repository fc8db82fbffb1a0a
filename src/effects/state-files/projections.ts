import { existsSync } from "node:fs";
import { join } from "node:path";
import { gatePassed } from "../../core/decide/gate-rules.ts";
import type { EventOf, RalphEvent } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { isCheckpoint, isUrgent } from "../../core/state-files/checkpoint.ts";
import { formatLiveEvent } from "../../core/state-files/live-log.ts";
import { metricsLine } from "../../core/state-files/metrics-file.ts";
import { progressFile } from "../../core/state-files/progress-file.ts";
import { type ProjectionContext, renderStateFiles } from "../../core/state-files/render-state-files.ts";
import { type LogEntry, logEntry, logLine } from "../../core/state-files/run-log.ts";
import { statusFile } from "../../core/state-files/status-file.ts";
import { utcOffset } from "../../core/text/time-text.ts";
import type { StateStep } from "../ports.ts";
import { createOutputArchive } from "../process/output-archive.ts";
import { type Beat, createHeartbeat } from "./heartbeat.ts";
import { appendLines, emptyFile, ensureFolder, ROTATE_BYTES, rotate } from "./log-files.ts";
import { createManagedFiles } from "./managed-files.ts";
import { createOnceReporter } from "./report-once.ts";

/** Keeps the files that other programs read in step with the journal. Never throws. */
export type Projections = {
  /** Call it with all events, a few or many at a time. */
  update(steps: readonly StateStep[]): void;
  /** Adds a line to `logs/ralph.log` that is not an event; `at` in epoch ms. */
  log(at: number, entry: LogEntry): void;
  /** Restores files that others changed, created or deleted since ralph wrote them. @returns their names */
  repair(): string[];
  /** The folder was restored: the next update writes every file again. */
  invalidate(): void;
};

export type ProjectionOptions = {
  /** The project's `.ralph`, absolute. */
  ralphDir: string;
  /** Called once, with a sentence, if a projection cannot be written: the loop goes on without it. */
  onFailure: (text: string) => void;
  /** Size in bytes at which `logs/ralph.log` is rotated. */
  rotateBytes?: number;
  /** When to update `progress.json` while the agent works. Absent: never. */
  beat?: Beat;
  /** By how many ms local time is ahead of UTC at a time. */
  offsetAt?: (at: number) => number;
};

export function createProjections(options: ProjectionOptions): Projections {
  const { ralphDir, beat = () => () => {}, rotateBytes = ROTATE_BYTES, offsetAt = utcOffset } = options;
  const logs = join(ralphDir, "logs");
  const failures = createOnceReporter(options.onFailure);
  const files = createManagedFiles(ralphDir, ".ralph", failures);
  const outputs = createOutputArchive(ralphDir, failures, offsetAt);
  const follow = createHeartbeat(beat, writeProgress);
  let context: ProjectionContext = { head: null, outputFile: null, offsetAt };
  /** For the metrics line of the current iteration. */
  let iteration: { calls: number; gates: "pass" | "fail" | null } = { calls: 0, gates: null };

  function append(name: string, text: string): void {
    if (text === "") return;
    failures.attempt(`.ralph/${name}`, () => {
      if (name.startsWith("logs/")) ensureFolder(logs);
      appendLines(join(ralphDir, name), text);
    });
  }

  function writeAll(state: State): void {
    const put = Object.entries(renderStateFiles(state, context)).map(([name, content]) => files.write(name, content));
    files.write("status.json", statusFile(state, { complete: put.every(Boolean), offsetAt }));
  }

  /** A timer calls it, where a failing journal could not be reported, so failures are reported with the next event. */
  function writeProgress(state: State, now: number): void {
    files.write("progress.json", progressFile(state, now, offsetAt));
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
    // The output of a review or a look is not an answer.
    if (call?.purpose !== "review" && call?.purpose !== "look" && call?.purpose !== "rebase")
      context = { ...context, outputFile: `.ralph/${path}` };
  }

  function note(state: State, event: RalphEvent): void {
    if (event.type === "iteration_started") beginIteration(event);
    if (event.type === "agent_finished") keepOutput(state, event);
    if (event.type === "gate_finished") iteration.gates = gatePassed(event) ? (iteration.gates ?? "pass") : "fail";
    if (event.type === "iteration_finished")
      append("logs/metrics.jsonl", metricsLine(state, event, iteration.gates, iteration.calls));
  }

  /** Writes those of the managed files that these events require. */
  function writeFor(state: State, events: readonly RalphEvent[]): void {
    // The rest follows in a moment: writing it now would delay the agent's start.
    if (events.every(({ type }) => type === "run_started"))
      files.write("status.json", statusFile(state, { complete: false, offsetAt }));
    // An event after the run's end (a note) must not leave `seq` outdated.
    else if (state.finished !== null || events.some(isCheckpoint)) {
      // An agent may run already: this write must not hide its edits.
      if (!events.some(isUrgent)) files.checkEdits();
      writeAll(state);
    }
  }

  return {
    update(steps) {
      const last = steps.at(-1);
      if (last === undefined) return;
      let live = "";
      let log = "";
      for (const { event, state } of steps) {
        if (event.type === "iteration_started") {
          // Here the logs may begin anew.
          append("live.log", live);
          append("logs/ralph.log", log);
          live = log = "";
        }
        note(state, event);
        live += formatLiveEvent(event, offsetAt);
        log += logText(event, offsetAt);
      }
      append("live.log", live);
      append("logs/ralph.log", log);
      writeFor(
        last.state,
        steps.map(({ event }) => event),
      );
      follow(last.state);
      failures.report();
    },
    log(at, entry) {
      append("logs/ralph.log", logLine(at, entry, offsetAt(at)));
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

function logText(event: RalphEvent, offsetAt: (at: number) => number): string {
  const entry = logEntry(event);
  if (entry === null) return "";
  const at = Date.parse(event.at);
  return logLine(at, entry, offsetAt(at));
}
