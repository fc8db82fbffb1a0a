/** What a dashboard's user takes hold of: the mouse, the editor, the clipboard, changes, tasks and other runs. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import type { Step } from "../../agents/scripted.ts";
import { answer, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const AS_IT_WAS = { alternate: false, cursor: true, wraps: true };
const PLAN = "# Plan\n- [ ] Greet by name\n- [ ] Greet in colour\n- [ ] Release\n";

/** A step whose agent edits a file, ticks the first task and says so. */
function edits(nth: number, plan: string): Step {
  const call = {
    type: "tool_use",
    id: `t${nth}`,
    name: "Edit",
    input: { file_path: `src/${nth}.txt`, old_string: `old words ${nth}`, new_string: `new words ${nth}\nand more` },
  };
  const result = { type: "tool_result", tool_use_id: `t${nth}`, content: "The file has been updated." };
  const events = [
    { type: "assistant", message: { id: `m${nth}`, role: "assistant", content: [call] }, session_id: "s" },
    { type: "user", message: { role: "user", content: [result] }, session_id: "s" },
  ];
  return {
    ...works(nth),
    files: { [`src/${nth}.txt`]: `new words ${nth}\nand more\n`, ".ralph/@fix_plan.md": plan },
    stdout: events.map((event) => `${JSON.stringify(event)}\n`).join("") + answer({ text: `Step ${nth} is made.` }),
  };
}

const ticked = (n: number) =>
  PLAN.split("\n")
    .map((line, at) => (at <= n ? line.replace("[ ]", "[x]") : line))
    .join("\n");

/** A project with one run of two iterations, each of which finished a task. */
async function withRun(): Promise<Project> {
  const files = { ".ralph/PROMPT.md": "Do the next task.\n", ".ralph/@fix_plan.md": PLAN };
  const at = project({ files, steps: [edits(1, ticked(1)), edits(2, ticked(2))] });
  await at.ralph("--max-iterations", "2");
  return at;
}

/** An editor that writes down which file it got, and what was in it, and waits for a line of its terminal. */
function withEditor(at: Project): Record<string, string> {
  const editor = at.path("editor.sh");
  at.write(
    "editor.sh",
    `#!/bin/sh\nprintf '%s\\n' "$@" > "${at.path("edited")}"\ncat "$2" >> "${at.path("edited")}"\necho EDITING\nread line\necho "$line" > "${at.path("line")}"\n`,
  );
  chmodSync(editor, 0o755);
  return { ...at.env, EDITOR: `'${editor}' -w` };
}

describe.skipIf(process.platform === "win32")("the dashboard of a finished run", () => {
  test.concurrent("shows the tasks with what they took, a task, and its iteration's changes", async () => {
    const at = await withRun();
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows(/✓ Greet by name +1 it\. \$0\.01/);
    await screen.shows("Release");
    screen.type("\tg\r");
    await screen.shows("1 iteration");
    screen.type("\r");
    await screen.shows(/› ✓ +1 /);
    screen.type("d");
    await screen.shows("Changes · iteration 1");
    await screen.shows("- old words 1");
    await screen.shows("+ and more");
    screen.type("\u001b[C");
    await screen.shows("+ new words 2");
    screen.type("\u001b");
    await screen.shows(/› ✓ +2 /);
    screen.type("\u001b");
    await screen.shows("Output");
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });

  test.concurrent("obeys the wheel and clicks, and lets go of the mouse when it is left", async () => {
    const at = await withRun();
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env, rows: 20, columns: 80 });
    await screen.shows("max_iterations");
    expect(screen.mouse()).toBe(true);
    screen.type("\u001b[<64;10;14M");
    await screen.shows(/\d+ below/);
    screen.type("\u001b[<65;10;14M");
    await until("the end", () => !screen.lines().join("\n").includes(" below"));
    screen.type("\r");
    await screen.shows("Iterations");
    const row = screen.lines().findIndex((line) => /✓ +1 /.test(line)) + 1;
    screen.type(`\u001b[<0;10;${row}M\u001b[<0;10;${row}m`);
    await screen.shows(/› ✓ +1 /);
    screen.type(`\u001b[<0;10;${row}M\u001b[<0;10;${row}m`);
    await screen.shows("Iteration 1");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect({ ...screen.modes(), mouse: screen.mouse() }).toEqual({ ...AS_IT_WAS, mouse: false });
  });

  test.concurrent("opens the file of an edit in the editor, gives it the terminal and comes back", async () => {
    const at = await withRun();
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: withEditor(at) });
    await screen.shows("max_iterations");
    screen.type("n");
    await screen.shows("› ");
    screen.type("e");
    await until("the editor", () => screen.normal().includes("EDITING"));
    expect({ ...screen.modes(), mouse: screen.mouse() }).toEqual({ ...AS_IT_WAS, mouse: false });
    screen.type("typed for the editor\r");
    await until("the dashboard", () => screen.modes().alternate);
    await screen.shows("max_iterations");
    expect(at.read("line")).toBe("typed for the editor\n");
    expect(at.read("edited")).toBe(`-w\n${at.path("src/1.txt")}\nnew words 1\nand more\n`);
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(screen.modes()).toEqual(AS_IT_WAS);
  });

  test.concurrent("opens an iteration's output in the editor, in a file that goes afterwards", async () => {
    const at = await withRun();
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: withEditor(at) });
    await screen.shows("max_iterations");
    screen.type("\rg\r");
    await screen.shows("others");
    screen.type("e");
    await until("the editor", () => screen.normal().includes("EDITING"));
    screen.type("\r");
    await until("the dashboard", () => screen.modes().alternate);
    const [, file = "", ...text] = at.read("edited").split("\n");
    expect(text.join("\n")).toContain("Step 1 is made.");
    expect(text.join("\n")).not.toContain("Step 2 is made.");
    await until("the file is gone", () => !existsSync(file));
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });

  test.concurrent("opens the plan at the selected task, in an editor that takes a line", async () => {
    const at = await withRun();
    at.write("bin/vi", `#!/bin/sh\nprintf '%s\\n' "$@" > "${at.path("edited")}"\n`);
    chmodSync(at.path("bin/vi"), 0o755);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: { ...at.env, EDITOR: at.path("bin/vi") } });
    await screen.shows("max_iterations");
    screen.type("\tGe");
    await until("the editor", () => existsSync(at.path("edited")));
    await until("its words", () => at.read("edited") === `+4\n${at.path(".ralph/@fix_plan.md")}\n`);
    await until("the dashboard", () => screen.modes().alternate);
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });

  test.concurrent("says that an editor cannot be started", async () => {
    const at = await withRun();
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: { ...at.env, EDITOR: "no-such-editor" } });
    await screen.shows("max_iterations");
    screen.type("e");
    await screen.shows("The editor no-such-editor cannot be started: name yours with EDITOR.");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(screen.modes()).toEqual(AS_IT_WAS);
  });

  test.concurrent("copies the selected line, and says so", async () => {
    const at = await withRun();
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("max_iterations");
    screen.type("/Step 1 is\rny");
    await screen.shows("Sent 1 line to the terminal's clipboard.");
    expect(screen.clipboard()).toEqual(["  Step 1 is made."]);
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });

  test.concurrent("shows another run, with its plan as it was then", async () => {
    const at = await withRun();
    at.script([edits(3, ticked(3).replace("Release", "Publish"))]);
    await at.ralph("--max-iterations", "1");
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("run 0002");
    screen.type("r");
    await screen.shows("Runs");
    screen.type("k\r");
    await screen.shows("run 0001");
    await screen.shows("✓ Greet in colour");
    await screen.shows("1 open, not named in the journal");
    expect(screen.lines().join("\n")).not.toContain("Publish");
    screen.type("rG\r");
    await screen.shows("run 0002");
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });
});

describe.skipIf(process.platform === "win32")("the dashboard of a live run", () => {
  test.concurrent("has the iteration under way in its list, and follows it when it is opened", async () => {
    const at = project({ steps: [works(1), { ...works(2, { text: "The second one." }), waits_for: ".ralph/go2" }] });
    const live = at.start("--max-iterations", "2");
    await until("the second call", () => at.calls().length === 2);
    const screen = onTerminal(["monitor"], { cwd: at.dir, env: at.env });
    await screen.shows("iteration 2 of 2");
    screen.type("\r");
    await screen.shows(/› • +2 .*under way/);
    screen.type("\r");
    await screen.shows(/Iteration 2 +.*under way/);
    at.write(".ralph/go2", "");
    await screen.shows("The second one.");
    await live.ended;
    screen.type("q");
    expect(await screen.exited).toBe(0);
  });
});

describe.skipIf(process.platform === "win32")("the terminal", () => {
  const program = join(root, "tests/effects/terminal/screen-program.ts");
  const start = (...argv: string[]) =>
    onTerminal([program, ...argv], { cwd: root, env: { PATH: process.env.PATH ?? "" }, program: process.execPath });

  test.concurrent("is restored when the program breaks, the mouse too", async () => {
    const screen = start();
    await screen.shows("ready");
    expect(screen.mouse()).toBe(true);
    screen.type("x");
    expect(await screen.exited).not.toBe(0);
    expect({ ...screen.modes(), mouse: screen.mouse() }).toEqual({ ...AS_IT_WAS, mouse: false });
    expect(screen.normal()).toContain("the program broke");
  });

  test.concurrent("is another program's until that ends, even if the size changes meanwhile", async () => {
    const screen = start("sh", "-c", "echo LENT; read line; echo got $line");
    await screen.shows("ready");
    screen.type("e");
    await until("the program", () => screen.normal().includes("LENT"));
    screen.resize(60, 10);
    screen.type("words\r");
    await screen.shows("ready again");
    expect(screen.normal()).toContain("got words");
    screen.type("q");
    expect(await screen.exited).toBe(0);
    expect(screen.modes()).toEqual(AS_IT_WAS);
  });
});
