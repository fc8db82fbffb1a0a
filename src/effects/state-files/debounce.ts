/** Work that is put off for a moment: what comes up until then takes its place, or makes it needless. */
export type Debounced<T> = {
  /** Has `value` worked on in a moment. */
  schedule(value: T): void;
  /** A newer value for what is due; nothing if nothing is. */
  update(value: T): void;
  /** Nothing is due any more. */
  cancel(): void;
};

/**
 * @param defer calls back a moment later
 * @param work gets the newest value
 */
export function createDebounced<T>(defer: (callBack: () => void) => void, work: (value: T) => void): Debounced<T> {
  let due: { value: T } | null = null;
  let waits = false;
  function callBack(): void {
    waits = false;
    const now = due;
    due = null;
    if (now !== null) work(now.value);
  }
  return {
    schedule(value) {
      due = { value };
      if (waits) return;
      waits = true;
      defer(callBack);
    },
    update(value) {
      if (due !== null) due = { value };
    },
    cancel() {
      due = null;
    },
  };
}
