import { join } from "node:path";
import type { RalphEvent } from "../core/event.ts";
import { isCheckpoint } from "../core/projection/checkpoint.ts";
import { projectFiles } from "../core/projection/files.ts";
import { liveText } from "../core/projection/live.ts";
import { type LogEntry, logEntry, logLine } from "../core/projection/log.ts";
import { metricsLine } from "../core/projection/metrics.ts";
import { outputName, outputPath } from "../core/projection/output-name.ts";
import { PROGRESS_EVERY_MS, progressFile } from "../core/projection/progress.ts";
import { statusFile } from "../core/projection/status.ts";
import type { State } from "../core/state.ts";
import { appendLines, emptyFile, ensureFolder, keepAs, ROTATE_BYTES, rotate } from "./log-files.ts";
import { removeFile, replaceFile } from "./whole-file.ts";

/** Keeps the files that other programs read in step with the journal. Nothing here throws. */
export type Projections = {
  /** To be called after each append, with the state after the last of these events. */
  update(state: State, events: readonly RalphEvent[]): void;
  /** A line of `logs/ralph.log` that is no event; `at` in epoch ms. */
  log(at: number, entry: LogEntry): void;
  /** The folder was put back: the next update writes every file anew. */
  forget(): void;
};

export type ProjectionOptions = {
  /** The project's `.ralph`, absolute. */
  ralphDir: string;
  /** Told once, in a sentence, that a projection cannot be written: the loop goes on without it. */
  onFailure: (text: string) => void;
  /** Size in bytes at which `logs/ralph.log` is rotated. */
  rotateBytes?: number;
};

export function createProjections({ ralphDir, onFailure, rotateBytes = ROTATE_BYTES }: ProjectionOptions): Projections {
  const logs = join(ralphDir, "logs");
  const written = new Map<string, string | null>();
  let context: { head: string | null; outputFile: string | null } = { head: null, outputFile: null };
  /** Of the iteration under way: for its line of metrics. */
  let calls = 0;
  let gates: "pass" | "fail" | null = null;
  let progressAt = 0;
  let failure: string | null = null;
  let told = false;

  /** Whether it went well. Of all failures the first is told, once, when nothing is half done any more. */
  function attempt(what: string, action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      failure ??= `${what} cannot be written (${(error as Error).message}): other programs may see old figures, the run goes on.`;
      return false;
    }
  }

  function tell(): void {
    if (failure === null || told) return;
    told = true;
    onFailure(failure);
  }

  function put(name: string, content: string | null): boolean {
    if (written.get(name) === content) return true;
    const path = join(ralphDir, name);
    const done = attempt(`.ralph/${name}`, () => (content === null ? removeFile(path) : replaceFile(path, content)));
    if (done) written.set(name, content);
    return done;
  }

  function append(name: string, text: string): void {
    if (text === "") return;
    attempt(`.ralph/${name}`, () => {
      if (name.startsWith("logs/")) ensureFolder(logs);
      appendLines(join(ralphDir, name), text);
    });
  }

  function writeAll(state: State): void {
    let complete = true;
    for (const [name, content] of Object.entries(projectFiles(state, context)))
      complete = put(name, content) && complete;
    put("status.json", statusFile(state, complete));
    progressAt = Date.parse(state.updated_at);
  }

  function beginIteration(event: Extract<RalphEvent, { type: "iteration_started" }>): void {
    context = { ...context, head: event.head };
    calls = event.call;
    if (event.call > 1) return;
    gates = null;
    attempt(".ralph/logs/ralph.log", () => rotate(join(logs, "ralph.log"), rotateBytes));
    attempt(".ralph/live.log", () => emptyFile(join(ralphDir, "live.log")));
  }

  function keepOutput(state: State, event: Extract<RalphEvent, { type: "agent_finished" }>): void {
    const path = outputPath(event.run, event.iteration, event.call);
    context = { ...context, outputFile: `.ralph/${path}` };
    const startedAt = Date.parse(event.at) - event.ms;
    attempt(".ralph/logs", () => {
      ensureFolder(logs);
      const name = keepAs(join(ralphDir, path), logs, (nth) => outputName(state.driver, startedAt, nth));
      if (name !== null) context = { ...context, outputFile: `.ralph/logs/${name}` };
    });
  }

  function note(state: State, event: RalphEvent): void {
    if (event.type === "iteration_started") beginIteration(event);
    if (event.type === "agent_finished") keepOutput(state, event);
    if (event.type === "gate_finished") gates = gates === "fail" || event.exit_code !== 0 ? "fail" : "pass";
    if (event.type === "iteration_finished") append("logs/metrics.jsonl", metricsLine(state, event, gates, calls));
  }

  return {
    update(state, events) {
      for (const event of events) note(state, event);
      append("live.log", events.map(liveText).join(""));
      append("logs/ralph.log", events.map(logText).join(""));
      // What follows the end of a run (a note) must not leave `seq` behind.
      if (events.some(isCheckpoint) || state.finished !== null) writeAll(state);
      else if (state.open !== null && Date.parse(state.updated_at) - progressAt >= PROGRESS_EVERY_MS) {
        progressAt = Date.parse(state.updated_at);
        put("progress.json", progressFile(state));
      }
      tell();
    },
    log(at, entry) {
      append("logs/ralph.log", logLine(at, entry));
      tell();
    },
    forget() {
      written.clear();
    },
  };
}

function logText(event: RalphEvent): string {
  const entry = logEntry(event);
  return entry === null ? "" : logLine(Date.parse(event.at), entry);
}
