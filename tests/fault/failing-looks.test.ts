/** A run whose disk fails while ralph only looks: what cannot be seen is not taken for gone, so nothing is moved or put back. */
import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { cleanUp, copyOf } from "../e2e/support/harness.ts";
import { canInject, INSTANTS, inLanes, looksOf, someOf, strikingAt } from "./inject.ts";
import { expectEveryCallCounted, expectSound, expectWholeCheckpoints, finalState, planProject } from "./plan-run.ts";

afterAll(cleanUp);

const MINUTES = 60_000;
/** The C library's mkdir takes a folder that it cannot look at for a file, and says so. */
const TOLD = /^ralph: .*(?:the disk fails to read or write|EEXIST)/i;
/** What a start cannot do without, so that a failing first look at it always ends the run. */
const NO_RUN_WITHOUT = /\/\.ralph\/(?:PROMPT\.md|@fix_plan\.md|lock)$/;

describe.skipIf(!canInject)("a run on a disk that fails to read", () => {
  test(
    "takes nothing that it cannot see for gone",
    async () => {
      const made = planProject();
      const first = copyOf(made);
      // The settings are read before anything is written: a failure there is told as one of theirs (exit 2).
      const points = (await looksOf(first, ["run"])).filter(({ path }) => !path.endsWith(".ralphrc"));
      const undisturbed = finalState(first);
      const folder = points.filter(({ call, path }) => call === "openat" && path.endsWith("/.ralph"));
      const firstLooks = points.filter(
        ({ call, path }, at) =>
          NO_RUN_WITHOUT.test(path) && points.findIndex((other) => other.call === call && other.path === path) === at,
      );
      const always = [...folder, ...firstLooks];
      const others = points.filter((point) => !always.includes(point));
      let refused = 0;
      await inLanes([...always, ...someOf(others, INSTANTS)], async (point) => {
        const at = copyOf(made);
        const { exit, stderr } = await at.startUnder(strikingAt(point, "error=EIO")).ended;
        if (exit !== 0 || firstLooks.includes(point)) {
          refused += 1;
          expect({ point, exit, stderr }).toMatchObject({ exit: 7, stderr: expect.stringMatching(TOLD) });
        }
        const names = readdirSync(at.dir, { recursive: true }).map(String);
        expect({ point, aside: names.filter((name) => name.includes(".changed-")) }).toEqual({ point, aside: [] });
        const after = await at.ralph();
        expect({ point, exit: after.exit, stderr: after.stderr }).toEqual({ point, exit: 0, stderr: "" });
        expect({ point, plan: finalState(at).plan }).toEqual({ point, plan: undisturbed.plan });
        expectSound(at);
        expectWholeCheckpoints(at);
        expectEveryCallCounted(at);
      });
      expect(refused).toBeGreaterThan(5);
    },
    30 * MINUTES,
  );
});
