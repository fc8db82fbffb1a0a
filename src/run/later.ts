/** Work that must not delay the next agent: it is done once that has started, before the run waits, and at the latest before its end. */
export type Later = {
  add(work: () => void): void;
  /** Does all of it. @throws what the work throws */
  now(): void;
};

export function createLater(): Later {
  const waiting: (() => void)[] = [];
  return {
    add: (work) => void waiting.push(work),
    now() {
      for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) work();
    },
  };
}
