import { stripAnsi } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const MOST_LINES = 12;
const LINE_CHARS = 200;

/** How runners name a test that failed, or a compiler its error, each at the beginning of a line. */
const NAMES_FAILURE = new RegExp(
  [
    "\\s*not ok \\d+", // TAP, node --test without a terminal
    "\\s*[✖✗✕×●] \\S", // node --test, Vitest, Jest, Mocha
    "\\(fail\\) ", // Bun
    "\\s*--- FAIL: ", // Go
    "FAILED \\S+::", // pytest
    "(?:FAIL|ERROR): \\S", // unittest
    "FAIL\\s+\\S", // Jest, go test
    "test \\S.* \\.\\.\\. FAILED", // cargo test
    "error(?:\\[\\w+\\])?: ", // rustc, gcc's own
    "\\S+\\(\\d+,\\d+\\): error ", // tsc
    "\\S+:\\d+(?::\\d+)?: (?:fatal )?error", // gcc, clang, eslint's unix form
  ]
    .map((pattern) => `^(?:${pattern})`)
    .join("|"),
);
/** `# fail 0` and the like count, and name nothing. */
const NO_NAME = /^\s*(?:not ok \d+\s*$|[✖✗✕×●]\s*\d+\s)/;

/**
 * The lines of a red gate's output that name what failed, first ones first: its end often has only counts.
 * @returns at most 12, each cut to 200 characters
 */
export function failingLines(output: string): string[] {
  const lines = stripAnsi(output)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.length < 4096 && NAMES_FAILURE.test(line) && !NO_NAME.test(line))
    .map((line) => truncate(line.trim(), LINE_CHARS));
  return [...new Set(lines)].slice(0, MOST_LINES);
}
