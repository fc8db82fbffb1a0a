import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventBody, EventOf, RalphEvent } from "../../src/core/journal/event.ts";

/** The lines of one run's journal. */
export type Journal = {
  events: RalphEvent[];
  of<T extends EventBody["type"]>(type: T): EventOf<T>[];
  /** Starts without an end, and missing numbers; [] for a complete journal. */
  gaps(): string[];
};

/** The journals of a project, oldest run first. */
export function journals(project: string): Journal[] {
  const runs = join(project, ".ralph", "runs");
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .sort()
    .map((run) => join(runs, run, "events.jsonl"))
    .filter((file) => existsSync(file)) // a run's folder exists a moment before its journal
    .map(readJournal);
}

function readJournal(file: string): Journal {
  const events: RalphEvent[] = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  return {
    events,
    of: <T extends EventBody["type"]>(type: T) => events.filter((event): event is EventOf<T> => event.type === type),
    gaps: () => gapsOf(events),
  };
}

type Open = { run: boolean; iteration: number | null; agent: number | null; wait: boolean };

function gapsOf(events: readonly RalphEvent[]): string[] {
  const found: string[] = [];
  const open: Open = { run: false, iteration: null, agent: null, wait: false };
  const must = (ok: boolean, event: RalphEvent) => {
    if (!ok) found.push(`${event.type} (${event.seq}) does not fit ${JSON.stringify(open)}`);
  };
  for (const [index, event] of events.entries()) {
    if (event.seq !== index + 1) found.push(`line ${index + 1} has the number ${event.seq}`);
    switch (event.type) {
      case "run_started":
        must(!open.run, event);
        open.run = true;
        break;
      case "iteration_started":
        // The next call of the same iteration is recorded in the same way.
        must(open.agent === null && !open.wait && (open.iteration ?? event.number) === event.number, event);
        open.iteration = event.number;
        break;
      case "agent_started":
        must(open.iteration !== null && open.agent === null, event);
        open.agent = event.call;
        break;
      case "agent_finished":
        must(open.agent === event.call, event);
        open.agent = null;
        break;
      case "iteration_finished":
      case "iteration_interrupted":
        must(open.iteration === event.iteration && open.agent === null, event);
        open.iteration = null;
        break;
      case "wait_started":
        must(!open.wait && open.agent === null, event);
        open.wait = true;
        break;
      case "wait_ended":
        must(open.wait, event);
        open.wait = false;
        break;
      case "run_finished":
        // A run may end while an iteration waits for its limit.
        must(open.run && open.agent === null && !open.wait, event);
        open.run = false;
        break;
    }
  }
  return open.run ? [...found, "the run has no end"] : found;
}
