/** Commands that write a project's files while a run works with them. */
import { afterAll, expect, test } from "bun:test";
import { works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const PROMPT = ".ralph/PROMPT.md";

test("set-up leaves a live run its prompt, and says what can be done meanwhile", async () => {
  const at = project({ files: { "src.txt": "0\n" }, steps: [{ ...works(1), waits_for: ".ralph/go" }] });
  expect((await at.ralph("setup", "--yes", "--task", "Sign in")).exit).toBe(0);
  const prompt = at.read(PROMPT);
  const live = at.start("--max-iterations", "1");
  await until("a call", () => at.calls().length === 1);
  const again = ["setup", "--yes", "--force", "--task", "Pay"];
  expect((await at.ralph(...again, "--dry-run")).exit).toBe(0);
  const { exit, stderr } = await at.ralph(...again);
  expect([exit, stderr]).toEqual([7, expect.stringContaining(`A run is live in this project and works by ${PROMPT}`)]);
  expect(stderr).toContain("ralph stop");
  expect([at.read(PROMPT), at.read(".ralph/@fix_plan.md").includes("Pay")]).toEqual([prompt, false]);
  const set = await at.ralph("config", "set", "MAX_TIME=3h");
  expect(set).toMatchObject({ exit: 0, stderr: expect.stringContaining("live run keeps") });
  at.write(".ralph/go", "");
  expect((await live.ended).exit).toBe(4);
  const told = at.events().flatMap((event) => (event.type === "note" ? [event.text] : []));
  expect(told.filter((text) => text.includes(PROMPT))).toEqual([]);
  // No run can tell whose change it is: the words fit the user's own too.
  expect(told.filter((text) => text.includes(".ralphrc"))).toEqual([
    expect.stringContaining("look at it before the next, unless you changed it"),
  ]);
  expect((await at.ralph(...again)).exit).toBe(0);
  expect((await at.ralph("config", "set", "MAX_TIME=4h")).stderr).toBe("");
});

test("a gate is not adopted into a new settings file that the live run would take away", async () => {
  const files = { "src.txt": "0\n", [PROMPT]: "Do the next task.\n" };
  const at = project({ files, steps: [{ ...works(1), waits_for: ".ralph/go" }] });
  const live = at.start("--max-iterations", "1");
  await until("a call", () => at.calls().length === 1);
  const adopt = ["gates", "adopt", "true"];
  expect(await at.ralph(...adopt)).toMatchObject({
    exit: 7,
    stderr: expect.stringContaining("began without a settings"),
  });
  at.write(".ralph/go", "");
  await live.ended;
  expect((await at.ralph(...adopt)).exit).toBe(0);
  expect(at.read(".ralph/.ralphrc")).toContain("TEST_COMMAND");
});

test("outside of a project no flag is named to adopt a gate that only other commands have", async () => {
  const at = project({ files: { "src.txt": "0\n" }, git: false });
  const { exit, stderr } = await at.ralph("gates", "adopt", "true");
  expect([exit, stderr]).toEqual([7, expect.stringMatching(/For all your projects: ralph config set --user$/m)]);
});
