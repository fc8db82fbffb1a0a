/** SIGKILL for the real program before each of its changes to the disk and each start of a process. */
import { afterAll, describe, expect, test } from "bun:test";
import { SESSION } from "../e2e/support/answers.ts";
import { cleanUp, copyOf, lives, project } from "../e2e/support/harness.ts";
import { SOON_MS, until } from "../e2e/support/until.ts";
import { canInject, INSTANTS, inLanes, type Point, pointsOf, someOf, strikingAt } from "./inject.ts";
import {
  aMinuteLater,
  expectEveryCallCounted,
  expectSound,
  expectWholeCheckpoints,
  expectWholeFiles,
  finalState,
  planProject,
} from "./plan-run.ts";

afterAll(cleanUp);

/** Where the order of two changes to the disk decides what a later ralph finds. */
const ORDERED = new Set(["pwrite64", "rename", "link", "vfork", "bind", "rmdir"]);
const MINUTES = 60_000;

const KILL = "signal=SIGKILL";
const killed = (exit: number | null) => exit === null || exit === 137;

/** How many of the points must have been reached: a run does not make exactly the same calls twice. */
const expectReached = (reached: number, points: readonly Point[]) => {
  expect(points.length).toBeGreaterThan(10);
  expect(reached).toBeGreaterThan(points.length * 0.8);
};

describe.skipIf(!canInject)("a ralph that is killed", () => {
  test(
    "before any append, rename or start of a process of a run goes on to the same end",
    async () => {
      const made = planProject();
      const first = copyOf(made);
      const points = await pointsOf(first, ["run"]);
      const undisturbed = finalState(first);
      let reached = 0;
      const others = points.filter(({ call }) => !ORDERED.has(call));
      const tried = [...points.filter(({ call }) => ORDERED.has(call)), ...someOf(others, INSTANTS)];
      await inLanes(tried, async (point) => {
        const at = copyOf(made);
        const { exit } = await at.startUnder(strikingAt(point, KILL)).ended;
        if (killed(exit)) reached += 1;
        const acknowledged = at.events(1);
        expectWholeFiles(at);
        aMinuteLater(at);
        const after = await at.ralph();
        expect({ point, exit: after.exit, stderr: after.stderr }).toEqual({ point, exit: 0, stderr: "" });
        expect({ point, ...finalState(at) }).toEqual({ point, ...undisturbed });
        expect(at.events(1).slice(0, acknowledged.length)).toEqual(acknowledged);
        expectSound(at);
        expectWholeCheckpoints(at);
        expectEveryCallCounted(at);
      });
      expectReached(reached, tried);
    },
    30 * MINUTES,
  );

  test(
    "before any change to a damaged journal of the run before keeps that run",
    async () => {
      const argv = ["run", "--max-iterations", "1"];
      const damaged = async () => {
        const at = planProject();
        await at.ralph(...argv);
        const journal = `.ralph/runs/${at.runs()[0]}/events.jsonl`;
        const lines = at.read(journal).split("\n");
        at.write(journal, [...lines.slice(0, 4), "garbage", ...lines.slice(4, -2), ""].join("\n"));
        return at;
      };
      const first = await damaged();
      const made = copyOf(first);
      const points = (await pointsOf(first, argv)).filter(({ path }) => path.includes("/runs/0001-"));
      let reached = 0;
      await inLanes(points, async (point) => {
        const at = copyOf(made);
        const { exit } = await at.startUnder(strikingAt(point, KILL), ...argv).ended;
        if (killed(exit)) reached += 1;
        await at.ralph(...argv);
        const { session } = at.event("run_started")?.state ?? {};
        expect({ point, session: session?.session_id }).toEqual({ point, session: SESSION });
        expect({ point, types: at.events(1).map(({ type }) => type) }).toEqual({
          point,
          types: expect.arrayContaining(["run_started", "iteration_finished"]),
        });
      });
      // Where files of other processes are read in between, the counts differ from start to start.
      expect(reached).toBeGreaterThan(points.length / 2);
      expect(points.length).toBeGreaterThan(4);
    },
    5 * MINUTES,
  );

  test(
    "leaves nothing of an agent that would go on for ever, wherever the run stood",
    async () => {
      const made = project({ steps: [{ hangs: true, ignores_term: true, child: "daemon" }] });
      // The bound of one second ends the run that only counts its points.
      const points = await pointsOf(copyOf(made), ["run", "--timeout", "1s", "--max-iterations", "1"]);
      const started = points.findIndex(({ call }) => call === "vfork");
      const near = points.slice(started, started + 40);
      await inLanes(near, async (point) => {
        const at = copyOf(made);
        const live = at.startUnder(strikingAt(point, KILL), "run", "--timeout", "1s", "--max-iterations", "1");
        await live.ended;
        const ended = performance.now();
        const left = () =>
          at
            .calls()
            .flatMap(({ pid, child }) => [pid, child ?? 0])
            .filter((pid) => pid > 0 && lives(pid));
        // An agent that was just started may not have said yet that it is there.
        await until(
          `no process left after ${point.call} ${point.nth}`,
          () => performance.now() - ended > 300 && left().length === 0,
          SOON_MS,
        );
      });
      expect(near.length).toBeGreaterThan(20);
    },
    30 * MINUTES,
  );
});
