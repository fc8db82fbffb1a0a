/** `ralph undo` killed before each of its changes to the disk, or with each of them failing: no byte is lost, and a second try ends it. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer } from "../e2e/support/answers.ts";
import { cleanUp, copyOf, type Project, project } from "../e2e/support/harness.ts";
import { image } from "../effects/checkpoints/kept.ts";
import { canInject, faultOf, inLanes, type Point, pointsOf, strikingAt } from "./inject.ts";
import { expectWholeCheckpoints } from "./plan-run.ts";

afterAll(cleanUp);

const MINUTES = 60_000;
const work = "mkdir deep; echo new > deep/new.txt; echo 1 > src.txt; rm gone.txt; ln -s src.txt link; chmod +x run.sh";

async function worked(): Promise<Project> {
  const files = {
    ".ralph/PROMPT.md": "Do the next task.\n",
    ".ralph/@fix_plan.md": "- [ ] one\n",
    "src.txt": "0\n",
    "gone.txt": "gone\n",
    "run.sh": "#!/bin/sh\n",
  };
  const at = project({ files, steps: [{ shell: work, stdout: answer() }] });
  await at.ralph("--max-iterations", "1");
  at.write("mine.txt", "a person's own\n");
  return at;
}

/** Nothing is lost at any moment: the files of before are there, or in the checkpoint that was made first. */
async function expectNothingLost(at: Project, point: Point, before: Record<string, string>): Promise<void> {
  expectWholeCheckpoints(at);
  const kept = at.events().some((event) => event.type === "checkpoint_made" && event.name === "undo-1");
  if (kept) expect({ point, exit: (await at.ralph("undo", "--to", "undo-1")).exit }).toEqual({ point, exit: 0 });
  expect({ point, files: image(at.dir) }).toEqual({ point, files: before });
}

describe.skipIf(!canInject)("an undo", () => {
  test.each([
    ["is killed", "signal=SIGKILL"],
    ["fails", null],
  ])(
    "that %s before any of its changes loses nothing, and is ended by the next",
    async (_, kill) => {
      const first = await worked();
      const made = copyOf(first);
      const points = await pointsOf(first, ["undo", "1"]);
      const undone = image(first.dir);
      const tried = points.map((point, nth) => ({ point, what: kill ?? `error=${faultOf(nth).code}` }));
      let struck = 0;
      await inLanes(tried, async ({ point, what }) => {
        const at = copyOf(made);
        const before = image(at.dir);
        const { exit } = await at.startUnder(strikingAt(point, what), "undo", "1").ended;
        if (exit !== 0) struck += 1;
        await expectNothingLost(at, point, before);
        expect({ point, exit: (await at.ralph("undo", "1")).exit }).toEqual({ point, exit: 0 });
        expect({ point, files: image(at.dir) }).toEqual({ point, files: undone });
      });
      expect(points.length).toBeGreaterThan(20);
      expect(struck).toBeGreaterThan(10);
    },
    10 * MINUTES,
  );
});
