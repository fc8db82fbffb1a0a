/**
 * `npm run mutants`: mutates the recorded outputs of all agents and looks for false verdicts. `-- --count N` makes N
 * mutants (100,000), `-- --seed N` other ones than `npm test`.
 *
 * `npm run mutants -- --code` mutates `src/core` and `src/run` in copies of the tree, and tells which mistakes no test
 * notices: at least 90 % of each must be noticed. `--most N` mutants (500, half of each), `--file PART` of one file, `--only ID` one mutant
 * with what the tests say, `--at-once N` (2), `--fresh` forgets what earlier runs found out, `--json`.
 */
import { parseArgs } from "node:util";
import { seed as usual } from "../tests/seed.ts";
import { mutateCode } from "./mutants/code.ts";
import { mutateRecordings } from "./mutants/recordings.ts";

function readFlags() {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "100000" },
      seed: { type: "string", default: String(usual) },
      code: { type: "boolean", default: false },
      most: { type: "string", default: "500" },
      file: { type: "string" },
      only: { type: "string", multiple: true, default: [] },
      "at-once": { type: "string", default: "2" },
      fresh: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
  const whole = (name: "count" | "seed" | "most" | "at-once", least: number) => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value) || value < least) throw new Error(`--${name} takes a whole number from ${least}`);
    return value;
  };
  const { code, file = null, only, fresh, json } = values;
  const [count, seed] = [whole("count", 1), whole("seed", Number.MIN_SAFE_INTEGER)];
  return { code, count, seed, file, only, fresh, json, most: whole("most", 1), atOnce: whole("at-once", 1) };
}

function flagsOrComplaint(): ReturnType<typeof readFlags> | string {
  try {
    return readFlags();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const flags = flagsOrComplaint();
if (typeof flags === "string") {
  console.error(flags);
  process.exitCode = 2;
} else process.exitCode = flags.code ? await mutateCode(flags) : mutateRecordings(flags.count, flags.seed);
