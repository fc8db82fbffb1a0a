/**
 * What a flood of output wants of the runtime: that what it runs is compiled at once and nothing after it, and that its garbage goes before it
 * piles up. 200,000 texts, tools and results take 93 MB for it in place of 127, and a twentieth less CPU (14 runs in turns, their lower quarter).
 *
 * `node:` has no call for it, so this file may use what Bun adds (AGENTS.md, rule 5). Elsewhere there is nothing to tell.
 */
import process from "node:process";

/**
 * By how much more often than usual something must run to be compiled while the program runs; the program is built with it. A start runs nearly
 * all once or twice, and an iteration once: compiling it took a fifth of a start's time, a sixth of the CPU of 150 iterations and 14 MB. A higher
 * one gains little more. What it costs: over 2,000 iterations of an agent that does nothing a gap of 3.1 ms in place of 1.9; a scale of 5 or 10
 * has the same price and less of the gain. All measured.
 */
export const SELDOM = 20;
/** As the runtime does by itself. */
const AT_ONCE = 1;
/** Compilers that work on what turns out hot later take 10 MB at once, and do not earn it back. Measured. */
const HARDLY = 1_000;

/** Lines of a call after which they are a flood, and by which what each of them runs has been compiled. */
const FLOOD_LINES = 200;
const COMPILED_LINES = 500;
/**
 * What lives at a moment outlives a small collection, and lies there until a large one: by itself the runtime makes one in 44,000 lines,
 * with 40 MB of 7 in use. One takes 7 ms. Measured.
 */
const COLLECTED_LINES = 20_000;

export type FloodPace = {
  /** So many more lines have come, and are dealt with. */
  lines(count: number): void;
  /** The call is over. */
  end(): void;
};

export type FloodRuntime = {
  /** @param scale by how much more often than usual something must run to be compiled, at least 1 */
  compile(scale: number): void;
  /** Collects all garbage. */
  collect(): void;
};

/** The pace of one call's output. @param open asked at the first sign of a flood; null where nothing can be told */
export function createFloodPace(open: () => FloodRuntime | null = openRuntime): FloodPace {
  let seen = 0;
  let runtime: FloodRuntime | null = null;
  return {
    lines(count) {
      const before = seen;
      seen += count;
      if (seen < FLOOD_LINES) return;
      const passes = (mark: number) => before < mark && seen >= mark;
      if (passes(FLOOD_LINES)) {
        runtime = open();
        runtime?.compile(AT_ONCE);
      }
      if (passes(COMPILED_LINES)) runtime?.compile(HARDLY);
      if (Math.floor(before / COLLECTED_LINES) < Math.floor(seen / COLLECTED_LINES)) runtime?.collect();
    },
    end() {
      runtime?.compile(SELDOM);
      runtime = null;
    },
  };
}

type Bun = { unsafe?: { setJITPolicy?: (scale: number) => void } };
type BunJsc = { fullGC?: () => void };

/** Null where this runtime has no such calls. */
export function openRuntime(): FloodRuntime | null {
  const { Bun: bun }: { Bun?: Bun } = globalThis;
  const compile = bun?.unsafe?.setJITPolicy;
  if (compile === undefined) return null;
  const collect = (process.getBuiltinModule("bun:jsc") as BunJsc | undefined)?.fullGC;
  return collect === undefined ? null : { compile, collect: () => collect() };
}
