/**
 * What a promise of a user's driver gives. One that never settles would hold a run for ever, or, with nothing else to wait for, end the
 * program without a word and with exit code 0.
 * @param late makes the error for a promise that does not settle in time
 */
export async function answerWithin<T>(ms: number, promise: Promise<T>, late: () => Error): Promise<T> {
  const { promise: end, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(late()), ms);
  try {
    return await Promise.race([promise, end]);
  } finally {
    clearTimeout(timer);
  }
}
