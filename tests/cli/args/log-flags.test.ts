import { expect, test } from "bun:test";
import { logFlags } from "../../../src/cli/args/log-flags.ts";

const NOTHING = { json: false, verbose: false, quiet: false, color: undefined };

test.each([
  [[], {}],
  [["config", "--json"], { json: true }],
  [["config", "-v"], { verbose: true }],
  [["--verbose", "config"], { verbose: true }],
  [["run", "-q"], { quiet: true }],
  [["run", "--quiet"], { quiet: true }],
  [["--color", "run"], { color: true }],
  [["run", "--no-color", "--color"], { color: false }],
  [["analyze", "--", "--json", "-v", "--verbose", "-q", "--quiet", "--color", "--no-color"], {}],
  [["analyze", "-v", "--json", "--", "x"], { json: true, verbose: true }],
])("the command line %j sets the log options %j", (argv, options) => {
  expect(logFlags(argv)).toEqual({ ...NOTHING, ...options });
});
