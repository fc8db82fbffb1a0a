import type { Analysis } from "../answer/analysis-types.ts";

/**
 * Numbers of the iterations with a completion signal, oldest first: indicators of the last five iterations; done
 * signals and test-only iterations of the newest unbroken streak.
 */
export type CompletionSignals = { test_only_loops: number[]; done_signals: number[]; completion_indicators: number[] };

const WINDOW = 5;

/** The counters at the start of a run. */
export function noSignals(): CompletionSignals {
  return { test_only_loops: [], done_signals: [], completion_indicators: [] };
}

/** The counters after iteration `number` answered (product.md "Done"). */
export function countSignals(signals: CompletionSignals, number: number, analysis: Analysis): CompletionSignals {
  const inWindow = signals.completion_indicators.filter((n) => n > number - WINDOW && n < number);
  return {
    test_only_loops: inARow(signals.test_only_loops, number, analysis.is_test_only),
    done_signals: inARow(signals.done_signals, number, analysis.has_completion_signal),
    completion_indicators: analysis.is_completion_indicator ? [...inWindow, number] : inWindow,
  };
}

/** The newest five of each, in the form for other programs (interfaces.md `.exit_signals`). */
export function newestSignals({
  test_only_loops,
  done_signals,
  completion_indicators,
}: CompletionSignals): CompletionSignals {
  return {
    test_only_loops: test_only_loops.slice(-WINDOW),
    done_signals: done_signals.slice(-WINDOW),
    completion_indicators: completion_indicators.slice(-WINDOW),
  };
}

function inARow(numbers: readonly number[], number: number, continues: boolean): number[] {
  return continues ? [...numbers, number] : [];
}
