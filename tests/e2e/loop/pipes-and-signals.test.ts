/** A named pipe in place of what ralph reads must not make a run deaf. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { cleanUp, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

/** A run does not begin with a pipe as its plan. This one is made while the agent works; the plan is put back, which ends the run as well (7). */
const PLAN = ".ralph/@fix_plan.md";
const PATHS = [
  ".ralph/status.json",
  ".ralph/.call_count",
  ".ralph/.circuit_breaker_state",
  ".ralph/live.log",
  ".ralph/specs/a.md",
  PLAN,
  ".git/HEAD",
  ".git/config",
  ".git/packed-refs",
  ".git/info/exclude",
  ".gitignore",
];

describe.skipIf(process.platform === "win32")("SIGTERM ends a run soon, beside a named pipe in place of", () => {
  test.each(PATHS)("%s", async (path) => {
    const at = project({ steps: [{ files: { working: "" }, hangs: true }] });
    const makePipe = () => {
      mkdirSync(dirname(at.path(path)), { recursive: true });
      rmSync(at.path(path), { recursive: true, force: true });
      expect(Bun.spawnSync(["mkfifo", at.path(path)]).exitCode).toBe(0);
    };
    if (path !== PLAN) makePipe();
    const live = at.start("run");
    await until("the agent works", () => at.has("working"));
    if (path === PLAN) makePipe();
    const since = performance.now();
    live.kill("SIGTERM");
    expect((await live.ended).exit).toBe(path === PLAN ? 7 : 143);
    expect(performance.now() - since).toBeLessThan(30_000);
  });
});
