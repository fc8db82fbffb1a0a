/** How the work of a call grows with the size of what it is given. */
import process from "node:process";

/** Work in proportion to the size stays below this; quadratic work takes 64 times as long for eight times the size. */
export const IN_PROPORTION = 32;

const STEP = 8;
/** The least CPU time of some runs counts; long work is not repeated. */
const RUNS = 3;
const ENOUGH_MS = 100;
/** Shorter work is not comparable; were it quadratic, it would show at the next size. */
const LEAST_MS = 2;
/** A ratio over the limit is measured again: page faults and garbage collection can make a single one. */
const TRIES = 3;

/**
 * How many times as long `work` takes for eight times the size, at its worst. Measures CPU time, which other programs do
 * not lengthen, and goes from small to large, so that an explosion shows before it takes minutes.
 * @param input makes what to work on, of about the given size; not measured
 * @param largest the size up to which the work is compared
 */
export async function growth<T>(
  input: (size: number) => T,
  work: (given: T) => unknown,
  largest: number,
): Promise<number> {
  const sizes = [largest / STEP ** 3, largest / STEP ** 2, largest / STEP, largest].map(Math.ceil);
  let worst = 0;
  for (const [index, size] of sizes.slice(1).entries()) {
    const smaller = input(sizes[index] ?? size);
    const larger = input(size);
    let ratio = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && ratio > IN_PROPORTION; tries += 1)
      ratio = Math.min(ratio, await ratioOf(smaller, larger, work));
    worst = Math.max(worst, ratio);
    if (worst > IN_PROPORTION) break;
  }
  return worst;
}

async function ratioOf<T>(smaller: T, larger: T, work: (given: T) => unknown): Promise<number> {
  const before = await leastCpuMs(smaller, work);
  return before < LEAST_MS ? 0 : (await leastCpuMs(larger, work)) / before;
}

async function leastCpuMs<T>(given: T, work: (given: T) => unknown): Promise<number> {
  let [least, spent] = [Number.POSITIVE_INFINITY, 0];
  for (let run = 0; run < RUNS && spent < ENOUGH_MS; run += 1) {
    const before = process.cpuUsage();
    await work(given);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    least = Math.min(least, ms);
    spent += ms;
  }
  return least;
}
