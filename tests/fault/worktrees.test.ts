/** `ralph run --worktree` and `ralph worktrees remove` killed before each of their changes to the disk, or with each of them failing. */
import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listens, prints, tellsOfCall } from "../e2e/support/agent-of-shell.ts";
import { answer } from "../e2e/support/answers.ts";
import { FSCK } from "../e2e/support/git.ts";
import { cleanUp, copyOf, keepNow, type Project, project } from "../e2e/support/harness.ts";
import { canInject, faultOf, inLanes, LANES, type Point, pointsOf, strikingAt } from "./inject.ts";

afterAll(cleanUp);

const MINUTES = 60_000;
const MAKE = ["run", "--worktree=login", "--max-iterations", "1"];
const REMOVE = ["worktrees", "remove", "login", "--force"];

function fresh(): Project {
  const files = {
    ".ralph/PROMPT.md": "Do the next task.\n",
    ".ralph/@fix_plan.md": "- [ ] one\n",
    ".gitignore": "/.ralph/.ralphrc\n.env\n",
    ".worktreeinclude": ".env\n",
    "src.txt": "0\n",
  };
  const at = project({ files, plays: [listens, tellsOfCall, prints(answer()), "exit"].join("\n") });
  at.write(".env", "A=1\n");
  at.write(".ralph/.ralphrc", "WORKTREE_SETUP='echo x >> set-up.txt'\n");
  return at;
}

const git = (at: Project, ...argv: string[]) => {
  const { exitCode, stdout } = Bun.spawnSync(["git", ...argv], { cwd: at.dir, env: at.env });
  return { ok: exitCode === 0, text: stdout.toString().trim() };
};
const isSound = (at: Project) => git(at, ...FSCK).ok;
const there = (at: Project, ...path: string[]) => at.path(join(".ralph", "worktrees", "login", ...path));

function recordOf(at: Project): { state: string } | null {
  const path = at.path(".ralph/worktrees/.records/login.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as { state: string }) : null;
}

function expectWhole(at: Project, point: Point): void {
  const text = (...path: string[]) => readFileSync(there(at, ...path), "utf8");
  expect({
    point,
    branch: git(at, "-C", there(at), "symbolic-ref", "--short", "HEAD").text,
    src: text("src.txt"),
    env: text(".env"),
    plan: text(".ralph", "@fix_plan.md"),
    setUp: text("set-up.txt").replace(/^(?:x\n)+$/, "done"),
    fsck: isSound(at),
    // The branch, and no line for a file.
    mine: git(at, "status", "--porcelain", "--branch").text,
  }).toEqual({
    point,
    branch: "ralph/login",
    src: "0\n",
    env: "A=1\n",
    plan: "- [ ] one\n",
    setUp: "done",
    fsck: true,
    mine: "## master",
  });
}

/** Steps of the worktree, not of the run in it, which has its own tests: up to the first write in the worktree's `.ralph`. */
function ofWorktree(points: readonly Point[]): Point[] {
  const begins = points.findIndex(({ path }) => /\/worktrees\/login\/\.ralph\/(?:lock|runs|logs)/.test(path));
  return points.slice(0, begins === -1 ? undefined : begins);
}

describe.skipIf(!canInject)("the making of a worktree", () => {
  test(
    "that is killed before any of its changes is completed by the next start",
    async () => {
      const made = fresh();
      const points = ofWorktree(await pointsOf(copyOf(made), MAKE));
      let killed = 0;
      let half = 0;
      await inLanes(points, async (point) => {
        const at = copyOf(made);
        const { exit } = await at.startUnder(strikingAt(point, "signal=SIGKILL"), ...MAKE).ended;
        if (exit !== 4) killed += 1;
        const record = recordOf(at);
        if (record?.state === "making") {
          half += 1;
          expect((await at.ralph("ps")).stdout).toContain("project/login  half made worktree");
        }
        const { exit: again, stderr } = await at.ralph(...MAKE);
        expect({ point, again, stderr }).toEqual({ point, again: 4, stderr: expect.any(String) });
        expectWhole(at, point);
      });
      expect(points.length).toBeGreaterThan(20);
      expect(killed).toBeGreaterThan(points.length * 0.8);
      expect(half).toBeGreaterThan(5);
    },
    20 * MINUTES,
  );

  test(
    "that fails at any of its changes leaves nothing, or what the next start completes",
    async () => {
      const made = fresh();
      const points = ofWorktree(await pointsOf(copyOf(made), MAKE));
      let failed = 0;
      await inLanes(
        points.map((point, nth) => ({ point, ...faultOf(nth) })),
        async ({ point, code }) => {
          const at = copyOf(made);
          const { exit, stderr } = await at.startUnder(strikingAt(point, `error=${code}`), ...MAKE).ended;
          if (exit === 7) {
            failed += 1;
            expect({ point, stderr }).toEqual({ point, stderr: expect.stringMatching(/^(?!.*\n {4}at ).+/s) });
          }
          const records = at.path(".ralph/worktrees/.records");
          const named = existsSync(records) && readdirSync(records).includes("login.json");
          if (exit === 7 && !named) {
            expect({ point, code, folder: existsSync(there(at)) }).toEqual({ point, code, folder: false });
            expect(git(at, "branch", "--list", "ralph/*").text).toBe("");
          }
          const { exit: again } = await at.ralph(...MAKE);
          expect({ point, code, again }).toEqual({ point, code, again: 4 });
          expectWhole(at, point);
        },
      );
      expect(failed).toBeGreaterThan(10);
    },
    20 * MINUTES,
  );
});

describe.skipIf(!canInject)("the removal of a worktree", () => {
  test.each([
    ["is killed", "signal=SIGKILL"],
    ["fails", null],
  ])(
    "that %s before any of its changes loses nothing, and is ended by the next",
    async (_, kill) => {
      const made = async () => {
        const at = fresh();
        await at.ralph(...MAKE);
        writeFileSync(there(at, "mine.txt"), "a person's own\n");
        return { at, putBack: keepNow(at) };
      };
      const first = await made();
      const points = await pointsOf(first.at, REMOVE);
      // One for each lane.
      const free = [first, ...(await Promise.all(Array.from({ length: LANES - 1 }, made)))];
      const tried = points.map((point, nth) => ({ point, what: kill ?? `error=${faultOf(nth).code}` }));
      let struck = 0;
      await inLanes(tried, async ({ point, what }) => {
        const mine = free.pop();
        if (mine === undefined) throw new Error("more lanes than projects");
        const { at, putBack } = mine;
        putBack();
        const { exit } = await at.startUnder(strikingAt(point, what), ...REMOVE).ended;
        if (exit !== 0) struck += 1;
        const again = await at.ralph(...REMOVE);
        // It may have been all but the last word.
        const gone = again.stderr.includes("There is no worktree");
        expect({ point, what, exit: again.exit }).toEqual({ point, what, exit: gone ? 7 : 0 });
        const refs = git(at, "for-each-ref", "--format=%(refname)", "refs/ralph").text.split("\n");
        const kept = refs.some((ref) => git(at, "show", `${ref}:mine.txt`).text === "a person's own");
        expect({ point, what, kept, there: existsSync(there(at)) }).toEqual({
          point,
          what,
          kept: true,
          there: false,
        });
        expect({ point, list: git(at, "worktree", "list").text.split("\n").length }).toEqual({ point, list: 1 });
        expect({ point, fsck: isSound(at) }).toEqual({ point, fsck: true });
        free.push(mine);
      });
      expect(points.length).toBeGreaterThan(15);
      expect(struck).toBeGreaterThan(10);
    },
    20 * MINUTES,
  );
});
