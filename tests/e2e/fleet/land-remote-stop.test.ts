/** A remote that never answers: landing ends when it is told to, with all that git started. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { until as eventually } from "../support/until.ts";
import { sharedPlan } from "./shared-plan.ts";

afterAll(cleanUp);

/** In place of ssh: the remote is on this machine, and hangs while the file `hang` is there. */
const SSH = `#!/bin/sh
if test -e "$MEET/hang"; then echo $$ > "$MEET/hangs"; sleep 600; fi
for last; do :; done
eval "$last"
`;

function withRemote(gates: string) {
  const shared = sharedPlan({ plan: "- [ ] one\n", rc: `QUALITY_GATES="${gates}"\n` });
  const { at, git, meet } = shared;
  const remote = join(at.dir, "..", "remote.git");
  git("init", "--quiet", "--bare", "-b", "main", remote);
  git("push", "--quiet", remote, "main");
  git("switch", "--quiet", "--create", "work");
  at.write("new.txt", "1\n");
  git("add", "--all");
  git("commit", "--quiet", "-m", "work");
  git("push", "--quiet", remote, "work");
  git("switch", "--quiet", "main");
  git("remote", "add", "origin", `ssh://127.0.0.1${remote}`);
  const ssh = join(at.dir, "..", "ssh");
  writeFileSync(ssh, SSH, { mode: 0o755 });
  at.env.GIT_SSH_COMMAND = ssh;
  const isHung = () => existsSync(join(meet, "hangs")) && readFileSync(join(meet, "hangs"), "utf8") !== "";
  const isOver = () => {
    try {
      process.kill(Number(readFileSync(join(meet, "hangs"), "utf8")), 0);
      return false;
    } catch {
      return true;
    }
  };
  return { ...shared, remote, isHung, isOver };
}

test.skipIf(process.platform === "win32").each([
  ["before it begins", "SIGINT", 130, "true"],
  ["while it pushes", "SIGTERM", 143, 'test -e \\"$MEET/once\\" || touch \\"$MEET/once\\" \\"$MEET/hang\\"'],
] as const)("a stop ends git and its ssh, and the next one lands: %s", async (_, signal, code, gate) => {
  const { at, git, meet, remote, isHung, isOver } = withRemote(gate);
  if (gate === "true") writeFileSync(join(meet, "hang"), "");
  const live = at.start("land", "work", "--remote", "origin");
  await eventually("git waits for the remote", isHung);
  live.kill(signal);
  const { exit, stdout } = await live.ended;
  expect([exit, stdout]).toEqual([code, expect.not.stringContaining("internal_error")]);
  await eventually("its ssh has ended", isOver);
  expect(git("--git-dir", remote, "log", "--format=%s", "-1", "main")).toBe("start");
  rmSync(join(meet, "hang"));
  expect((await at.ralph("land", "work", "--remote", "origin")).exit).toBe(0);
  expect(git("--git-dir", remote, "log", "--format=%s", "-1", "main")).toBe("Land: work");
});
