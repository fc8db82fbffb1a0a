import { expect, test } from "bun:test";
import { errorFlags } from "../../../src/cli/args/error-flags.ts";

test.each([
  [[], false, false],
  [["config", "--json"], true, false],
  [["config", "-v"], false, true],
  [["--verbose", "config"], false, true],
  [["analyze", "--", "--json", "-v", "--verbose"], false, false],
  [["analyze", "-v", "--json", "--", "x"], true, true],
])("an error after %j is told as JSON: %p, with what is behind it: %p", (argv, json, verbose) => {
  expect(errorFlags(argv)).toEqual({ json, verbose });
});
