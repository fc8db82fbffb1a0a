import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mockModel } from "./mock-model.ts";

/** What points Claude Code at the mock model and keeps it at home. */
const environment = (url: string) => ({
  ...process.env,
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: "dummy-key",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_MAX_RETRIES: "2",
  IS_SANDBOX: "1",
});

test("the CLI itself writes the scenario's file and ends its stream with a result", async () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "ralph-claude-")));
  await using model = await mockModel("write-file-complete", project);
  const flags = ["--output-format", "stream-json", "--verbose", "--permission-mode", "acceptEdits"];
  const child = Bun.spawn(["claude", ...flags, "-p", "--", "Write it."], {
    cwd: project,
    env: environment(model.url),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = (await child.stdout.text()).trim().split("\n");
  expect(await child.exited).toBe(0);
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "result", is_error: false });
  expect(model.requests()).toHaveLength(2);
  expect(readFileSync(join(project, "hello.txt"), "utf8")).not.toBe("");
  rmSync(project, { recursive: true, force: true });
});
