import type { RalphEvent } from "../../core/journal/event.ts";
import type { Activity } from "./activity.ts";
import { applyEvent, type Dashboard, emptyDashboard, type IterationStart, iterationStart, type Row } from "./model.ts";

/** Where a replay can go on, and what the dashboard knew there. */
export type Bookmark = IterationStart & { rows: number; activity: Activity[] };

/** Where the iterations of a run begin in its journal, and what they came to. */
export type ReplayIndex = { marks: Bookmark[]; rows: Row[] };

/** How a replay stands, as far as its frame shows it. */
export type ReplayFacts = { speed: number; isPaused: boolean; isOver: boolean; share: number };

/**
 * The contents of a run, from its events with the byte at which each begins. What the agent said and did in the middle
 * of an iteration may be left out: where an iteration begins, none of it is left in the state.
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
  return { state: mark.state, rows: rows.slice(0, mark.rows), shown: [], activity: mark.activity };
}

/** `4×`, `½×`. */
export function speedText(speed: number): string {
  const small: Record<number, string> = { 0.125: "⅛", 0.25: "¼", 0.5: "½" };
  return `${small[speed] ?? Number(speed.toFixed(2))}×`;
}
