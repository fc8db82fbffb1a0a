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
/** A ratio over the limit is measured again: page faults, garbage collection and a busy machine can make a single one. */
const TRIES = 8;

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
    worst = Math.max(worst, await ratioOf(smaller, larger, work));
    if (worst > IN_PROPORTION) break;
  }
  return worst;
}

/** The least of all tries over the least of all tries: each can only come nearer to what the work takes. */
async function ratioOf<T>(smaller: T, larger: T, work: (given: T) => unknown): Promise<number> {
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < TRIES; tries += 1) {
    less = Math.min(less, await leastCpuMs(smaller, work));
    if (less < LEAST_MS) return 0;
    more = Math.min(more, await leastCpuMs(larger, work));
    if (more / less <= IN_PROPORTION) break;
  }
  return more / less;
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
