/** `npm test`: every layer in order. `npm test -- --layer unit,e2e` runs only these and the layers that they need. */
import { parseArgs } from "node:util";
import { seed } from "../tests/seed.ts";
import { countsLine, exitCodeOf, sum } from "./lib/tests/counts.ts";
import { type Layer, layers } from "./lib/tests/layers.ts";
import { printLayer, runInOrder } from "./lib/tests/run-layers.ts";

/** The requested layers with those they need; default: all. */
function chosen(names: readonly string[]): readonly Layer[] {
  const known = layers.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`unknown layer ${unknown.join(", ")}: the layers are ${known.join(", ")}`);
  const wanted = new Set([...names, ...layers.filter(({ name }) => names.includes(name)).map(({ needs }) => needs)]);
  return names.length === 0 ? layers : layers.filter(({ name }) => wanted.has(name));
}

function readArguments(): readonly Layer[] | string {
  try {
    const { values } = parseArgs({ options: { layer: { type: "string", multiple: true, default: [] } } });
    return chosen(values.layer.flatMap((value) => value.split(",")));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const wanted = readArguments();
if (typeof wanted === "string") {
  console.error(wanted);
  process.exitCode = 2;
} else {
  console.log(`property tests with seed ${seed}`);
  const total = sum((await runInOrder(wanted, printLayer)).map(({ counts }) => counts));
  console.log(countsLine(total));
  process.exitCode = exitCodeOf(total);
}
