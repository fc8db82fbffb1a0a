/** `--commit`, `--rebase-on`, `--push` and `--tag` on a disk that is full from some call of git on. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listens, prints, tellsOfCall } from "../e2e/support/agent-of-shell.ts";
import { answer } from "../e2e/support/answers.ts";
import { FSCK, git } from "../e2e/support/git.ts";
import { cleanUp, copyOf, type Ended, type Project, project } from "../e2e/support/harness.ts";
import { canInject, inLanes } from "./inject.ts";

afterAll(cleanUp);

/** Counts the calls of git; from the one that is asked for on, the disk has no room for another file. */
const GIT = `#!/bin/sh
read -r n < "$COUNT"; n=$((n + 1)); echo $n 1<> "$COUNT"
[ "$n" -ge "$FULL" ] || exec "$REAL_GIT" "$@"
exec strace -f --seccomp-bpf -qqq -o /dev/null -e trace=rename,renameat,renameat2,link,linkat,mkdir,mkdirat \\
  -e inject=rename,renameat,renameat2,link,linkat,mkdir,mkdirat:error=ENOSPC "$REAL_GIT" "$@"
`;
const PLAN = "- [ ] First\n- [ ] Second\n- [ ] Third\n";
const NEVER = "1000000";
/** Every so many of the calls is one from which on the disk is full. */
const STEP = 3;
const ALL = ["--commit", "--rebase-on", "origin/main", "--push", "--tag", "patch"];

/** Does the first task in its first call, and the second in all others. */
const does = (nth: number, boxes: string) =>
  `echo ${nth} > src${nth}.txt; printf '%b' '${boxes.replaceAll("\n", "\\n")}' > .ralph/fix_plan.md`;
const AGENT = [
  listens,
  'test -e "$agent/calls"; isFirst=$?',
  tellsOfCall,
  `if [ $isFirst = 1 ]; then ${does(1, PLAN.replace("[ ] First", "[x] First"))}`,
  `else ${does(2, PLAN.replace("[ ] First", "[x] First").replace("[ ] Second", "[x] Second"))}; fi`,
  prints(answer()),
  "exit",
].join("\n");

/** A project on the branch `work`, whose remote has a commit more on `main`. */
function fresh(): Project {
  const at = project({
    files: { ".ralph/PROMPT.md": "Do the next task.\n", ".ralph/fix_plan.md": PLAN },
    plays: AGENT,
  });
  const hub = hubOf(at);
  git(at, "branch", "--move", "main");
  git(at, "clone", "--quiet", "--bare", at.dir, hub);
  git(at, "remote", "add", "origin", hub);
  git(at, "commit", "--quiet", "--allow-empty", "--message", "theirs");
  git(at, "push", "--quiet", "origin", "main");
  git(at, "switch", "--quiet", "--create", "work", "HEAD^");
  return at;
}

const hubOf = (at: Project) => join(at.dir, "..", "hub.git");

/** The same with a remote of its own. */
function copyWithHub(of: Project): Project {
  const at = copyOf(of);
  cpSync(hubOf(of), hubOf(at), { recursive: true, preserveTimestamps: true });
  at.write(".git/config", at.read(".git/config").replace(hubOf(of), hubOf(at)));
  return at;
}

const ARGV = ["run", "--max-iterations", "1", ...ALL];

/** A run whose calls of git are counted, and whose disk is full from one of them on. */
async function runsUntil(at: Project, full: string): Promise<Ended & { calls: number }> {
  const [bin, count] = [join(at.dir, "..", "git-bin"), join(at.dir, "..", "count")];
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), GIT);
  chmodSync(join(bin, "git"), 0o755);
  writeFileSync(count, "0\n");
  const { PATH = "" } = at.env;
  Object.assign(at.env, { REAL_GIT: Bun.which("git") ?? "git", COUNT: count, FULL: full, PATH: `${bin}:${PATH}` });
  const ended = await at.ralph(...ARGV);
  at.env.PATH = PATH;
  return { ...ended, calls: Number(readFileSync(count, "utf8")) };
}

function expectPublished(at: Project, call: number): void {
  const inHub = (...words: string[]) => git(at, "-C", hubOf(at), ...words);
  const [work, main] = inHub("rev-parse", "work^{commit}", "main^{commit}").split("\n");
  expect({ call, work }).toEqual({ call, work: git(at, "rev-parse", "HEAD") });
  expect({ call, based: git(at, "merge-base", "HEAD", "origin/main") }).toEqual({ call, based: main ?? "" });
  expect({ call, fsck: inHub(...FSCK) }).toEqual({ call, fsck: "" });
}

describe.skipIf(!canInject)("the git steps of a run", () => {
  test(
    "whose disk is full from any call of git on lose nothing, say it, and are done by the next run",
    async () => {
      const made = fresh();
      const whole = copyWithHub(made);
      const { exit: wholeExit, calls } = await runsUntil(whole, NEVER);
      expect(wholeExit).toBe(4);
      expectPublished(whole, 0);
      expect(calls).toBeGreaterThan(15);
      let failed = 0;
      await inLanes(
        Array.from({ length: Math.ceil(calls / STEP) }, (_, at) => at * STEP + 1),
        async (call) => {
          const at = copyWithHub(made);
          const { exit, stdout, stderr } = await runsUntil(at, String(call));
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
          if (exit !== 7) expect({ call, work: at.read("src1.txt") }).toEqual({ call, work: "1\n" });
          expect({ call, again: (await at.ralph(...ARGV)).exit }).toEqual({ call, again: 4 });
          expectPublished(at, call);
          expect({ call, first: git(at, "show", "HEAD:src1.txt") }).toEqual({ call, first: "1" });
        },
      );
      expect(failed).toBeGreaterThan(3);
    },
    10 * 60_000,
  );
});
