/** Rules of an ignore file, a named pipe or a filter may keep git at work for ever: a stop ends ralph all the same, and git with it. */
import { afterAll, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { works } from "../support/answers.ts";
import { cleanUp, lives, type Project, project, wholeLines } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** Tells its words, and, once there is a file `hang`, its process, and hangs. */
const GIT = `#!/bin/sh
echo "$*" >> "$HUNG/calls"
[ -e "$HUNG/hang" ] || exec "$REAL_GIT" "$@"
echo $$ >> "$HUNG/pids"
exec sleep 900
`;
/** What a stop leaves a git, what TERM leaves it, and as much for a slow machine; never the two minutes of a call. */
const SOON_MS = 20_000;

type Hung = { at: Project; hang(): void; calls(): string[]; pids(): number[] };

function withGit(steps: Parameters<typeof project>[0] = {}): Hung {
  const at = project(steps);
  const [bin, folder] = [join(at.dir, "..", "git-bin"), join(at.dir, "..", "hung")];
  for (const each of [bin, folder]) mkdirSync(each);
  writeFileSync(join(bin, "git"), GIT);
  chmodSync(join(bin, "git"), 0o755);
  Object.assign(at.env, { REAL_GIT: Bun.which("git") ?? "git", HUNG: folder, PATH: `${bin}:${at.env.PATH}` });
  return {
    at,
    hang: () => writeFileSync(join(folder, "hang"), ""),
    calls: () => wholeLines(join(folder, "calls")),
    pids: () => wholeLines(join(folder, "pids")).map(Number),
  };
}

describe.skipIf(process.platform === "win32")("a git that never ends", () => {
  test.concurrent.each(["SIGINT", "SIGTERM"] as const)(
    "at the start of a run ends with ralph by %s",
    async (signal) => {
      const { at, hang, pids } = withGit();
      hang();
      const live = at.start("run", "--commit", "--max-iterations", "1");
      await until("a git hangs", () => pids().length > 0);
      live.kill(signal);
      await until("ralph has ended", () => !lives(live.pid), SOON_MS);
      expect((await live.ended).exit).toBe(null);
      await until("git has ended", () => !pids().some(lives), SOON_MS);
    },
  );

  test.concurrent.each(["SIGINT", "SIGTERM"] as const)(
    "that looks at the files at the start of a run leaves no lock file on %s, which would be in the way of the user's next commit",
    async (signal) => {
      const { at, calls } = withGit();
      mkdirSync(at.path("new"));
      expect(Bun.spawnSync(["mkfifo", at.path("new/.gitignore")]).exitCode).toBe(0);
      const live = at.start("run", "--commit", "--max-iterations", "1");
      await until("git looks", () => calls().some((words) => words.includes("status")));
      live.kill(signal);
      expect((await live.ended).exit).toBe(null);
      expect(existsSync(at.path(".git/index.lock"))).toBe(false);
    },
  );

  test.concurrent.each([
    ["stop --now", 0, "stopped_by_user"],
    ["SIGINT twice", 130, "interrupted"],
  ] as const)("in a live run ends with it by %s", async (how, exit, reason) => {
    const { at, pids } = withGit({ steps: [{ ...works(1), shell: 'touch "$HUNG/hang"' }] });
    const live = at.start("run", "--commit", "--max-iterations", "2");
    await until("a git hangs", () => pids().length > 0);
    if (how === "stop --now") expect((await at.ralph("stop", "--now")).exit).toBe(0);
    else {
      live.kill("SIGINT");
      await until("the stop is recorded", () => at.event("stop_requested") !== undefined);
      live.kill("SIGINT");
    }
    await until("ralph has ended", () => !lives(live.pid), SOON_MS);
    expect((await live.ended).exit).toBe(exit);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: reason });
    expect(pids().filter(lives)).toEqual([]);
  });

  test.concurrent("while the target moves in a landing ends with it by SIGTERM", async () => {
    const { at, pids } = withGit({
      files: {
        ".ralph/PROMPT.md": "x\n",
        ".ralph/fix_plan.md": "- [ ] a\n",
        ".ralph/.ralphrc": 'TEST_COMMAND="touch $HUNG/hang"\n',
      },
    });
    const git = (...words: string[]) =>
      execFileSync(at.env.REAL_GIT ?? "git", words, { cwd: at.dir, env: at.env, stdio: "pipe" })
        .toString()
        .trim();
    git("switch", "--quiet", "--create", "work");
    at.write("new.txt", "new\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "new");
    git("switch", "--quiet", "-");
    const live = at.start("land", "work");
    await until("a git hangs", () => pids().length > 0);
    live.kill("SIGTERM");
    await until("ralph has ended", () => !lives(live.pid), 2 * SOON_MS);
    expect((await live.ended).exit).not.toBe(0);
    expect(pids().filter(lives)).toEqual([]);
    expect(readFileSync(at.path(".ralph/PROMPT.md"), "utf8")).toBe("x\n");
  });
});
