/** What a run says to type next is typed here: it goes on with the same work, and with no wider rights. */
import { afterAll, describe, expect, test } from "bun:test";
import { splitShellWords } from "../../../src/core/text/shell-words.ts";
import { done, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const TASK = "Write a poem\nabout lighthouses";
const ONE = ["--max-iterations", "1"];
const empty = () => project({ files: {}, git: false, steps: [works(1), works(2), works(3), works(4), done, done] });

/** The lines of a run without their times, and each line that was folded whole again. */
const unfolded = (said: string) =>
  said
    .replaceAll(/^\[[^\]]*\] /gm, "")
    .replaceAll(/(?<!:)\n {2}(?=\S)/g, " ")
    .trimEnd();

/** Types what follows one of these words in the last lines of a run. */
async function typeNext(at: Project, said: string, before = "Go on with: ") {
  const command = new RegExp(`${before}(ralph .*)`).exec(said)?.[1] ?? "";
  const [program, ...words] = splitShellWords(command) ?? [];
  expect(program).toBe("ralph");
  return at.ralph(...words);
}

describe.concurrent("a task", () => {
  test("that a bound ended goes on by what its run says, with text, flags and bound", async () => {
    const at = empty();
    const first = await at.ralph(TASK, ...ONE, "--permission-mode", "acceptEdits", "--allowed-tools", "Read,Edit");
    expect(first.exit).toBe(4);
    const second = await typeNext(at, first.stdout);
    expect([second.exit, at.calls().length]).toEqual([4, 2]);
    expect(at.calls()[1]?.stdin).toContain(TASK);
    expect(at.calls()[1]?.argv.join(" ")).toContain("--permission-mode acceptEdits --allowedTools Read Edit");
    expect(at.event("run_started")).toMatchObject({ task: TASK, started_by: "task" });
    const status = await at.ralph("status");
    expect((await typeNext(at, status.stdout)).exit).toBe(4);
    expect(at.calls()).toHaveLength(3);
  });

  test.skipIf(process.platform === "win32")(
    "that Ctrl+C twice ended goes on with ralph run and ralph resume",
    async () => {
      const at = project({ files: {}, git: false, steps: [{ ...works(1), waits_for: "never" }, works(2), works(3)] });
      const live = at.start(TASK);
      await until("a call", () => at.calls().length === 1);
      live.kill("SIGINT");
      await until("the stop", () => at.event("stop_requested") !== undefined);
      live.kill("SIGINT");
      const { exit, stdout } = await live.ended;
      expect([exit, stdout]).toEqual([130, expect.stringContaining("Go on with: ralph resume")]);
      const run = await at.ralph("run", ...ONE);
      expect(run.exit).toBe(4);
      expect(run.stderr + run.stdout).toContain("Going on with: Write a poem about lighthouses");
      const resumed = await at.ralph("resume", "--max-iterations", "1");
      expect(resumed.exit).toBe(4);
      expect(at.calls().map(({ stdin }) => stdin.includes(TASK))).toEqual([true, true, true]);
    },
  );

  test("in a project with a prompt goes on with ralph resume, and ralph run takes the prompt", async () => {
    const at = project({ steps: [works(1), works(2), works(3)] });
    await at.ralph(TASK, ...ONE);
    await at.ralph("resume");
    await at.ralph("run", ...ONE);
    expect(at.calls().map(({ stdin }) => stdin.includes(TASK))).toEqual([true, true, false]);
    expect(at.event("run_started")).toMatchObject({ task: null, started_by: "cli" });
  });

  test("that is done is not begun again", async () => {
    const at = project({ files: {}, git: false, steps: [done, done] });
    expect((await at.ralph(TASK)).exit).toBe(0);
    const run = await at.ralph("run");
    expect([run.exit, run.stderr]).toEqual([7, expect.stringContaining("PROMPT.md is missing")]);
    const resume = await at.ralph("resume");
    expect([resume.exit, resume.stderr]).toEqual([7, expect.stringContaining("the newest one is over")]);
    expect(at.calls()).toHaveLength(2);
  });

  test("is the title of its run in runs, status, logs, report and page", async () => {
    const at = empty();
    await at.ralph(TASK, ...ONE);
    const title = "Write a poem about lighthouses";
    for (const words of [["runs"], ["status"], ["logs"], ["report"], ["report", "--html", "-"]])
      expect([words, (await at.ralph(...words)).stdout]).toEqual([words, expect.stringContaining(title)]);
    const page = (await at.ralph("report", "--html", "-")).stdout;
    expect(page).toContain(`<title>${title} · ralph run`);
    const json = async (...words: string[]) => JSON.parse((await at.ralph(...words, "--json")).stdout);
    expect((await json("runs")).runs[0].task).toBe(TASK);
    expect((await json("status")).task).toBe(TASK);
    expect(await json("report")).toMatchObject({ task: TASK, title });
  });
});

describe.concurrent("a run of the project", () => {
  test.skipIf(process.platform === "win32")("with narrow rights does not suggest a run with wider ones", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: "never" }, works(2)] });
    const rights = ["--permission-mode", "acceptEdits", "--allowed-tools", "Read,Edit,Bash(git *)"];
    const live = at.start("run", ...rights);
    await until("a call", () => at.calls().length === 1);
    live.kill("SIGINT");
    await until("the stop", () => at.event("stop_requested") !== undefined);
    live.kill("SIGINT");
    const { stdout } = await live.ended;
    await typeNext(at, `${unfolded(stdout)} ${ONE.join(" ")}`);
    expect(at.calls()).toHaveLength(2);
    const narrow = "--permission-mode acceptEdits --allowedTools Read Edit Bash(git *)";
    for (const { argv } of at.calls()) expect(argv.join(" ")).toContain(narrow);
  });

  test("that denials ended really goes on after the two commands that it names", async () => {
    const at = project({
      steps: [works(1, { denied: "rm x" }), works(2, { denied: "rm x" }), works(3), works(4), works(5)],
    });
    const first = await at.ralph("run", "--on-denial", "threshold", "--max-iterations", "3");
    expect([first.exit, at.event("run_finished")?.stop_reason]).toEqual([3, "permission_denials"]);
    const said = unfolded(first.stdout);
    expect((await typeNext(at, said.replace(", and ralph run", "\nand ralph run"), "Then: ")).exit).toBe(0);
    await typeNext(at, said, "ralph circuit reset, and ");
    expect(at.event("run_finished")?.stop_reason).toBe("max_iterations");
    expect(at.calls()).toHaveLength(5);
    expect(said).not.toContain("ralph session reset");
  });
});
