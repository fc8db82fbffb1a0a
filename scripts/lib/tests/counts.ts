/** Numbers of passed, failed and skipped tests. */
export type Counts = { passed: number; failed: number; skipped: number };

export const none: Counts = { passed: 0, failed: 0, skipped: 0 };

/** Adds up counts. */
export function sum(all: readonly Counts[]): Counts {
  return all.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    none,
  );
}

/** The closing line of a test run: `3 passed, 0 failed`, with `, 1 skipped` if any was. */
export function countsLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

/** A run succeeds if something passed and nothing failed. A run without tests fails. */
export const exitCodeOf = ({ passed, failed }: Counts) => (failed === 0 && passed > 0 ? 0 : 1);
