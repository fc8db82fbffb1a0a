/**
 * Does some work and then each closing step, in order, whatever the others do: one that fails keeps neither a terminal as it was
 * drawn, nor a sandbox open.
 * @returns what the work returns
 * @throws the first error, the work's own before those of its closing
 */
export async function withClosings<T>(work: () => Promise<T>, closings: readonly (() => unknown)[]): Promise<T> {
  const [result] = await Promise.allSettled([work()]);
  const errors: unknown[] = result.status === "rejected" ? [result.reason] : [];
  for (const close of closings) {
    try {
      await close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (result.status === "fulfilled" && errors.length === 0) return result.value;
  throw errors[0];
}
