/** Work that must not delay the next agent. */
export type Later = {
  /** Does it as soon as the run waits for anything, such as for an agent that has started. */
  add(work: () => void): void;
  /** Does all of it at once. */
  now(): void;
};

/**
 * @param soon calls a function once nothing else is to be done at the moment
 * @param onError receives what work throws, unless `now` does it
 */
export function createLater(soon: (work: () => void) => void, onError: (error: Error) => void): Later {
  const waiting: (() => void)[] = [];
  const now = () => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) work();
  };
  return {
    add(work) {
      waiting.push(work);
      soon(() => {
        try {
          now();
        } catch (error) {
          onError(error as Error);
        }
      });
    },
    now,
  };
}
