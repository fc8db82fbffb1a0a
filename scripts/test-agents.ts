/**
 * `npm run test:agents`: the compiled program drives the real agent CLIs, which talk to the mock model on loopback. `--
 * --agent NAME` runs one of them.
 * A CLI that cannot be installed here is skipped, with the reason.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Agent, agents, installAgent } from "./lib/tests/agents.ts";
import { bunTest } from "./lib/tests/bun-test.ts";
import { countsLine, exitCodeOf, none, sum } from "./lib/tests/counts.ts";
import { type Layer, layers } from "./lib/tests/layers.ts";
import { printLayer, runInOrder } from "./lib/tests/run-layers.ts";
import { testFiles } from "./lib/tests/test-files.ts";

/** A dead proxy: every request to the internet fails at once, and only the mock model is reachable. */
const loopbackOnly = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
};

/** While some agents wait, one can work; more would be slower than the times that a test gives them. */
const AT_ONCE = 3;

/** The tests of one agent; counts as one skipped test if it is unavailable. */
function agentLayer(agent: Agent): Layer {
  return {
    name: agent.name,
    needs: "build",
    run: async () => {
      const files = testFiles("agents").filter((file) => file.startsWith(`tests/agents-e2e/${agent.name}`));
      if (files.length === 0)
        return { counts: { ...none, failed: 1 }, output: `no test in tests/agents-e2e/${agent.name}*` };
      const home = mkdtempSync(join(tmpdir(), "ralph-agent-"));
      const installed = await installAgent(agent, home);
      rmSync(home, { recursive: true, force: true });
      if ("reason" in installed) {
        console.log(`skipping ${agent.name}: ${installed.reason}`);
        return { counts: { ...none, skipped: 1 }, output: "" };
      }
      const options = {
        timeoutMs: 300_000,
        parallel: false,
        maxConcurrency: AT_ONCE,
        path: [installed.folder],
        env: loopbackOnly,
      };
      const { counts, complaints, output } = await bunTest(files, options);
      return { counts, output: [output.trimEnd(), ...complaints].join("\n") };
    },
  };
}

const names = agents.map(({ name }) => name);
const { values } = parseArgs({ options: { agent: { type: "string" } } });
if (values.agent !== undefined && !names.includes(values.agent)) {
  console.error(`unknown agent ${values.agent}: the agents are ${names.join(", ")}`);
  process.exitCode = 2;
} else {
  const wanted = agents.filter(({ name }) => values.agent === undefined || name === values.agent);
  const build = layers.filter(({ name }) => name === "build");
  const finished = await runInOrder([...build, ...wanted.map(agentLayer)], printLayer);
  const total = sum(finished.map(({ counts }) => counts));
  console.log(countsLine(total));
  process.exitCode = exitCodeOf(total);
}
