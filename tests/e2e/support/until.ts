/** What ends by itself, or by a guardian within two seconds, has ended by then on the slowest machine. */
export const SOON_MS = 10_000;

/** Polls a condition; the time limit only turns a hang into a message. */
export async function until(what: string, holds: () => boolean, ms = 60_000): Promise<void> {
  for (const end = performance.now() + ms; !holds(); await Bun.sleep(2))
    if (performance.now() > end) throw new Error(`after ${ms} ms still not: ${what}`);
}
