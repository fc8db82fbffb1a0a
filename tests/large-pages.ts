/**
 * For programs that a test starts: heaps in large pages, where the system has them. A start has a third of the page faults then, and on a
 * machine that is virtualised twice these are most of what it costs. A long run is not quicker, and takes 15 MB more memory.
 */
export const LARGE_PAGES = { MIMALLOC_ALLOW_THP: "1" };
