/** How the work of a call grows with the size of what it is given. */
import process from "node:process";

/** Work in proportion to the size stays below this; quadratic work takes 64 times as long for eight times the size. */
export const IN_PROPORTION = 32;

const STEP = 8;
/** The least of some runs counts, but nobody waits long for more of them. */
const RUNS = 3;
const ENOUGH_MS = 100;
/** Shorter work can't be compared; were it quadratic, it would be longer at the next size. */
const LEAST_MS = 2;

/**
 * How many times as long `work` takes for eight times the size, at its worst. CPU time is measured, which other programs do
 * not lengthen, and from small to large, so that what explodes shows before it takes minutes.
 * @param input what to work on, of about the given size; making it is not measured
 * @param largest the size up to which the work is compared
 */
export async function growth<T>(
  input: (size: number) => T,
  work: (given: T) => unknown,
  largest: number,
): Promise<number> {
  let [worst, before] = [0, 0];
  for (const size of [largest / STEP ** 3, largest / STEP ** 2, largest / STEP, largest]) {
    const ms = await leastCpuMs(input(Math.ceil(size)), work);
    if (before >= LEAST_MS) worst = Math.max(worst, ms / before);
    if (worst > IN_PROPORTION) break;
    before = ms;
  }
  return worst;
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
