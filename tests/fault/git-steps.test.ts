/** `--commit`, `--rebase-on`, `--push` and `--tag` on a disk that is full from some call of git on. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../e2e/support/answers.ts";
import { git } from "../e2e/support/git.ts";
import { cleanUp, type Project, project } from "../e2e/support/harness.ts";
import { canInject, inLanes } from "./inject.ts";

afterAll(cleanUp);

/** Counts the calls of git; from the one that is asked for on, the disk has no room for another file. */
const GIT = `#!/bin/sh
[ -n "$FULL" ] || exec "$REAL_GIT" "$@"
read -r n < "$COUNT"; n=$((n + 1)); echo $n 1<> "$COUNT"
[ "$n" -ge "$FULL" ] || exec "$REAL_GIT" "$@"
exec strace -f -qqq -o /dev/null -e trace=rename,renameat,renameat2,link,linkat,mkdir,mkdirat \\
  -e inject=rename,renameat,renameat2,link,linkat,mkdir,mkdirat:error=ENOSPC "$REAL_GIT" "$@"
`;
const PLAN = "- [ ] First\n- [ ] Second\n- [ ] Third\n";
const NEVER = "1000000";
/** Every so many of the calls is one from which on the disk is full. */
const STEP = 3;
const ALL = ["--commit", "--rebase-on", "origin/main", "--push", "--tag", "patch"];

/** A project on the branch `work`, whose remote has a commit more on `main`. */
function fresh(): { at: Project; hub: string; count: string } {
  const does = (nth: number, boxes: string) => ({
    files: { [`src${nth}.txt`]: `${nth}\n`, ".ralph/fix_plan.md": boxes },
    stdout: answer(),
  });
  const at = project({
    files: { ".ralph/PROMPT.md": "Do the next task.\n", ".ralph/fix_plan.md": PLAN },
    steps: [
      does(1, PLAN.replace("[ ] First", "[x] First")),
      does(2, PLAN.replace("[ ] First", "[x] First").replace("[ ] Second", "[x] Second")),
    ],
  });
  const [hub, bin] = [join(at.dir, "..", "hub.git"), join(at.dir, "..", "git-bin")];
  git(at, "branch", "--move", "main");
  git(at, "clone", "--quiet", "--bare", at.dir, hub);
  git(at, "remote", "add", "origin", hub);
  git(at, "commit", "--quiet", "--allow-empty", "--message", "theirs");
  git(at, "push", "--quiet", "origin", "main");
  git(at, "switch", "--quiet", "--create", "work", "HEAD^");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), GIT);
  chmodSync(join(bin, "git"), 0o755);
  const count = join(at.dir, "..", "count");
  Object.assign(at.env, {
    REAL_GIT: Bun.which("git") ?? "git",
    COUNT: count,
    FULL: NEVER,
    PATH: `${bin}:${at.env.PATH}`,
  });
  return { at, hub, count };
}

const runs = (at: Project) => at.ralph("run", "--max-iterations", "1", ...ALL);

function expectPublished(at: Project, hub: string, call: number): void {
  const inHub = (name: string) => git(at, "-C", hub, "rev-parse", "--verify", `${name}^{commit}`);
  expect({ call, work: inHub("work") }).toEqual({ call, work: git(at, "rev-parse", "HEAD") });
  expect({ call, based: git(at, "merge-base", "HEAD", "origin/main") }).toEqual({ call, based: inHub("main") });
  expect({ call, fsck: git(at, "-C", hub, "fsck", "--strict", "--no-dangling", "--no-progress") }).toEqual({
    call,
    fsck: "",
  });
}

describe.skipIf(!canInject)("the git steps of a run", () => {
  test(
    "whose disk is full from any call of git on lose nothing, say it, and are done by the next run",
    async () => {
      const whole = fresh();
      writeFileSync(whole.count, "0\n");
      expect((await runs(whole.at)).exit).toBe(4);
      expectPublished(whole.at, whole.hub, 0);
      const calls = Number(readFileSync(whole.count, "utf8"));
      expect(calls).toBeGreaterThan(15);
      let failed = 0;
      await inLanes(
        Array.from({ length: Math.ceil(calls / STEP) }, (_, at) => at * STEP + 1),
        async (call) => {
          const { at, hub, count } = fresh();
          writeFileSync(count, "0\n");
          at.env.FULL = String(call);
          const { exit, stdout, stderr } = await runs(at);
          const told = /Not (?:committed|rebased|pushed|tagged)|No space left|disk is full|failed/.test(
            stdout + stderr,
          );
          expect({ call, exit, trace: /\n {4}at /.test(stderr) }).toEqual({
            call,
            exit: expect.any(Number),
            trace: false,
          });
          expect([0, 4, 7]).toContain(exit ?? -1);
          const isDone = stdout.includes("⎇ Pushed");
          expect({ call, isToldOrDone: told || isDone, stdout }).toMatchObject({ call, isToldOrDone: true });
          if (!isDone) failed += 1;
          at.env.FULL = "";
          if (exit !== 7) expect({ call, work: at.read("src1.txt") }).toEqual({ call, work: "1\n" });
          expect({ call, again: (await runs(at)).exit }).toEqual({ call, again: 4 });
          expectPublished(at, hub, call);
          expect({ call, first: git(at, "show", "HEAD:src1.txt") }).toEqual({ call, first: "1" });
        },
      );
      expect(failed).toBeGreaterThan(3);
    },
    10 * 60_000,
  );
});
