import type { RalphEvent } from "../../core/journal/event.ts";
import type { Activity } from "./activity.ts";
import { applyEvent, type Dashboard, emptyDashboard, type IterationStart, iterationStart, type Row } from "./model.ts";

/** A point where a replay can continue, and the dashboard's data there. */
export type Bookmark = IterationStart & { rows: number; activity: Activity[] };

/** The iterations of a run: their starts in the journal, and their results. */
export type ReplayIndex = { marks: Bookmark[]; rows: Row[] };

/** The state of a replay, as far as its frame shows it. */
export type ReplayFacts = { speed: number; isPaused: boolean; isOver: boolean; share: number };

/**
 * Indexes a run's events, each with its byte offset. Agent events inside an iteration may be left out, because no state
 * of theirs survives into the next iteration.
 */
export function indexReplay(events: readonly { event: RalphEvent; at: number }[], project: string): ReplayIndex {
  const marks = new Map<number, Bookmark>();
  let dashboard = emptyDashboard(project);
  for (const { event, at } of events) {
    const mark = iterationStart(event, dashboard.state, at);
    if (mark !== null && !marks.has(mark.iteration))
      marks.set(mark.iteration, { ...mark, rows: dashboard.rows.length, activity: dashboard.activity });
    dashboard = { ...applyEvent(dashboard, event), shown: [] };
  }
  return { marks: [...marks.values()], rows: dashboard.rows };
}

/** The dashboard at a bookmark; its output begins there. */
export function dashboardAt({ rows }: ReplayIndex, mark: Bookmark): Dashboard {
  return { state: mark.state, rows: rows.slice(0, mark.rows), shown: [], activity: mark.activity, atHand: null };
}

/** `4×`, `½×`. */
export function speedText(speed: number): string {
  const small: Record<number, string> = { 0.125: "⅛", 0.25: "¼", 0.5: "½" };
  return `${small[speed] ?? Number(speed.toFixed(2))}×`;
}
