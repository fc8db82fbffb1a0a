/** `npm run check:fast`: format, lint, types, import rules and dead code side by side, in a few seconds. For before each commit. */
import { countsLine, exitCodeOf, sum } from "./lib/tests/counts.ts";
import { layers } from "./lib/tests/layers.ts";
import { printLayer, runTimed } from "./lib/tests/run-layers.ts";

const fast = layers.filter(({ name }) => ["lint", "types", "dead-code", "rules"].includes(name));
const finished = await Promise.all(fast.map(runTimed));
for (const done of finished) printLayer(done);
const total = sum(finished.map(({ counts }) => counts));
console.log(countsLine(total));
process.exitCode = exitCodeOf(total);
