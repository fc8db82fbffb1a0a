/** The compiled program runs Claude Code in a sandbox. */
import { test } from "bun:test";
import { claudeProject } from "./claude-project.ts";
import { expectShutIn } from "./every-agent.ts";

test.if(process.platform === "linux")("in bubblewrap, Claude Code works on the project and nowhere else", async () => {
  await using project = await claudeProject("plan-by-tools");
  await expectShutIn(project);
});

test.if(process.platform === "linux")(
  "in bubblewrap, with a list of hosts, Claude Code finds its model by the proxy",
  async () => {
    await using project = await claudeProject("plan-by-tools");
    const url = project.model.url.replace("127.0.0.1", "localhost");
    const env = { ANTHROPIC_BASE_URL: url, SANDBOX_ALLOW_DOMAINS: "localhost", HTTP_PROXY: null, HTTPS_PROXY: null };
    await expectShutIn(project, 10, env);
  },
);
