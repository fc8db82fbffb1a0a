/**
 * `npm run mutants`: mutates the recorded outputs of all agents and looks for false verdicts. `-- --count N` makes N
 * mutants (100,000), `-- --seed N` other ones than `npm test`.
 */
import { parseArgs } from "node:util";
import { hunt } from "../tests/drivers/recordings/mutants.ts";
import { seed as usual } from "../tests/seed.ts";

const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: String(usual) } },
});
const [count, seed] = [Number(values.count), Number(values.seed)];
if (!Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  console.error("--count and --seed take whole numbers, --count at least 1");
  process.exitCode = 2;
} else {
  const { mutants, byMutation, found } = hunt(count, seed);
  for (const [name, made] of Object.entries(byMutation).sort()) console.log(`${String(made).padStart(7)}  ${name}`);
  for (const { text: _, ...what } of found.slice(0, 20)) console.log(JSON.stringify(what));
  console.log(`${mutants} mutants with seed ${seed}: ${found.length} false verdicts`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
