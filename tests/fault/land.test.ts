/** `ralph land` killed before each of its changes to the disk and each start of a program: the next one ends what it began. */
import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createClaimStore } from "../../src/effects/fleet/claims.ts";
import { queueName } from "../../src/effects/fleet/queue.ts";
import { createGit } from "../../src/effects/git/git-program.ts";
import { FSCK, git } from "../e2e/support/git.ts";
import { cleanUp, copyOf, type Project, project } from "../e2e/support/harness.ts";
import { canInject, INSTANTS, inLanes, type Point, pointsOf, someOf, strikingAt } from "./inject.ts";

afterAll(cleanUp);

const MINUTES = 60_000;
const PLAN = ".ralph/@fix_plan.md";
const TASKS = ["one", "two", "three"];
/** Handed-in work on three tasks, of which the second is red; the plan is in a commit or not, or has a tick that is in none. */
async function waiting(tracksPlan: boolean, isTicked = false): Promise<Project> {
  const at = project({
    files: {
      ".gitignore": tracksPlan ? ".ralph/*\n!.ralph/@fix_plan.md\n" : ".ralph/\n",
      ".ralph/PROMPT.md": "Work.\n",
      ".ralph/.ralphrc": 'TEST_COMMAND="sh check.sh"\n',
      [PLAN]: [...TASKS, "mine"].map((task) => `- [ ] ${task}\n`).join(""),
      // Red where any of the files is broken, and without a program of its own: it runs in each gate of each landing.
      "check.sh":
        'for file in *.txt; do\n  read -r line < "$file"\n  [ "$line" != BROKEN ] || { echo "$file"; exit 1; }\ndone\n',
    },
  });
  // The repository is too small to be tidied up, which git starts programs to find out.
  at.write(".git/config", `${at.read(".git/config")}[maintenance]\n\tauto = false\n[receive]\n\tautoGC = false\n`);
  git(at, "branch", "-m", "main");
  for (const task of TASKS) {
    git(at, "checkout", "--quiet", "-b", `ralph/${task}`, "main");
    at.write(`${task}.txt`, task === "two" ? "BROKEN" : task);
    git(at, "add", "--all");
    git(at, "commit", "--quiet", "-m", task);
    git(at, "checkout", "--quiet", "main");
    await claims(at).swap(task.padEnd(12, "0"), null, {
      ...{ state: "handed_in", task: task.padEnd(12, "0"), text: task, worker: { name: "w" }, tries: 0 },
      ...{ branch: `ralph/${task}`, commit: git(at, "rev-parse", `ralph/${task}`) },
    });
  }
  if (isTicked) at.write(PLAN, at.read(PLAN).replace("[ ] mine", "[x] mine"));
  return at;
}

const claims = ({ dir, env }: Project) =>
  createClaimStore(createGit(dir, env), dir, queueName({ target: "main", prefix: "" }));

/** No commit that was ever the target is red. @returns the subjects of those commits */
function expectGreenTarget(at: Project, point: Point | null): string[] {
  const log = git(at, "log", "--first-parent", "-m", "--format=%x00%s", "--name-only", "main").split("\0").slice(1);
  const red = log.filter((commit) => commit.split("\n").includes("two.txt"));
  expect({ point, red }).toEqual({ point, red: [] });
  return log.map((commit) => commit.split("\n")[0] ?? "");
}

async function endOf(at: Project, point: Point | null = null) {
  const left = await claims(at).list();
  return {
    subjects: expectGreenTarget(at, point).sort(),
    plan: at.read(PLAN),
    claims: [...left].map(([task, { claim }]) => [task, claim.state, claim.tries]),
    branches: git(at, "for-each-ref", "--format=%(refname)", "refs/heads"),
    status: git(at, "status", "--porcelain"),
    worktrees: git(at, "worktree", "list").split("\n").length,
    scratch: at.has(".ralph/worktrees/.land"),
    fsck: git(at, ...FSCK),
  };
}

describe.skipIf(!canInject)("a landing", () => {
  test.each([
    ["in a commit", true, false],
    ["in a commit, and a tick of it in none", true, true],
    ["on disk only", false, false],
  ])(
    "with the plan %s, killed at any moment, is ended by the next",
    async (_, tracksPlan, isTicked) => {
      const first = await waiting(tracksPlan, isTicked);
      const made = copyOf(first);
      const points = await pointsOf(first, ["land"]);
      const whole = await endOf(first);
      expect(whole.plan).toBe(`- [x] one\n- [ ] two\n- [x] three\n- [${isTicked ? "x" : " "}] mine\n`);
      expect(whole.claims).toEqual([["two000000000", "returned", 1]]);
      let struck = 0;
      await inLanes(someOf(points, INSTANTS), async (point) => {
        const at = copyOf(made);
        const { exit } = await at.startUnder(strikingAt(point, "signal=SIGKILL"), "land").ended;
        if (exit !== 6) struck += 1;
        expectGreenTarget(at, point);
        await at.ralph("land");
        expect({ point, end: await endOf(at, point) }).toEqual({ point, end: whole });
        rmSync(at.dir, { recursive: true });
      });
      expect(points.length).toBeGreaterThan(60);
      expect(struck).toBeGreaterThan(INSTANTS / 2);
    },
    10 * MINUTES,
  );

  test(
    "on a disk that is full from some moment on changes nothing that a person has, and is ended by the next",
    async () => {
      const first = await waiting(true);
      const made = copyOf(first);
      const points = await pointsOf(first, ["land"]);
      const whole = await endOf(first);
      const writes = points.filter(({ call }) => call !== "vfork");
      await inLanes(someOf(writes, Math.ceil(INSTANTS / 2)), async (point) => {
        const at = copyOf(made);
        const { exit, stdout, stderr } = await at.startUnder(strikingAt(point, "error=ENOSPC", true), "land").ended;
        // Its end is told by the run, or by an error where there is none.
        const isTold = stderr.trim() !== "" || stdout.includes(`(exit ${exit})`);
        expect({ point, exit, isTold }).toMatchObject({ point, isTold: true });
        expectGreenTarget(at, point);
        await at.ralph("land");
        expect({ point, end: await endOf(at, point) }).toEqual({ point, end: whole });
        rmSync(at.dir, { recursive: true });
      });
    },
    10 * MINUTES,
  );
});
