/**
 * For programs that a test starts: heaps in large pages, where the system has them. A start has a third of the page faults then, and on a
 * machine that is virtualised twice these are most of what it costs. A long run is not quicker, and takes 15 MB more memory.
 *
 * Freed memory is kept: to give back a part of a large page splits it, so that a fifth of the processor's time of the tests of whole
 * runs went into pages made anew (measured 2026-11-28, two alternating rounds of three files).
 */
export const LARGE_PAGES = { MIMALLOC_ALLOW_THP: "1", MIMALLOC_PURGE_DELAY: "-1" };
