import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { root } from "../paths.ts";
import { run } from "../run-program.ts";
import { bunTest, type TestOptions } from "./bun-test.ts";
import { type Counts, none, sum } from "./counts.ts";
import { type Kind, testFiles } from "./test-files.ts";

/** The result of a layer; `output` is shown if something failed. */
export type LayerResult = { counts: Counts; output: string };

/** One step of `npm test`. */
export type Layer = {
  name: string;
  /** A layer that has to pass first. */
  needs?: string;
  run(): Promise<LayerResult>;
};

/** A program that must exit 0; it counts as one test. Tools run under Bun, so Node.js is not needed. */
function tool(name: string, script: string, ...args: string[]): Layer {
  return {
    name,
    run: async () => {
      const { exitCode, output } = await run([process.execPath, script, ...args]);
      const counts = exitCode === 0 ? { ...none, passed: 1 } : { ...none, failed: 1 };
      return { counts, output };
    },
  };
}

/** What nothing uses and, in knip's production mode, what only tests use. */
function deadCode(): Layer {
  const program = "node_modules/knip/bin/knip.js";
  const [unused, testOnly] = [tool("unused", program), tool("test-only", program, "--production")];
  return {
    name: "dead-code",
    run: async () => {
      const results = [await unused.run(), await testOnly.run()];
      return { counts: sum(results.map(({ counts }) => counts)), output: results.map(({ output }) => output).join("") };
    },
  };
}

/** All test files of one kind; none at all is no failure here, since the run as a whole must have tests. */
function tests(kind: Kind, options: TestOptions, needs?: string): Layer {
  return {
    name: kind,
    ...(needs === undefined ? {} : { needs }),
    run: () => resultOf(testFiles(kind), options),
  };
}

/** The page of `ralph ui` once more, in the other browser; what asks the server alone is the same in both. */
function pageInFirefox(options: TestOptions): Layer {
  const opens = (file: string) => readFileSync(join(root, file), "utf8").includes('"../support/browser.ts"');
  const files = testFiles("e2e").filter((file) => file.startsWith("tests/e2e/ui/") && opens(file));
  const env = { RALPH_TEST_BROWSER: "firefox" };
  return { name: "firefox", needs: "build", run: () => resultOf(files, { ...options, env }) };
}

async function resultOf(files: readonly string[], options: TestOptions): Promise<LayerResult> {
  if (files.length === 0) return { counts: none, output: "" };
  const { counts, complaints, output } = await bunTest(files, options);
  return { counts, output: [output.trimEnd(), ...complaints, ""].join("\n") };
}

const parallel = availableParallelism() > 1;

/** ms: a test of the program takes seconds, and ten times as long on a machine whose memory is slow. */
const PROGRAM = 240_000;

/** All layers in the order in which they run: the quickest to fail comes first. */
export const layers: readonly Layer[] = [
  tool("lint", "node_modules/@biomejs/biome/bin/biome", "ci", "--error-on-warnings", "--colors=off", "."),
  tool("types", "node_modules/typescript/bin/tsc", "--noEmit"),
  deadCode(),
  tests("rules", { timeoutMs: 20_000, parallel: false }),
  tests("unit", { timeoutMs: 60_000, parallel }),
  tool("build", "scripts/build.ts"),
  tests("e2e", { timeoutMs: PROGRAM, parallel }, "build"),
  pageInFirefox({ timeoutMs: PROGRAM, parallel }),
  tests("fault", { timeoutMs: PROGRAM, parallel }, "build"),
  tests("deno", { timeoutMs: PROGRAM, parallel: false }),
];
