/**
 * The program begins interpreted (`interpretedStart`, scripts/lib/build/compile.ts): what runs at a start runs once or twice, and compiling
 * it took a fifth of its time (to the first agent 36.6 ms, now 29.7; `ralph status` 18.5 and 14.2, in turns). What goes on is compiled.
 * A command that never waits has no turn for it, and goes on so to its end: `ralph analyze` of 100 MB takes a fifth longer for that.
 *
 * `node:` has no call for it, so this file may use what Bun adds (AGENTS.md, rule 5). Elsewhere there is nothing to end.
 */

/** When a start is over, that of a run too, in ms. */
const START_MS = 50;
/** Bun's word for compiling as it does by itself. */
const NORMAL = 1;

export type JitPolicy = { Bun?: { unsafe?: { setJITPolicy?: (scale: number) => void } } };

/** Has what is used often compiled, once the start is over. @param runtime what this runtime adds to JavaScript */
export function compileAfterStart(
  runtime: JitPolicy,
  later: (action: () => void, ms: number) => void = unwaited,
): void {
  const { unsafe } = runtime.Bun ?? {};
  if (unsafe?.setJITPolicy !== undefined) later(() => unsafe.setJITPolicy?.(NORMAL), START_MS);
}

/** A command that is done before does not stay for it. */
function unwaited(action: () => void, ms: number): void {
  setTimeout(action, ms).unref();
}
