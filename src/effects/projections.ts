import { existsSync, readFileSync } from "node:fs";
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
  /** Puts back what somebody else changed, made or deleted since it was written here; the names of those files. */
  mend(): string[];
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
  /**
   * Calls back a moment later. What is written when an agent starts is put off with it: an agent that ends at once is
   * not kept waiting, and its state and the next one's are one write. Absent: at once.
   */
  defer?: (write: () => void) => void;
};

export function createProjections({
  ralphDir,
  onFailure,
  rotateBytes = ROTATE_BYTES,
  defer,
}: ProjectionOptions): Projections {
  const logs = join(ralphDir, "logs");
  const written = new Map<string, string | null>();
  let context: { head: string | null; outputFile: string | null } = { head: null, outputFile: null };
  /** Of the iteration under way: for its line of metrics. */
  let calls = 0;
  let gates: "pass" | "fail" | null = null;
  let progressAt = 0;
  /** The newest kept output: the name it would have had first, and which it got. */
  let kept = { first: "", nth: 0 };
  let failure: string | null = null;
  let told = false;
  /** The state that a put-off write will show; null: none is due. */
  let due: State | null = null;
  let deferred = false;
  /** All files were written once. */
  let whole = false;
  /** Files that somebody else had changed before a put-off write replaced them. */
  const edited = new Set<string>();

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
    whole = true;
  }

  /** Files that are not as they were written. */
  function foreign(): string[] {
    return [...written].filter(([name, content]) => contentOf(join(ralphDir, name)) !== content).map(([name]) => name);
  }

  function writeNow(state: State): void {
    due = null;
    writeAll(state);
  }

  function writeSoon(state: State, wait: NonNullable<ProjectionOptions["defer"]>): void {
    due = state;
    if (deferred) return;
    deferred = true;
    wait(() => {
      deferred = false;
      if (due === null) return;
      // The agent runs already: what it did to a file is not to be covered up by the write.
      for (const name of foreign()) edited.add(name);
      writeNow(due);
      tell();
    });
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
    if (state.review.open === null) context = { ...context, outputFile: `.ralph/${path}` };
    const startedAt = Date.parse(event.at) - event.ms;
    attempt(".ralph/logs", () => {
      ensureFolder(logs);
      const nameOf = (nth: number) => outputName(state.driver, startedAt, nth);
      // Names tell seconds: quick agents share one, and all names up to the last are taken then.
      const from = nameOf(1) === kept.first ? kept.nth + 1 : 1;
      const found = keepAs(join(ralphDir, path), logs, nameOf, from);
      if (found === null) return;
      kept = { first: nameOf(1), nth: found.nth };
      // A review is no answer.
      if (state.review.open === null) context = { ...context, outputFile: `.ralph/logs/${found.name}` };
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
      if (due !== null) due = state;
      append("live.log", events.map(liveText).join(""));
      append("logs/ralph.log", events.map(logText).join(""));
      // The rest follows in a moment, when the agent has started or is waited for: until then it delays the start.
      if (events.every(({ type }) => type === "run_started")) put("status.json", statusFile(state, false));
      // What follows the end of a run (a note) must not leave `seq` behind.
      else if (state.finished !== null || events.some(isUrgent)) writeNow(state);
      // The first time all of them are made: an agent could not be told from us.
      else if (events.some(isCheckpoint)) defer === undefined || !whole ? writeNow(state) : writeSoon(state, defer);
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
    mend() {
      if (!existsSync(ralphDir)) return [];
      const changed = foreign();
      for (const name of changed) {
        const content = written.get(name) ?? null;
        written.delete(name);
        put(name, content);
      }
      tell();
      const names = [...new Set([...edited, ...changed])];
      edited.clear();
      return names;
    },
    forget() {
      written.clear();
    },
  };
}

function isUrgent(event: RalphEvent): boolean {
  return isCheckpoint(event) && event.type !== "agent_started";
}

/** null: there is no such file. What can't be read is not what was written. */
function contentOf(path: string): string | null | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : undefined;
  }
}

function logText(event: RalphEvent): string {
  const entry = logEntry(event);
  return entry === null ? "" : logLine(Date.parse(event.at), entry);
}
