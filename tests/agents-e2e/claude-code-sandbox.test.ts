/** The compiled program runs Claude Code in a sandbox. */
import { test } from "bun:test";
import { claudeProject } from "./claude-project.ts";
import { expectShutIn } from "./every-agent.ts";

test.if(process.platform === "linux")("in bubblewrap, Claude Code works on the project and nowhere else", async () => {
  await using project = await claudeProject("plan-by-tools");
  await expectShutIn(project);
});
