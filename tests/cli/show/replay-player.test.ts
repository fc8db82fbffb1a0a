import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPlayer, type Player } from "../../../src/cli/show/replay-player.ts";
import { openCursor } from "../../../src/effects/journal/journal-cursor.ts";
import { readOverview } from "../../../src/effects/journal/journal-tail.ts";
import { applyEvent, type Dashboard, emptyDashboard } from "../../../src/view/dashboard/model.ts";
import { indexReplay } from "../../../src/view/dashboard/replay-index.ts";
import { testFolder } from "../../folders.ts";
import { runningRun, SECOND, START } from "../../view/sample-run.ts";

const folder = testFolder("player");
const path = join(folder, "events.jsonl");
writeFileSync(path, runningRun.map((event) => `${JSON.stringify(event)}\n`).join(""));

function player(about: { speed?: number; isPaused?: boolean } = {}): Player {
  const contents = indexReplay(readOverview(path).events, "/project");
  return createPlayer(openCursor(path), contents, "/project", { speed: 1, isPaused: false, ...about });
}

/** The dashboard of the live run after that many events. */
function live(events: number): Dashboard {
  return runningRun.slice(0, events).reduce(applyEvent, emptyDashboard("/project"));
}

describe("a run played back on the dashboard", () => {
  test("shows at each moment the dashboard that the live run showed", () => {
    const play = player();
    for (let events = 1; events <= runningRun.length; events += 1) {
      expect(play.dashboard()).toEqual(live(events));
      expect(play.now()).toBe(START + (events - 1) * SECOND);
      play.run(SECOND);
    }
    expect(play.facts()).toMatchObject({ isOver: true, share: 1 });
  });

  test("stands still while paused, and steps from one visible event to the next", () => {
    const play = player({ isPaused: true });
    play.run(60 * SECOND);
    expect(play.dashboard().state.seq).toBe(1);
    const shown = [1, 2, 3].map(() => {
      play.turn("step");
      return play.dashboard().shown.at(-1)?.event.type ?? "";
    });
    expect(shown).toEqual(["iteration_started", "agent_text", "agent_tool_started"]);
  });

  test("jumps to any iteration, and shows the one before above it", () => {
    const play = player({ isPaused: true });
    expect(play.jump(99)).toBe(false);
    expect([1, 2].map(play.jump)).toEqual([true, true]);
    expect(play.jump(3)).toBe(true);
    const at = runningRun.findIndex((event) => event.type === "iteration_started" && event.number === 3) + 1;
    const { state, rows, activity, shown } = live(at);
    expect(play.dashboard()).toMatchObject({ rows, activity });
    expect({ ...play.dashboard().state, last_output: state.last_output }).toEqual(state);
    expect(play.dashboard().shown).toEqual(shown.slice(shown.findIndex(({ event }) => event.iteration === 2)));
    play.turn("previous");
    expect(play.dashboard().state.iteration).toBe(2);
    play.turn("previous");
    play.turn("previous");
    expect(play.dashboard().state.iteration).toBe(1);
    expect(play.now()).toBe(START + SECOND);
  });

  test("answers keys between two frames at any speed, and reaches the end", () => {
    const play = player({ speed: 1000 });
    play.run(SECOND);
    expect(play.dashboard()).toEqual(live(runningRun.length));
    play.run(SECOND);
    expect(play.facts().isOver).toBe(true);
    play.turn("previous");
    expect(play.facts().isOver).toBe(false);
  });
});
