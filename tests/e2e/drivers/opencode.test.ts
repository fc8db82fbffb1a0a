/** The session of an OpenCode whose output names none. */
import { afterAll, expect, test } from "bun:test";
import { cleanUp, project } from "../support/harness.ts";
import { after } from "../support/own-cli.ts";

afterAll(cleanUp);

const ID = "ses_dff80b272ffeXM10rsBHZi9Ezh";

test("is asked of the CLI itself, and resumed", async () => {
  const answers = { stdout: "Done.\n---RALPH_STATUS---\nSTATUS: IN_PROGRESS\n---END_RALPH_STATUS---\n" };
  const list = { stdout: `[{"id":"${ID}","title":"Next task"}]\n` };
  const at = project({ agentName: "opencode", steps: [answers, list, answers], env: { PLATFORM_DRIVER: "opencode" } });
  await at.ralph("run", "--max-iterations", "2", "--output-format", "text");
  const [first, asked, second] = at.calls().map(({ argv }) => argv);
  expect(after(first ?? [], "--session")).toBeUndefined();
  expect(asked).toEqual(["session", "list", "--format", "json"]);
  expect(after(second ?? [], "--session")).toBe(ID);
});
