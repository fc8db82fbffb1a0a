/** Work that is put off for a moment: what comes up until then takes its place, or makes it needless. */
export type PutOff<T> = {
  /** Has `value` worked on in a moment. */
  later(value: T): void;
  /** A newer value for what is due; nothing if nothing is. */
  renew(value: T): void;
  /** Nothing is due any more. */
  cancel(): void;
};

/**
 * @param defer calls back a moment later
 * @param work gets the newest value
 */
export function createPutOff<T>(defer: (callBack: () => void) => void, work: (value: T) => void): PutOff<T> {
  let due: { value: T } | null = null;
  let waits = false;
  function callBack(): void {
    waits = false;
    const now = due;
    due = null;
    if (now !== null) work(now.value);
  }
  return {
    later(value) {
      due = { value };
      if (waits) return;
      waits = true;
      defer(callBack);
    },
    renew(value) {
      if (due !== null) due = { value };
    },
    cancel() {
      due = null;
    },
  };
}
