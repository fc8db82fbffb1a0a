/**
 * `npm run crash [-- --instants N]`: the tests of kills and failing disks at more instants than `npm test` tries (300), with every
 * fault at every point, and a hundred kills of ralph at work.
 */
import { parseArgs } from "node:util";
import { bunTest } from "./lib/tests/bun-test.ts";
import { countsLine, exitCodeOf, none } from "./lib/tests/counts.ts";
import { layers } from "./lib/tests/layers.ts";
import { printLayer, runInOrder } from "./lib/tests/run-layers.ts";
import { testFiles } from "./lib/tests/test-files.ts";

const { values } = parseArgs({ options: { instants: { type: "string", default: "300" } } });
const instants = Number(values.instants);
if (!Number.isInteger(instants) || instants < 1) {
  console.error(`--instants takes a whole number, not ${values.instants}`);
  process.exit(2);
}

const build = layers.filter(({ name }) => name === "build");
const finished = await runInOrder(
  [
    ...build,
    {
      name: "crash",
      needs: "build",
      run: async () => {
        const env = { RALPH_INSTANTS: String(instants), RALPH_KILLS: "100" };
        const { counts, complaints, output } = await bunTest(testFiles("fault"), {
          timeoutMs: 1_800_000,
          limitMs: 7_200_000,
          parallel: false,
          env,
        });
        return { counts, output: [output.trimEnd(), ...complaints, ""].join("\n") };
      },
    },
  ],
  printLayer,
);
const counts = finished.at(-1)?.counts ?? { ...none, failed: 1 };
console.log(countsLine(counts));
process.exit(exitCodeOf(counts));
