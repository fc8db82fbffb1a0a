/** What `--live` asks of the agent, and what a run shows where there is no terminal. */
import { afterAll, describe, expect, test } from "bun:test";
import { done, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

describe("live mode adds the flags of the driver contract", () => {
  const PARTIAL = "--include-partial-messages";
  test.concurrent.each([{ argv: ["run", "--live"] }, { argv: ["run", "--live", "--json"] }, { argv: ["--live"] }])(
    "to the call of $argv",
    async ({ argv }) => {
      const at = project({ steps: [works(1)] });
      await at.ralph(...argv, "--max-iterations", "1");
      const [call] = at.calls();
      expect(call?.argv).toContain("stream-json");
      expect(call?.argv).toContain("--verbose");
      expect(call?.argv).toContain(PARTIAL);
    },
  );

  test.concurrent("not for a run that nobody watches", async () => {
    const at = project({ steps: [done] });
    await at.ralph("run");
    await at.ralph("run", "--no-live");
    for (const { argv } of at.calls()) expect(argv).not.toContain(PARTIAL);
  });

  test.concurrent("and a dry run shows them", async () => {
    const at = project();
    expect((await at.ralph("run", "--live", "--dry-run")).stdout).toContain(PARTIAL);
    expect((await at.ralph("run", "--dry-run")).stdout).not.toContain(PARTIAL);
  });
});
