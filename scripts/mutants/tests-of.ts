import { posix } from "node:path";
import { testKind } from "../lib/tests/test-files.ts";
import type { ImportGraph } from "./imports.ts";

/** Where the tests of the core and of runs lie, best first. */
const HOMES = ["tests/core/", "tests/run/", "tests/contract/", "tests/conformance/"];

/** Tests of other folders count if they are this near: by what is further away, a file is hardly tested. */
const NEAR = 2;

/** The tests that can see a file, nearest first, in two helpings: most mutants need no more than the first. */
export type TestsOf = { near: readonly string[]; far: readonly string[] };

/**
 * The unit tests that reach a file by imports: the one of its name, those that import it, and the others of the core
 * and of runs.
 */
export function testsOf(file: string, graph: ImportGraph): TestsOf {
  const name = posix.basename(file, ".ts");
  const ranked = [...graph.importers(file)]
    .filter(([test]) => test.endsWith(".test.ts") && testKind(test) === "unit")
    .map(([test, steps]) => {
      const home = HOMES.findIndex((folder) => test.startsWith(folder));
      return {
        test,
        steps: posix.basename(test, ".test.ts") === name ? 0 : steps,
        home: home < 0 ? HOMES.length : home,
      };
    })
    .filter(({ home, steps }) => home < HOMES.length || steps <= NEAR)
    .sort((a, b) => a.steps - b.steps || a.home - b.home || a.test.localeCompare(b.test));
  const isNear = ({ steps, home }: { steps: number; home: number }) => steps <= 1 && home < HOMES.length;
  return {
    near: ranked.filter(isNear).map(({ test }) => test),
    far: ranked.filter((row) => !isNear(row)).map(({ test }) => test),
  };
}
