import { type Counts, none } from "./counts.ts";
import type { Layer, LayerResult } from "./layers.ts";

/** One finished layer. */
export type LayerRun = LayerResult & { name: string; ms: number };

/** `ok    unit        12.3 s  345 passed`: one layer as a line. */
export function layerLine({ name, ms, counts }: { name: string; ms: number; counts: Counts }): string {
  const { passed, failed, skipped } = counts;
  const word = failed > 0 ? "FAIL" : passed + skipped > 0 ? "ok" : "-";
  const parts = [
    `${passed} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return `${word.padEnd(5)} ${name.padEnd(10)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${parts.join(", ")}`;
}

/** Runs one layer and measures it. */
export async function runTimed(layer: Layer): Promise<LayerRun> {
  const start = performance.now();
  const result = await layer.run();
  return { name: layer.name, ms: performance.now() - start, ...result };
}

/** Runs layers one after the other. A layer whose need failed counts as failed without running. */
export async function runInOrder(layers: readonly Layer[], report: (done: LayerRun) => void): Promise<LayerRun[]> {
  const finished: LayerRun[] = [];
  for (const layer of layers) {
    const broken = finished.some(({ name, counts }) => name === layer.needs && counts.failed > 0);
    const done = broken
      ? { name: layer.name, ms: 0, counts: { ...none, failed: 1 }, output: `not run: ${layer.needs} failed\n` }
      : await runTimed(layer);
    finished.push(done);
    report(done);
  }
  return finished;
}

/** Prints a finished layer: one line, and all its output if something failed. */
export function printLayer(done: LayerRun): void {
  console.log(layerLine(done));
  if (done.counts.failed > 0) console.log(`\n${done.output.trim()}\n`);
}
