/** The user's projects as the page names them: by an id, so that no address holds a path. */
import { join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { stepOf } from "../../core/journal/event-step.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { foldsCase } from "../../core/project-path.ts";
import { type Notification, notificationFor } from "../../core/report/notification.ts";
import type { StatusReport } from "../../core/report/status-report.ts";
import { formatLiveEvent } from "../../core/state-files/live-log.ts";
import { reasonOf } from "../../core/system-error.ts";
import { truncate } from "../../core/text/truncate.ts";
import { sha256Of } from "../../effects/files/sha256.ts";
import { createRunFollower } from "../../effects/journal/run-follower.ts";
import { shortener } from "../../view/text/path.ts";
import { statusNow } from "../show/status-now.ts";

/** A project on the page: what its newest run is at, or why that cannot be told. */
export type ProjectNow = {
  id: string;
  project: string;
  report: StatusReport | null;
  fault: string | null;
  /** Why its newest run ended short of done, in a sentence; null if it is done, or was not ended. */
  end: string | null;
  state: State;
  /** The model of the newest call that named one; else the one that was asked for. */
  model: string | null;
  /** What its user should hear of, since the look before. */
  news: Notification[];
  /** What its agent said and did last, by line, as in `live.log`. */
  lines: readonly string[];
};

/** So many fill a card, and so much of each. */
const LINES = 16;
const LINE_CHARS = 200;

/** @param project absolute path */
export function projectId(project: string): string {
  return sha256Of(project).slice(0, 16);
}

/** @throws RalphError `environment` if no project has that id any more */
export function projectWithId(projects: readonly string[], id: string | null | undefined): string {
  const found = projects.find((project) => projectId(project) === id);
  if (found !== undefined) return found;
  throw new RalphError("environment", "This project is no longer there.", { hint: "Go back to all projects." });
}

/** Follows the newest run of a project: each look reads only what the journal gained. */
export function createProjectWatch(project: string): (now: number) => ProjectNow {
  const ralph = join(project, ".ralph");
  const follower = createRunFollower(join(ralph, "runs"), null);
  const id = projectId(project);
  let state = initialState(project);
  let model: string | null = null;
  let hasLooked = false;
  let lines: readonly string[] = [];
  const shorten = shortener(project, foldsCase(process.platform));
  const take = (event: RalphEvent): Notification | null => {
    const step = stepOf(state, event);
    ({ state } = step);
    if (event.type === "run_started") model = asked(state);
    if (event.type === "agent_usage" && event.model !== null) ({ model } = event);
    return notificationFor(step);
  };
  return (now) => {
    try {
      const update = follower.look(true);
      if (update?.isRestart) {
        state = initialState(project);
        lines = [];
      }
      const events = (update?.events ?? []).map(({ event }) => event);
      const told = events.map(take).filter((one) => one !== null);
      lines = [...lines, ...lastLines(events).map(shorten)].slice(-LINES);
      const news = hasLooked ? told : []; // what the first look finds is long over, for the most part
      hasLooked = true;
      const report = statusNow(project, state, now);
      const end = report.status === "completed" ? null : (state.finished?.sentence ?? null);
      return { id, project, report, fault: null, end, state, model, news, lines };
    } catch (error) {
      return { id, project, report: null, fault: reasonOf(error), end: null, state, model, news: [], lines: [] };
    }
  };
}

/** Most events have a line; a history of thousands is not made into text for its end. The iteration is told elsewhere. */
function lastLines(events: readonly RalphEvent[]): string[] {
  return events
    .slice(-2 * LINES)
    .filter(({ type }) => type !== "iteration_started")
    .flatMap((event) =>
      formatLiveEvent(event)
        .split("\n")
        .slice(-LINES - 1),
    )
    .filter((line) => line.trim() !== "" && !/^\s*(```|~~~)/.test(line))
    .map((line) => truncate(line, LINE_CHARS));
}

function asked({ settings }: State): string | null {
  const { CLAUDE_MODEL: model } = settings;
  return typeof model === "string" ? model : null;
}
