/** `ralph fleet manifest` as a person types it, and its Slurm job in a shell. */
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../../scripts/lib/run-program.ts";
import { git } from "../support/git.ts";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

const url = "https://git.example.org/shop.git";

test("prints a job for the remote of the project, and says what is missing", async () => {
  const at = project();
  const slurm = (...words: string[]) => at.ralph("fleet", "manifest", "slurm", ...words);
  expect((await slurm()).stderr).toContain("--repository URL");
  git(at, "remote", "add", "origin", url);
  expect((await slurm("--workers", "4")).stdout).toContain("#SBATCH --array=1-4%4");
  expect((await at.ralph("fleet", "manifest", "nomad")).exit).toBe(2);
  expect((await at.ralph("fleet", "manifest", "kubernetes")).stderr).toContain("--image");
  expect((await slurm("--secret", "sk-ant-1")).stderr).toContain("is no name of a variable");
});

test("the Slurm job begins a killed worker again in its clone, and ends with what a person has to see", async () => {
  const at = project({ files: { "a.txt": "1\n" } });
  const home = join(at.dir, "..", "home");
  const job = (await at.ralph("fleet", "manifest", "slurm", "--repository", at.dir, "--branch", "HEAD")).stdout;
  const branch = git(at, "branch", "--show-current");
  const path = join(at.dir, "..", "job.sh");
  writeFileSync(path, job.replace("--branch HEAD", `--branch ${branch}`));
  const bin = join(home, "bin", "ralph");
  mkdirSync(dirname(bin));
  // Its first life ends by a kill, the second as done, the third as one that needs a person.
  writeFileSync(
    bin,
    '#!/bin/sh\necho "$PWD $*" >> "$HOME/calls"\nn=$(wc -l < "$HOME/calls")\ncase $n in 1) kill -9 $$ ;; 2) exit 0 ;; *) exit 6 ;; esac\n',
  );
  chmodSync(bin, 0o755);
  const env = { ...at.env, HOME: home, PATH: `${dirname(bin)}:${at.env.PATH}`, SLURM_ARRAY_TASK_ID: "3" };
  const once = () => run(["sh", path], { cwd: home, env });
  expect([(await once()).exitCode, (await once()).exitCode]).toEqual([0, 6]);
  const calls = readFileSync(join(home, "calls"), "utf8").trimEnd().split("\n");
  const clone = join(home, ".cache", `ralph-${"project"}`, "3");
  expect(calls).toEqual(Array.from({ length: 3 }, () => `${clone} run --shard --trust`));
});
