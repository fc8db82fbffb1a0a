/** A project that nobody told what to do: nothing is spent before somebody does. */
import { afterAll, describe, expect, test } from "bun:test";
import { answer, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { KEYS, terminal } from "../support/terminal.ts";

afterAll(cleanUp);

const ONE = ["--max-iterations", "1"];
const fresh = async () => {
  const at = project({ files: {}, steps: [works(1)] });
  expect((await at.ralph("setup", "--yes")).exit).toBe(0);
  return at;
};

test("what a folder without any file of ralph's lacks is made by set-up, whichever command asks for it", async () => {
  const at = project({ files: {}, git: false });
  for (const words of [["run"], ["prompt"], ["plan"], ["plan", "add", "Sign in"]]) {
    const { exit, stderr } = await at.ralph(...words);
    expect([words, exit, stderr]).toEqual([words, 7, expect.stringContaining("Make one with: ralph setup.")]);
  }
});

test("where every task is done, set-up and import name no document whose tasks are there: a new task is next", async () => {
  const at = project({ files: { "TODO.md": "- [ ] Print the bill\n" }, steps: [works(1)] });
  expect((await at.ralph("setup", "--yes", "--from", "TODO.md")).stdout).toContain("Next: ralph  begins");
  expect((await at.ralph("plan", "done", "1")).exit).toBe(0);
  for (const words of [
    ["setup", "--yes"],
    ["setup", "--yes", "--from", "TODO.md"],
    ["import", "TODO.md", "--no-agent"],
  ])
    expect([words, (await at.ralph(...words)).stdout]).toEqual([
      words,
      expect.stringMatching(/ Next: ralph plan add "TEXT"/),
    ]);
});

test("what is added to a plan that a run completed is what status and report name next", async () => {
  const plan = ".ralph/@fix_plan.md";
  const ticks = { stdout: answer(), shell: `sed -i 's/\\[ \\]/[x]/' ${plan}` };
  const at = project({ files: { ".ralph/PROMPT.md": "Go on.\n", [plan]: "- [ ] one\n" }, steps: [ticks] });
  expect((await at.ralph("run")).exit).toBe(0);
  const next = async (command: string) =>
    /(?:See what was done with|The plan has open boxes again\. Go on with): `?(ralph \w+)/.exec(
      (await at.ralph(command)).stdout,
    )?.[1];
  expect([await next("status"), await next("report")]).toEqual(["ralph report", undefined]);
  expect((await at.ralph("plan", "add", "two")).exit).toBe(0);
  expect([await next("status"), await next("report")]).toEqual(["ralph run", "ralph run"]);
});

describe.concurrent("after a set-up without tasks", () => {
  test("a run off a terminal ends with the three ways out, before any call", async () => {
    const at = await fresh();
    for (const words of [["run"], [], ["run", "--json"], ["run", "--detach"]]) {
      const { exit, stdout, stderr } = await at.ralph(...words);
      expect([words, exit]).toEqual([words, 7]);
      const said = (stdout + stderr).replaceAll(/\s+/g, " ").replaceAll("\\", "");
      for (const way of [".ralph/@fix_plan.md", "- [ ] ", "ralph import FILE", 'ralph "TEXT"'])
        expect(said).toContain(way);
    }
    expect([at.calls(), at.runs()]).toEqual([[], []]);
  });

  test("a run after the import of a title ends with the three ways out, before any call", async () => {
    const at = project({ files: { "PRD.md": "# Empty\n" }, steps: [works(1)] });
    expect((await at.ralph("import", "PRD.md", ".", "--no-agent")).stdout).toContain("Found no task in it");
    const { exit, stderr } = await at.ralph("run");
    expect([exit, at.calls(), at.runs()]).toEqual([7, [], []]);
    const said = stderr.replaceAll(/\s+/g, " ");
    for (const way of [
      ".ralph/@fix_plan.md has no box",
      "no spec says more than a title",
      "ralph import FILE",
      'ralph "TEXT"',
    ])
      expect(said).toContain(way);
  });

  test("doctor marks the plan, and blocks nothing", async () => {
    const at = await fresh();
    const { exit, stdout } = await at.ralph("doctor");
    expect(stdout).toMatch(/! plan +Nothing says what is to be done/);
    expect(exit).toBe(0);
    at.write(".ralph/specs/login.md", "# Sign in by e-mail\n");
    expect((await at.ralph("doctor")).stdout).toMatch(/! plan +Nothing says what is to be done/);
    at.write(".ralph/specs/login.md", "# Sign in\n\nBy e-mail.\n");
    expect((await at.ralph("doctor")).stdout).toMatch(/✓ plan +without boxes/);
  });

  test.each([
    [".ralph/@fix_plan.md", "- [ ] Sign in by e-mail\n"],
    [".ralph/specs/login.md", "# Sign in\n\nBy e-mail.\n"],
    [".ralph/PROMPT.md", "Build a shop.\n"],
  ])("a run begins once %s says something, and with a task at once", async (path, text) => {
    const at = await fresh();
    expect((await at.ralph("Sign in by e-mail", ...ONE)).exit).toBe(4);
    at.write(path, text);
    expect((await at.ralph("run", ...ONE)).exit).toBe(4);
    expect(at.calls()).toHaveLength(2);
  });

  test.skipIf(process.platform === "win32")(
    "a run on a terminal asks, and the answer is the plan's first box",
    async () => {
      const at = await fresh();
      const screen = terminal(["run", ...ONE], { cwd: at.dir, env: at.env });
      await screen.sees("What is to be done?");
      screen.type(KEYS.enter);
      await screen.sees("In your words");
      screen.type(`Sign in by e-mail${KEYS.enter}`);
      expect(await screen.ended).toBe(4);
      expect(at.read(".ralph/@fix_plan.md")).toContain("- [ ] Sign in by e-mail\n");
      expect(at.event("iteration_started")).toMatchObject({ task: "Sign in by e-mail", plan: { total: 1 } });
    },
  );

  test.skipIf(process.platform === "win32")(
    "a run on a terminal takes a document, and what it leaves open waits in the inbox",
    async () => {
      const at = await fresh();
      at.write("prd.md", "# Shop\n\n## Features\n\n- Pay\n\n## Open questions\n\n- Who hosts it?\n");
      const screen = terminal(["run", ...ONE], { cwd: at.dir, env: at.env });
      await screen.sees("what prd.md says, by rules");
      screen.type(KEYS.enter);
      expect(await screen.ended).toBe(4);
      expect(at.read(".ralph/@fix_plan.md")).toContain("- [ ] Pay\n");
      expect((await at.ralph("inbox")).stdout).toContain("Who hosts it?");
    },
  );

  test.skipIf(process.platform === "win32")("a run on a terminal that gets no answer spends nothing", async () => {
    const at = await fresh();
    const screen = terminal(["run"], { cwd: at.dir, env: at.env });
    await screen.sees("What is to be done?");
    screen.type(KEYS.escape);
    expect(await screen.ended).toBe(7);
    expect(at.calls()).toEqual([]);
  });
});

test.skipIf(process.platform === "win32" || process.getuid?.() !== 0)(
  "a set-up whose runs the agent would refuse to root says so, with the hint of the run's refusal",
  async () => {
    const at = project({ files: {}, env: { IS_SANDBOX: "" } });
    const words = (text: string) => text.replaceAll(/\s+/g, " ");
    const { exit, stdout, stderr } = await at.ralph("setup", "--yes", "--task", "Sign in");
    const hint =
      "Set IS_SANDBOX=1 if this is a container that may be damaged, or run with --permission-mode acceptEdits.";
    expect([exit, words(stderr)]).toEqual([0, expect.stringContaining(`when it runs as root. ${hint}`)]);
    expect(stdout).toMatch(/ Next: ralph doctor {2}until nothing there blocks a run\n$/);
    const refused = await at.ralph("run");
    expect([refused.exit, words(refused.stderr)]).toEqual([7, expect.stringContaining(hint)]);
    expect((await at.ralph("setup", "--yes")).stdout).toContain("Next: ralph doctor");
    at.env.IS_SANDBOX = "1";
    expect((await at.ralph("setup", "--yes")).stdout).toMatch(/ Next: ralph {2}/);
  },
);
