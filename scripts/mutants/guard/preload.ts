/** Loaded by the test process of a mutant, before the tests: starts the guard in a thread of its own. */
const guard = new Worker(new URL("./guard.ts", import.meta.url));
guard.unref();
