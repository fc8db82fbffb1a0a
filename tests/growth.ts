/** How the work of a call grows with the size of what it is given. */
import process from "node:process";

/**
 * Work in proportion to the size stays well below this, whatever garbage collection and page faults add to the larger;
 * quadratic work takes 64 times as long for each unit of the input once that is 64 times as large.
 */
export const IN_PROPORTION = 8;

/** Each size is compared with the smallest, so an explosion shows before it takes minutes. */
const STEP = 8;
const STEPS = 2;
/** The least CPU time of some runs counts; long work is not repeated. */
const RUNS = 3;
const ENOUGH_MS = 100;
/** Shorter work is repeated until it takes as long: the clock of CPU time is coarse. */
const LEAST_MS = 2;
/** A ratio over the limit is measured again: a busy machine can make a single one. */
const TRIES = 8;

/**
 * How many times as long `work` takes for each unit of a larger input, at its worst. Measures CPU time, which other
 * programs do not lengthen.
 * @param input makes what to work on, of about the given size; not measured
 * @param largest the size up to which the work is compared
 */
export async function growth<T>(
  input: (size: number) => T,
  work: (given: T) => unknown,
  largest: number,
): Promise<number> {
  const smallest = Math.ceil(largest / STEP ** STEPS);
  const small = input(smallest);
  let worst = 0;
  for (let step = STEPS - 1; step >= 0 && worst <= IN_PROPORTION; step -= 1) {
    const size = Math.ceil(largest / STEP ** step);
    worst = Math.max(worst, await growthBetween({ given: small, size: smallest }, { given: input(size), size }, work));
  }
  return worst;
}

type Sized<T> = { given: T; size: number };

/**
 * The least of all tries over the least of all tries: each can only come nearer to what the work takes. The larger goes
 * first, so that the smaller runs as compiled code too.
 */
async function growthBetween<T>(small: Sized<T>, large: Sized<T>, work: (given: T) => unknown): Promise<number> {
  let [less, more] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let tries = 0; tries < TRIES; tries += 1) {
    more = Math.min(more, (await leastCpuMs(large.given, work)) / large.size);
    less = Math.min(less, (await leastCpuMs(small.given, work)) / small.size);
    if (more / less <= IN_PROPORTION) break;
  }
  return more / less;
}

async function leastCpuMs<T>(given: T, work: (given: T) => unknown): Promise<number> {
  let [least, spent] = [Number.POSITIVE_INFINITY, 0];
  for (let run = 0; run < RUNS && spent < ENOUGH_MS; run += 1) {
    const ms = await cpuMs(given, work);
    least = Math.min(least, ms);
    spent += ms;
  }
  return least;
}

async function cpuMs<T>(given: T, work: (given: T) => unknown): Promise<number> {
  const before = process.cpuUsage();
  for (let calls = 1; ; calls += 1) {
    await work(given);
    const { user, system } = process.cpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms >= LEAST_MS) return ms / calls;
  }
}
