/** What needs a person: each kind is asked by a scripted agent, listed, answered by what is printed, and gone. */
import { afterAll, describe, expect, test } from "bun:test";
import { splitShellWords } from "../../../src/core/text/shell-words.ts";
import type { Step } from "../../agents/scripted.ts";
import { type Answer, answer, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const QUESTION = "Which database should I use, SQLite or Postgres?";
const says = (parts: Answer): Step => ({ stdout: answer(parts) });
const asks = says({ text: QUESTION });
const ticks = (box: string, parts: Answer = {}): Step => ({
  shell: `sed -i.old 's/- \\[ \\] ${box}/- [x] ${box}/' .ralph/@fix_plan.md`,
  stdout: answer(parts),
});
const ONE = ["--max-iterations", "1"];

type Listed = {
  kind: string;
  number: number | null;
  task: string | null;
  parked: boolean;
  text: string;
  commands: string[];
};

async function needs(at: Project): Promise<Listed[]> {
  return JSON.parse((await at.ralph("inbox", "--json")).stdout).needs;
}

/** Types a command as it is printed. */
async function types(at: Project, command: string | undefined) {
  const [program, ...words] = splitShellWords(command ?? "") ?? [];
  expect(program).toBe("ralph");
  return at.ralph(...words);
}

test("what is said after the end reaches the agent of the next run, though every box is ticked", async () => {
  const at = project({
    steps: [ticks("one", {}), works(2)],
    files: { ".ralph/PROMPT.md": "Do it.\n", ".ralph/@fix_plan.md": "- [ ] one\n" },
  });
  expect((await at.ralph()).stdout).toContain("plan_complete");
  expect((await at.ralph("say", "Also write a README")).exit).toBe(0);
  expect((await at.ralph()).stdout).toContain("Told the agent: Also write a README");
  expect(at.calls()[1]?.stdin).toContain("Also write a README");
  // It has heard it: a third run has nothing to do.
  expect((await at.ralph()).stdout).toContain("plan_complete");
  expect(at.calls()).toHaveLength(2);
});

describe.concurrent("a question without a live run", () => {
  test("is in end card, status, report, page and inbox, and its printed answer reaches the next prompt", async () => {
    const at = project({ steps: [asks, works(2)] });
    const { stdout } = await at.ralph(...ONE);
    const [need, ...others] = await needs(at);
    expect([need, others]).toEqual([
      expect.objectContaining({ kind: "question", number: 1, task: "one", parked: false, text: QUESTION }),
      [],
    ]);
    const command = 'ralph inbox answer 1 "your answer"';
    expect(need?.commands).toEqual([command]);
    const screens = [["inbox"], ["status"], ["report"]];
    const shown = [stdout, ...(await Promise.all(screens.map(async (words) => (await at.ralph(...words)).stdout)))];
    for (const text of shown) {
      expect(text).toContain("Needs you (1)");
      expect(text).toContain(QUESTION);
      expect(text).toContain(command);
    }
    const page = (await at.ralph("report", "--html", "-")).stdout;
    expect(page).toContain("Needs you (1)");
    expect(page).toContain("ralph inbox answer 1 &quot;your answer&quot;");
    for (const words of [["status"], ["report"]])
      expect(JSON.parse((await at.ralph(...words, "--json")).stdout).needs).toEqual([need]);

    const answered = await types(at, command.replace("your answer", "Take SQLite"));
    expect([answered.exit, answered.stdout]).toEqual([0, expect.stringContaining("Go on with: ralph run")]);
    expect(await needs(at)).toEqual([]);
    expect((await at.ralph("inbox")).stdout).toBe("Nothing needs you.\n");
    await at.ralph(...ONE);
    expect(at.calls()[1]?.stdin).toContain(`To your question “${QUESTION}” (task: one):\nTake SQLite`);
  });

  test("is answered once: its number answers nothing else", async () => {
    const at = project({ steps: [asks] });
    await at.ralph(...ONE);
    await at.ralph("inbox", "answer", "1", "SQLite");
    const again = await at.ralph("inbox", "answer", "1", "Postgres");
    expect([again.exit, again.stderr]).toEqual([7, expect.stringContaining("No question 1 is open")]);
    expect((await at.ralph("inbox", "answer", "x", "SQLite")).exit).toBe(2);
  });

  test("is answered by the number that was told first, though the agent asks it again and again", async () => {
    const at = project({ steps: [asks, asks, asks, works(2)] });
    const { stdout } = await at.ralph("--max-iterations", "3");
    expect(new Set(stdout.match(/ralph inbox answer \d+/g))).toEqual(new Set(["ralph inbox answer 1"]));
    expect((await at.ralph("inbox", "answer", "1", "SQLite")).exit).toBe(0);
    expect(await needs(at)).toEqual([]);
    await at.ralph(...ONE);
    expect(at.calls()[3]?.stdin).toContain(`To your question “${QUESTION}” (task: one):\nSQLite`);
  });

  test("is in the inbox in another language too, as the last words of an answer that did nothing", async () => {
    const text = "Soll ich SQLite oder Postgres verwenden?";
    const at = project({ steps: [says({ text: `Es fehlt eine Entscheidung. ${text}` })] });
    await at.ralph(...ONE);
    expect(await needs(at)).toMatchObject([{ kind: "question", number: 1, task: "one", text }]);
  });

  test("is in the inbox although ralph was killed while the gates ran after it", async () => {
    const at = project({ steps: [asks], env: { TEST_COMMAND: "sleep 60" } });
    const live = at.start();
    await until("the gate runs", () => at.event("gate_started") !== undefined);
    live.kill("SIGKILL");
    await live.ended;
    expect(await needs(at)).toMatchObject([{ kind: "question", number: 1, text: QUESTION }]);
  });

  test("is not answered by the agent itself", async () => {
    const at = project({ steps: [asks] });
    await at.ralph(...ONE);
    const own = project({ env: { RALPH_RUN: "r" } });
    const { exit, stderr } = await own.ralph("-C", at.dir, "inbox", "answer", "1", "Yes");
    expect([exit, stderr]).toEqual([7, expect.stringContaining("An agent may not steer")]);
    expect(await needs(at)).toHaveLength(1);
  });

  test("is gone when the agent ticks its task without the answer", async () => {
    const at = project({ steps: [asks, ticks("one")] });
    await at.ralph("--max-iterations", "2");
    expect([at.event("question_asked")?.text, await needs(at)]).toEqual([QUESTION, []]);
  });

  test("is gone when a person ticks its task", async () => {
    const at = project({ steps: [asks] });
    await at.ralph(...ONE);
    at.write(".ralph/@fix_plan.md", at.read(".ralph/@fix_plan.md").replace("- [ ] one", "- [x] one"));
    expect(await needs(at)).toEqual([]);
  });
});

describe.concurrent("a question about a task whose box the agent itself changes", () => {
  /** The agent asks, and notes in the plan that the task waits. */
  const asksAndWrites = (box: string): Step => ({
    files: { ".ralph/@fix_plan.md": `# Plan\n${box}\n- [ ] two\n- [ ] three\n` },
    stdout: answer({ text: QUESTION }),
  });

  test.each([
    ["- [ ] one (blocked: a person has to choose)", "one (blocked: a person has to choose)"],
    ["- [!] one", "one"],
    ["- one waits for an answer", "one"],
  ])("stays in the inbox: %s", async (box, task) => {
    const at = project({ steps: [asksAndWrites(box), works(2)] });
    await at.ralph("--max-iterations", "2");
    expect(await needs(at)).toMatchObject([{ number: 1, task, text: QUESTION }]);
  });

  test("keeps the task set aside with --on-question park, also where another was ticked with it", async () => {
    const plan = "# Plan\n- [ ] one, once it is answered\n- [x] two\n- [ ] three\n";
    const at = project({
      steps: [{ files: { ".ralph/@fix_plan.md": plan }, stdout: answer({ text: QUESTION }) }, ticks("three")],
    });
    const { exit } = await at.ralph("--on-question", "park");
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([6, "waits_for_answer", 2]);
    expect(at.calls()[1]?.stdin).toContain("Take this one instead: three");
    expect(await needs(at)).toMatchObject([{ number: 1, parked: true, text: QUESTION }]);
    await types(at, 'ralph inbox answer 1 "Take SQLite"');
    expect(await needs(at)).toEqual([]);
  });

  test("does not keep the tasks that are left from being done, where the box was taken off the plan", async () => {
    const at = project({ steps: [asksAndWrites("- [!] one"), ticks("two"), ticks("three")] });
    const { exit } = await at.ralph("--on-question", "park");
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([6, "waits_for_answer", 3]);
  });
});

describe.concurrent("a question that is asked again beside other work", () => {
  const again = "I still wait for your answer: which database should I use, SQLite or Postgres?";
  const aside = (at: Project) => at.events().flatMap((one) => (one.type === "question_asked" ? [one.task] : []));

  test("sets no other task aside: the one that goes on is done", async () => {
    const steps = [asks, works(2, { text: again }), works(3, { text: again }), ticks("two"), ticks("three")];
    const at = project({ steps });
    const { exit } = await at.ralph("--on-question", "park");
    expect([exit, at.status().exit_reason, at.calls().length]).toEqual([6, "waits_for_answer", 5]);
    expect(aside(at)).toEqual(["one"]);
    expect(await needs(at)).toMatchObject([{ number: 1, task: "one", parked: true, text: QUESTION }]);
  });

  test("sets the task aside where nothing else was done, and so does another question", async () => {
    const other = "Which database should I use for the cache, Redis or Memcached?";
    const at = project({ steps: [asks, says({ text: again }), works(3, { text: other })] });
    const { exit } = await at.ralph("--on-question", "park");
    expect([exit, at.calls().length, aside(at)]).toEqual([6, 3, ["one", "two", "three"]]);
  });
});

describe.concurrent("other kinds", () => {
  test("a block is listed with what it recommends, and answered", async () => {
    const recommendation = "Put the fixture orders.json into tests/fixtures";
    const at = project({ steps: [says({ status: "BLOCKED", recommendation })] });
    expect((await at.ralph()).exit).toBe(6);
    const [need] = await needs(at);
    expect(need).toMatchObject({ kind: "blocked", task: "one", text: recommendation });
    expect((await types(at, need?.commands[0])).exit).toBe(0);
    expect(await needs(at)).toEqual([]);
  });

  test("who is blocked again after the answer is blocked once more, and not stuck after one call", async () => {
    const blocked = says({ status: "BLOCKED", recommendation: "Please provide the API key of the mail service." });
    const at = project({ steps: [blocked, blocked, blocked, blocked] });
    await at.ralph();
    expect([at.status().exit_reason, at.calls().length]).toEqual(["blocked", 2]);
    const [need] = await needs(at);
    expect((await types(at, need?.commands[0])).exit).toBe(0);
    await at.ralph();
    expect([at.status().exit_reason, at.calls().length]).toEqual(["blocked", 4]);
  });

  test("a recommendation is listed only if it asks a person for something", async () => {
    const recommendation = "Please provide the API key of the mail service.";
    const at = project({
      steps: [works(1, { recommendation: "Continue with the next task." }), works(2, { recommendation })],
    });
    await at.ralph(...ONE);
    expect(await needs(at)).toEqual([]);
    await at.ralph(...ONE);
    expect(await needs(at)).toMatchObject([{ kind: "request", text: recommendation }]);
  });

  test("a denial is lifted by the printed command for that tool alone, and is gone with the next answer", async () => {
    const at = project({ steps: [works(1, { denied: "terraform apply" }), works(2)] });
    await at.ralph(...ONE, "--permission-mode", "acceptEdits", "--allowed-tools", "Read,Edit");
    const [need] = await needs(at);
    expect(need).toMatchObject({ kind: "denied", text: "Bash(terraform apply)" });
    const [first, again] = need?.commands ?? [];
    expect(first).toBe('ralph inbox answer 1 "Do without it"');
    await types(at, again);
    expect(at.calls()[1]?.argv.join(" ")).toContain(
      "--permission-mode acceptEdits --allowedTools Read Edit Bash(terraform apply)",
    );
    expect(await needs(at)).toEqual([]);
  });
});

describe.concurrent("what is no question", () => {
  test("weaker gates are listed, and gone when a person accepts or restores them by what is printed", async () => {
    const bent = { shell: "printf 'exit 0\\n' > check.sh", stdout: answer({ status: "COMPLETE", exit: true }) };
    const files = {
      ".ralph/PROMPT.md": "Make it pass.\n",
      ".ralph/.ralphrc": 'DONE_POLICY=evidence\nTEST_COMMAND="sh check.sh"\n',
      "check.sh": "test -f made\n",
    };
    for (const nth of [0, 1]) {
      const at = project({ files, steps: [bent] });
      expect((await at.ralph()).exit).toBe(6);
      const [need] = await needs(at);
      expect(need).toMatchObject({ kind: "gates", commands: ["ralph gates accept", "ralph gates restore"] });
      expect((await types(at, need?.commands[nth])).exit).toBe(0);
      expect(await needs(at)).toEqual([]);
    }
  });

  test("a limit without an end is listed, and waiting it out as printed goes on with the run's flags", async () => {
    const at = project({ steps: [{ stdout: answer({ error: "You've hit your usage limit." }), exit: 1 }, works(2)] });
    expect((await at.ralph("run", "--on-limit", "stop", ...ONE)).exit).toBe(5);
    const [need] = await needs(at);
    expect(need).toMatchObject({ kind: "limit", commands: ["ralph run --max-iterations 1 --on-limit wait"] });
    expect((await types(at, need?.commands[0])).exit).toBe(4);
    expect([at.calls().length, await needs(at)]).toEqual([2, []]);
  });
});

test.skipIf(process.platform === "win32")(
  "a dashboard has one line of it, and none when nothing needs anybody",
  async () => {
    const at = project({ steps: [asks] });
    await at.ralph(...ONE);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("needs you: ralph inbox · Which database");
    screen.type("q");
    await screen.exited;
    await at.ralph("inbox", "answer", "1", "SQLite");
    const without = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await without.shows("max_iterations");
    expect(without.lines().join("\n")).not.toContain("needs you");
    without.type("q");
    await without.exited;
  },
);

describe.concurrent("--on-question park", () => {
  const PARK = ["--on-question", "park"];

  test("sets three tasks aside one after the other, ends for a person, and brings each back with its answer", async () => {
    const at = project({
      steps: [
        asks,
        says({ status: "BLOCKED", recommendation: "Mount the disk" }),
        says({ text: "Shall I delete the old table?" }),
        ticks("one"),
        ticks("two"),
        ticks("three"),
      ],
    });
    const first = await at.ralph("run", ...PARK);
    expect([first.exit, at.event("run_finished")?.stop_reason, at.calls().length]).toEqual([6, "waits_for_answer", 3]);
    const tasks = at.events().flatMap((event) => (event.type === "iteration_started" ? [event.task] : []));
    expect(tasks).toEqual(["one", "two", "three"]);
    expect(at.calls()[1]?.stdin).toContain(
      "Leave them, and their boxes, as they are:\n- one\nTake this one instead: two",
    );
    expect(first.stdout).toContain("Needs you (3)");
    const unanswered = await at.ralph("run", ...PARK);
    expect([unanswered.exit, at.calls().length]).toEqual([6, 3]);

    const open = await needs(at);
    expect(open.map(({ task, parked }) => [task, parked])).toEqual([
      ["one", true],
      ["two", true],
      ["three", true],
    ]);
    for (const { commands } of open) expect((await types(at, commands[0])).exit).toBe(0);
    const last = await at.ralph("run", ...PARK);
    expect([last.exit, at.calls().length, await needs(at)]).toEqual([0, 6, []]);
    expect(at.calls()[3]?.stdin).toContain(QUESTION);
    expect(at.calls()[3]?.stdin).not.toContain("Leave them");
  });

  test("an answer to a live run brings the task back in the same run", async () => {
    const at = project({
      files: { ".ralph/PROMPT.md": "Do it.\n", ".ralph/@fix_plan.md": "- [ ] one\n- [ ] two\n" },
      steps: [asks, { ...ticks("two"), waits_for: "go" }, ticks("one")],
    });
    const live = at.start("run", ...PARK);
    await until("the second call", () => at.calls().length === 2);
    const [need] = await needs(at);
    const answered = await types(at, need?.commands[0]?.replace("your answer", "SQLite"));
    expect([answered.exit, answered.stdout]).toEqual([0, expect.stringContaining("next prompt")]);
    expect(await needs(at)).toEqual([]);
    at.write("go", "");
    expect((await live.ended).exit).toBe(0);
    expect(at.calls()).toHaveLength(3);
    expect(at.calls()[2]?.stdin).toContain("(task: one):\nSQLite");
    expect(at.runs()).toHaveLength(1);
  });

  test("a task by text has no other task: its question ends the run, and ralph resume goes on with the answer", async () => {
    const at = project({ files: {}, git: false, steps: [asks, works(1)] });
    expect((await at.ralph("Write a shop", ...PARK)).exit).toBe(6);
    const [need] = await needs(at);
    const answered = await types(at, need?.commands[0]);
    expect(answered.stdout).toContain("Go on with: ralph resume");
    await at.ralph("resume", ...ONE);
    expect(at.calls()[1]?.stdin).toContain("Write a shop");
    expect(at.calls()[1]?.stdin).toContain("your answer");
  });

  test("without the setting in a later run the task is worked on again", async () => {
    const at = project({ steps: [asks, asks, asks, works(4)] });
    await at.ralph("run", ...PARK);
    await at.ralph("run", ...ONE);
    expect(at.event("iteration_started")?.task).toBe("one");
  });
});
