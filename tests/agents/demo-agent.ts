/** The demo agent as a program of its own: what `ralph __demo-agent` runs. */
import { runDemoAgent } from "../../src/cli/commands/demo-agent.ts";

process.exitCode = await runDemoAgent({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  self: [process.execPath, import.meta.filename],
});
