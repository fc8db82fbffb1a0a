/**
 * `npm run profile`: runs the compiled program as a user starts it, and writes down which functions that took
 * (`scripts/lib/build/start-up.order`). The next build puts their bytecode together, at the front.
 */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProject, withBench } from "./lib/bench/bench-project.ts";
import { runRalph } from "./lib/bench/bench-run.ts";
import { compileHere } from "./lib/build/program.ts";
import { functionsOf, ORDER_OUT, orderFile, orderText } from "./lib/build/start-up-order.ts";
import { binary } from "./lib/paths.ts";
import { run } from "./lib/run-program.ts";
import { cleanEnvironment } from "./lib/tests/environment.ts";

/** More than one, for what only a second iteration runs. */
const ITERATIONS = 3;
const COMMANDS = ["status", "--help", "--version"];

const problem = await compileHere(binary);
if (problem !== null) throw new Error(problem);
await withBench(async ({ folder, agent }) => {
  if (agent === null) throw new Error("The agent of the benchmark could not be compiled: is there a C compiler?");
  const records = mkdtempSync(join(folder, "records-"));
  const project = makeProject(folder, "project", 20);
  const recordOf = (command: string) => join(records, command);
  await runRalph({ project, agent, iterations: ITERATIONS, env: { [ORDER_OUT]: recordOf("run") } });
  for (const command of COMMANDS) {
    const env = { ...cleanEnvironment(join(folder, "home")), [ORDER_OUT]: recordOf(command) };
    await run([binary, command], { cwd: project, env });
  }
  const functions = ["run", ...COMMANDS].flatMap((command) => functionsOf(readFileSync(recordOf(command), "utf8")));
  writeFileSync(orderFile, orderText(functions));
});
