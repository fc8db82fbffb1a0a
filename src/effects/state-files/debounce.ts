/** A trailing debounce: delays work for a moment; a newer value replaces the pending one. */
export type Debounced<T> = {
  /** Schedules work on `value`. */
  schedule(value: T): void;
  /** Replaces the pending value; does nothing if none is pending. */
  update(value: T): void;
  /** Drops the pending value. */
  cancel(): void;
};

/**
 * @param defer calls back a moment later
 * @param work receives the newest value
 */
export function createDebounced<T>(defer: (callBack: () => void) => void, work: (value: T) => void): Debounced<T> {
  let pending: { value: T } | null = null;
  let isScheduled = false;
  function callBack(): void {
    isScheduled = false;
    const now = pending;
    pending = null;
    if (now !== null) work(now.value);
  }
  return {
    schedule(value) {
      pending = { value };
      if (isScheduled) return;
      isScheduled = true;
      defer(callBack);
    },
    update(value) {
      if (pending !== null) pending = { value };
    },
    cancel() {
      pending = null;
    },
  };
}
