/** git that waits for a remote that is away. */
import { expect, test } from "bun:test";
import type { Git, GitResult } from "../../../src/effects/git/git-program.ts";
import { needOf } from "../../../src/effects/git/git-program.ts";
import { patientGit } from "../../../src/effects/git/patient-git.ts";

const away: GitResult = { code: 128, stdout: "", stderr: "fatal: unable to access: Could not resolve host: hub" };
const fine: GitResult = { code: 0, stdout: "said\n", stderr: "" };

/** A git that says these things, one after the other, and the last one for ever. */
function patient(results: readonly GitResult[]) {
  const [waits, told, asked]: [number[], string[], string[]] = [[], [], []];
  const run: Git["run"] = async (args) => {
    asked.push(args.join(" "));
    return results[asked.length - 1] ?? results.at(-1) ?? fine;
  };
  const sleep = async (ms: number) => {
    waits.push(ms);
  };
  const git = patientGit({ dir: "/p", run, need: needOf(run) }, { sleep, onWait: (said) => told.push(said) });
  return { git, waits, told, asked };
}

test("asks a remote that is away again, tells of it once, and for each command anew", async () => {
  const { git, waits, told } = patient([away, away, fine, away, fine]);
  expect(await git.need(["ls-remote", "hub"])).toBe("said");
  expect([waits, told]).toEqual([[2000, 8000], [away.stderr]]);
  expect((await git.run(["push", "hub", "a:b"])).code).toBe(0);
  expect([waits, told.length]).toEqual([[2000, 8000, 2000], 2]);
});

test("git-lfs, which says otherwise that its server is away, is asked again too", async () => {
  const stderr = "batch request: dial tcp: lookup hub: no such host";
  const { git, waits } = patient([{ ...away, code: 2, stderr }, fine]);
  expect((await git.run(["lfs", "pre-push", "hub", "hub"])).code).toBe(0);
  expect(waits).toEqual([2000]);
});

test("gives up after ten minutes, with what git said", async () => {
  const { git, waits } = patient([away]);
  await expect(git.need(["fetch", "hub"])).rejects.toThrow("Could not resolve host");
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(640_000);
});

test.each<[string, readonly string[], GitResult]>([
  ["a command that asks no remote", ["merge", "x"], away],
  ["a refusal", ["push", "hub", "a:b"], { ...away, stderr: "! [remote rejected] (protected branch hook declined)" }],
  ["somebody who was faster", ["push", "hub", "a:b"], { ...away, stderr: "! [rejected] a -> b (stale info)" }],
  ["a git that was ended", ["fetch", "hub"], { ...away, code: null, ended: "timed_out" }],
])("%s is asked once", async (_, args, result) => {
  const { git, waits, asked } = patient([result]);
  expect(await git.run(args)).toEqual(result);
  expect([waits, asked.length]).toEqual([[], 1]);
});
