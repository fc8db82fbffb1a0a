import { systemClock } from "../../effects/clock.ts";
import type { EventStream } from "../../effects/ui/event-stream.ts";
import { homePage } from "../../view/ui/home-page.ts";
import { createHomeFacts } from "./home-facts.ts";
import { createProjectWatch, type ProjectNow } from "./projects.ts";

const LOOK_MS = 1000;

export type HomeFeed = { join(stream: EventStream): () => void };

/**
 * All projects for all pages that show them. It looks at the journals only while somebody watches, and sends only what changed.
 * @param projects the user's projects now, absolute
 */
export function createHomeFeed(projects: () => string[], home: string | undefined): HomeFeed {
  const watches = new Map<string, { look(now: number): ProjectNow; facts: ReturnType<typeof createHomeFacts> }>();
  const streams = new Set<EventStream>();
  let timer: ReturnType<typeof setInterval> | null = null;
  let shown = "";
  let landed = "";
  const draw = (): string => {
    const there = projects();
    for (const project of watches.keys()) if (!there.includes(project)) watches.delete(project);
    const now = systemClock.now();
    const all = there.map((project) => {
      const watch = watches.get(project) ?? { look: createProjectWatch(project), facts: createHomeFacts(project) };
      watches.set(project, watch);
      const one = watch.look(now);
      return { ...one, facts: watch.facts(one, now) };
    });
    for (const { id, state, news } of all)
      for (const { title, text } of news)
        for (const stream of streams) stream.send("news", { project: id, run: state.run, title, text });
    const marks = landedMarks(all);
    if (landed !== "" && marks !== landed) for (const stream of streams) stream.send("landed", null);
    landed = marks;
    return homePage(all, { now, home });
  };
  const look = () => {
    let html: string;
    try {
      html = draw();
    } catch {
      return; // the list of projects cannot be read just now: what is shown stays until it can
    }
    if (html === shown) return;
    shown = html;
    for (const stream of streams) stream.send("home", html);
  };
  return {
    join(stream) {
      shown = draw();
      for (const one of [...streams, stream]) one.send("home", shown);
      streams.add(stream);
      timer ??= setInterval(look, LOOK_MS);
      return () => {
        streams.delete(stream);
        if (streams.size > 0 || timer === null) return;
        clearInterval(timer);
        timer = null;
        watches.clear();
        landed = "";
      };
    },
  };
}

/** Changes when the morning page would: a run began or ended, an iteration, a ticked box, something for the user. */
function landedMarks(all: readonly ProjectNow[]): string {
  const marks = all.map(({ id, report, fault }) => {
    if (report === null) return [id, fault];
    const { run, status, iteration, plan, needs } = report;
    return [id, run, status, iteration, plan?.checked ?? 0, needs.map(({ number, text }) => [number, text])];
  });
  return JSON.stringify(marks);
}
