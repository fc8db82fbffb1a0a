import { expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createLog } from "../../../src/cli/log.ts";
import { runInSession } from "../../../src/cli/run/tmux.ts";
import { testFolder } from "../../folders.ts";

const bin = testFolder("tmux");

/** Runs in a session of a tmux that only does this in the folder in which a session leaves its end. */
async function ended(script: string): Promise<{ code: number; screen: string }> {
  writeFileSync(join(bin, "tmux"), `#!/bin/sh\nshift 7; cd "$1" || exit\n${script}\n`);
  chmodSync(join(bin, "tmux"), 0o755);
  let screen = "";
  const raw = (text: string) => {
    screen += text;
  };
  const context = {
    env: { PATH: `${bin}:${process.env.PATH}` },
    isTty: { stdin: true, stdout: true, stderr: true },
    log: createLog({
      quiet: false,
      verbose: false,
      json: false,
      color: false,
      width: () => 80,
      stdout: raw,
      stderr: raw,
    }),
    stdout: raw,
    raw,
    projectDir: bin,
    self: ["ralph"],
    args: { monitor: true, tmux: true, quiet: false },
  };
  const host = { run: async () => ({ exit_code: 1, stdout: "", stderr: "" }) };
  const code = await runInSession(context, { host, words: ["run"], now: 0 });
  return { code, screen };
}

test.skipIf(process.platform === "win32")("the exit code of a run in a session is the run's", async () => {
  expect(await ended("echo 'the end' > screen; echo 6 > exit")).toEqual({ code: 6, screen: "the end\n" });
  expect((await ended("echo 0 > exit")).code).toBe(0);
});

test.skipIf(process.platform === "win32")(
  "a run in a session whose exit code a full disk lost is no success",
  async () => {
    await expect(ended(": > exit")).rejects.toThrow("closed before the run had ended");
  },
);
