/** A landing whose git never ends: a signature that waits for a passphrase which nobody types. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { until as eventually } from "../support/until.ts";
import { sharedPlan } from "./shared-plan.ts";

afterAll(cleanUp);

test("a landing that waits for a signature ends when it is told to, and changes nothing", async () => {
  const { at, git, meet } = sharedPlan({ plan: "- [ ] one\n" });
  git("switch", "--quiet", "--create", "work");
  at.write("new.txt", "1\n");
  git("add", "--all");
  git("commit", "--quiet", "-m", "work");
  git("switch", "--quiet", "main");
  const signer = join(at.dir, "..", "signer");
  writeFileSync(signer, `#!/bin/sh\ntouch "$MEET/signs"\nsleep 600\n`, { mode: 0o755 });
  git("config", "commit.gpgSign", "true");
  git("config", "gpg.program", signer);
  const before = git("for-each-ref", "refs/heads");
  const live = at.start("land", "work");
  await eventually("git waits for the signature", () => existsSync(join(meet, "signs")));
  live.kill("SIGTERM");
  const { exit, stdout } = await live.ended;
  expect([exit, stdout]).toEqual([143, expect.not.stringContaining("Not landed")]);
  expect(git("for-each-ref", "refs/heads")).toBe(before);
  expect([git("worktree", "list").split("\n").length, git("status", "--porcelain")]).toEqual([1, ""]);
});
