import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createLog } from "../../../src/cli/log.ts";
import { runDetached } from "../../../src/cli/run/detach.ts";
import { lives } from "../../e2e/support/harness.ts";
import { until } from "../../e2e/support/until.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("detach");

/** Detaches a program in place of ralph, and returns what the user sees. */
async function detached(
  self: readonly string[],
  staysMs: number,
  ralphDir = mkdtempSync(join(folder, "ralph-")),
  startsWithinMs = LONG_MS,
) {
  const told = { stdout: "", stderr: "" };
  const outputs = {
    stdout: (text: string) => {
      told.stdout += text;
    },
    stderr: (text: string) => {
      told.stderr += text;
    },
  };
  const code = await runDetached(
    {
      self,
      env: { PATH: process.env.PATH, LOCK: join(ralphDir, "lock") },
      ...outputs,
      log: createLog({ quiet: false, verbose: false, json: false, color: false, width: () => 80, ...outputs }),
      args: { quiet: false },
    },
    ralphDir,
    ["run", "--detach"],
    { staysMs, startsWithinMs },
  );
  return { code, ...told };
}

const shell = (script: string) => ["/bin/sh", "-c", script, "sh"];
const LOCKS = `printf '{"pid":%d,"run":"0001-x","host":"${hostname()}","since":"now"}' $$ > "$LOCK"`;
const LONG_MS = 60_000;

describe.skipIf(process.platform === "win32")("a run in the background", () => {
  test("is announced once it holds its lock and stays alive", async () => {
    const ralphDir = mkdtempSync(join(folder, "ralph-"));
    const stays = shell(`${LOCKS}; while [ -e "$LOCK" ]; do sleep 0.05; done`);
    const { code, stdout, stderr } = await detached(stays, 0, ralphDir);
    rmSync(join(ralphDir, "lock"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Run 0001-x goes on in the background");
  });

  test("passes on its output until it is left alone", async () => {
    const ralphDir = mkdtempSync(join(folder, "ralph-"));
    const warns = shell(`echo "No such setting." >&2; ${LOCKS}; while [ -e "$LOCK" ]; do sleep 0.05; done`);
    const { code, stderr } = await detached(warns, 0, ralphDir);
    rmSync(join(ralphDir, "lock"));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "No such setting.\n" });
  });

  test("that ends right after its start gives its exit code, and is not announced", async () => {
    const fails = shell(`${LOCKS}; sleep 0.1; echo "The agent is not logged in." >&2; exit 6`);
    expect(await detached(fails, LONG_MS)).toEqual({ code: 6, stdout: "", stderr: "The agent is not logged in.\n" });
  });

  test("that does not come up in time is ended, and said not to have", async () => {
    const ralphDir = mkdtempSync(join(folder, "ralph-"));
    const pid = join(ralphDir, "pid");
    const hangs = shell(`echo $$ > "${pid}"; exec sleep 600`);
    await expect(detached(hangs, LONG_MS, ralphDir, 1000)).rejects.toThrow("did not come up in time and was ended");
    await until("it is gone", () => !lives(Number(readFileSync(pid, "utf8"))));
  });

  test("that is killed is an error, not a silent success", async () => {
    await expect(detached(shell(`${LOCKS}; kill -9 $$`), LONG_MS)).rejects.toThrow("was killed");
  });

  test("without a place for its log fails to start, with the reason", async () => {
    const ralphDir = mkdtempSync(join(folder, "ralph-"));
    writeFileSync(join(ralphDir, "logs"), "");
    const told = expect(detached(shell("exit 0"), LONG_MS, ralphDir));
    await told.rejects.toThrow(/cannot be started in the background: EEXIST/);
  });

  test("whose program is missing fails to start, with the reason", async () => {
    const told = expect(detached([join(folder, "no-such-program")], LONG_MS));
    await told.rejects.toThrow(/cannot be started in the background: .*ENOENT/);
  });
});
