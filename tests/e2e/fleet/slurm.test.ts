/** `ralph run --shard` as an array job under a real Slurm: Debian's packages, one node. */
import { expect, test } from "bun:test";
import { runSlurmArray } from "../../../scripts/lib/fleet/array.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("slurm");

test.skipIf(process.platform !== "linux")(
  "eight tasks of an array do a plan of 64, each once, while a third of them is killed at work",
  async () => {
    const { did, branches, killed, outputs } = await runSlurmArray(folder, {
      workers: 8,
      tasks: 64,
      agentSeconds: 0.2,
    });
    const all = Array.from({ length: 64 }, (_, n) => `task${n + 1}`).sort();
    expect({ killed, did: did.sort() }).toEqual({ killed: 3, did: all });
    expect(branches.sort()).toEqual(all);
    for (const output of outputs) expect(output).toContain("Nothing is left for this worker");
    const begun = outputs.map((output) => /This is worker (\d) of 8/.exec(output)?.[1]);
    expect(begun).toEqual(["1", "2", "3", "4", "5", "6", "7", "8"]);
  },
  900_000,
);
