import {
  advance,
  afterEvent,
  applyPlayKey,
  type Playback,
  type PlayKey,
  playbackTime,
} from "../../core/report/playback.ts";
import type { JournalCursor } from "../../effects/journal/journal-cursor.ts";
import { applyEvent, type Dashboard, emptyDashboard } from "../../view/dashboard/model.ts";
import { dashboardAt, type ReplayFacts, type ReplayIndex } from "../../view/dashboard/replay-index.ts";

/** A run played back on the dashboard. */
export type Player = {
  dashboard(): Dashboard;
  facts(): ReplayFacts;
  /** The shown time of the run, in epoch ms. */
  now(): number;
  /** Advances the replay by that many ms. */
  run(ms: number): void;
  turn(key: PlayKey): void;
  /** @returns false if there is no such iteration */
  jump(iteration: number): boolean;
};

/** Most events between two frames; more would delay keys. */
const MOST_EVENTS = 2000;
/** A jump also plays the iteration before its target, unseen, to show it above. A longer one than this is skipped. */
const LEAD_BYTES = 4 << 20;

/**
 * Plays a journal back without ever holding it whole: an index says where iterations begin, the rest is read on demand.
 * @param contents the index
 */
export function createPlayer(
  cursor: JournalCursor,
  contents: ReplayIndex,
  project: string,
  { speed, isPaused }: Pick<Playback, "speed" | "isPaused">,
): Player {
  let dashboard = emptyDashboard(project);
  let playback: Playback = { speed, isPaused, at: 0, share: 0 };

  const nextAt = () => {
    const event = cursor.next();
    return event === null ? null : Date.parse(event.at);
  };
  /** @returns whether there was an event */
  const play = () => {
    const event = cursor.next();
    if (event === null) return false;
    cursor.skip();
    dashboard = applyEvent(dashboard, event);
    playback = afterEvent(playback, Date.parse(event.at));
    return true;
  };
  const step = () => {
    const { shown } = dashboard;
    for (let more = play(); more && dashboard.shown === shown; more = play());
  };
  const jump = (iteration: number) => {
    const index = contents.marks.findIndex((mark) => mark.iteration === iteration);
    const [lead, mark] = [contents.marks[index - 1], contents.marks[index]];
    if (mark === undefined) return false;
    const from = lead !== undefined && mark.at - lead.at <= LEAD_BYTES ? lead : mark;
    dashboard = dashboardAt(contents, from);
    cursor.seek(from.at);
    const isBefore = () => {
      const event = cursor.next();
      return event !== null && !(event.type === "iteration_started" && event.number === iteration);
    };
    while (isBefore()) play();
    play();
    return true;
  };

  play();
  return {
    dashboard: () => dashboard,
    facts: () => ({
      speed: playback.speed,
      isPaused: playback.isPaused,
      isOver: cursor.next() === null,
      share: cursor.share(),
    }),
    now: () => playbackTime(playback, nextAt()),
    run(ms) {
      if (playback.isPaused) return;
      let left: number | null = ms;
      for (let events = 0; left !== null && events < MOST_EVENTS; events += 1) {
        const at = nextAt();
        if (at === null) return;
        const next = advance(playback, at, left);
        playback = next.playback;
        left = next.left;
        if (left !== null) play();
      }
    },
    turn(key) {
      playback = applyPlayKey(playback, key);
      if (key === "step") step();
      if (key === "previous") jump(before(contents, dashboard.state.iteration));
    },
    jump,
  };
}

/** The iteration before one; the first if there is none. */
function before({ marks }: ReplayIndex, iteration: number): number {
  const earlier = marks.filter((mark) => mark.iteration < iteration);
  return earlier.at(-1)?.iteration ?? marks[0]?.iteration ?? 0;
}
