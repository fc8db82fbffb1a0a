/** A run whose disk refuses one of its writes, or all from one on: it goes on or says why, and the next run ends the work. */
import { afterAll, describe, expect, test } from "bun:test";
import { cleanUp, copyOf, lives } from "../e2e/support/harness.ts";
import {
  canInject,
  EVERY_FAULT,
  FAULTS,
  faultOf,
  INSTANTS,
  inLanes,
  type Point,
  pointsOf,
  someOf,
  strikingAt,
} from "./inject.ts";
import { expectEveryCallCounted, expectSound, expectWholeCheckpoints, finalState, planProject } from "./plan-run.ts";

afterAll(cleanUp);

const MINUTES = 60_000;

describe.skipIf(!canInject)("a run on a failing disk", () => {
  async function meets(onwards: boolean, choose: (points: Point[]) => Point[]): Promise<number> {
    const made = planProject();
    const first = copyOf(made);
    const points = choose(await pointsOf(first, ["run"]));
    const undisturbed = finalState(first);
    const struck = points.flatMap((point, n) =>
      (EVERY_FAULT ? FAULTS : [faultOf(n)]).map((fault) => ({ point, ...fault })),
    );
    let refused = 0;
    await inLanes(struck, async ({ point, code, says }) => {
      const at = copyOf(made);
      const { exit, stderr } = await at.startUnder(strikingAt(point, `error=${code}`, onwards)).ended;
      if (exit !== 0) {
        refused += 1;
        expect({ point, code, exit, stderr }).toMatchObject({ exit: 7, stderr: expect.stringMatching(says) });
      }
      expect({ point, code, left: at.calls().filter(({ pid }) => lives(pid)) }).toEqual({ point, code, left: [] });
      const kept = at.events(1);
      const after = await at.ralph();
      expect({ point, code, exit: after.exit, stderr: after.stderr }).toEqual({ point, code, exit: 0, stderr: "" });
      expect({ point, code, plan: finalState(at).plan }).toEqual({ point, code, plan: undisturbed.plan });
      expect(at.events(1).slice(0, kept.length)).toEqual(kept);
      expectSound(at);
      expectWholeCheckpoints(at);
      expectEveryCallCounted(at);
    });
    return refused;
  }

  test(
    "goes on without what it can do without, and else names the cause",
    async () => {
      const fallible = (points: Point[]) => points.filter(({ call }) => call !== "vfork" && !call.startsWith("unlink"));
      const refused = await meets(false, (points) => {
        const all = fallible(points);
        const journal = all.filter(({ call, path }) => call === "pwrite64" || path.endsWith("lock"));
        return [
          ...journal,
          ...someOf(
            all.filter((point) => !journal.includes(point)),
            INSTANTS,
          ),
        ];
      });
      expect(refused).toBeGreaterThan(5);
    },
    30 * MINUTES,
  );

  test(
    "whose journal can no longer be written from any line on ends there, with the lines before",
    async () => {
      const refused = await meets(true, (points) => points.filter(({ call }) => call === "pwrite64"));
      expect(refused).toBeGreaterThan(10);
    },
    30 * MINUTES,
  );

  test(
    "waits out that a file cannot be renamed for a moment, as on a disk of Windows while another program reads it",
    async () => {
      const made = planProject();
      const renames = (await pointsOf(copyOf(made), ["run"])).filter(({ call }) => call.startsWith("rename"));
      // Once for each kind of file: status.json is written with every step.
      const kinds = Map.groupBy(renames, ({ path }) =>
        path.replace(/[0-9a-f-]{4,}|\d+/g, "N").replace(/.*\/project/, ""),
      );
      const points = [...kinds.values()].flatMap(([first]) => first ?? []);
      expect(points.length).toBeGreaterThan(5);
      await inLanes(points, async (point) => {
        const at = copyOf(made);
        const { exit, stderr } = await at.startUnder(strikingAt(point, "error=EACCES")).ended;
        expect({ point, exit, stderr }).toEqual({ point, exit: 0, stderr: "" });
        expect(at.event("run_finished")?.stop_reason).toBe("plan_complete");
        const troubles = at.events(1).filter((event) => event.type === "note" && event.level !== "info");
        expect({ point, troubles }).toEqual({ point, troubles: [] });
        expectSound(at);
        expectWholeCheckpoints(at);
      });
    },
    30 * MINUTES,
  );
});
