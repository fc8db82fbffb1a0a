/** The keys of `ralph run` in its lines, as a user of a terminal and of a shell meets them. */
import { afterAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { works } from "../support/answers.ts";
import { cleanUp, lives, type Project, project } from "../support/harness.ts";
import { onTerminal, type Pty } from "../support/pty.ts";
import { terminal } from "../support/terminal.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const held = (n: number) => ({ ...works(n), waits_for: `.ralph/go${n}` });
const CTRL_C = "\u0003";
const CTRL_Z = "\u001a";
const ESC = "\u001b";

function run(at: Project, ...argv: string[]): Pty {
  return onTerminal(["run", ...argv], { cwd: at.dir, env: at.env });
}

/** An interactive shell, with job control, that finds ralph. */
function shell(at: Project): Pty {
  const PATH = `${dirname(binary)}:${at.env.PATH ?? ""}:/usr/bin:/bin`;
  const env = { ...at.env, PATH, PS1: "$ ", BASH_SILENCE_DEPRECATION_WARNING: "1" };
  return onTerminal(["--norc", "--noprofile", "-i"], { cwd: at.dir, env, program: "bash" });
}

/** Waits until a line that is not drawn over yet contains a text. */
function sees(screen: Pty, what: string): Promise<void> {
  return until(`${what} in:\n${screen.durable().join("\n")}`, () => text(screen).includes(what));
}

/** The agent tells its number a moment after the screen shows its iteration. */
async function killAgent(at: Project): Promise<void> {
  await until("the agent's call", () => at.calls().length > 0);
  signal(at.calls()[0]?.pid, "SIGKILL");
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  // Number 0 would be this test itself.
  if (pid === undefined || pid <= 0) throw new Error("no process to signal");
  process.kill(pid, name);
}

const text = (screen: Pty) => Bun.stripANSI(screen.durable().join("\n"));

const timesSeen = (screen: Pty, what: string) => text(screen).split(what).length - 1;

describe.skipIf(process.platform === "win32")("where nothing may be drawn over", () => {
  test.concurrent.each([
    ["for a screen reader", { ACCESSIBLE: "1" }],
    ["on a terminal that cannot draw", { TERM: "dumb" }],
  ])("%s, a run has lines that stay, folded between words, and keys that answer with such lines", async (_, env) => {
    const long = `${"words of a task that need more than one line ".repeat(3)}end`;
    const files = { ".ralph/PROMPT.md": "Go on.\n", ".ralph/@fix_plan.md": `- [ ] ${long}\n` };
    const at = project({ files, steps: [held(1)] });
    const screen = terminal(["run", "--max-iterations", "1"], { cwd: at.dir, env: { ...at.env, ...env } });
    await screen.sees("? lists the keys.");
    screen.type("?");
    await screen.sees("after this iteration");
    await screen.sees("once more ends the agent now");
    await screen.sees("this help");
    // Nothing is to be closed, and the next key acts.
    expect(screen.screen()).not.toContain("any key closes it");
    expect(screen.screen()).not.toContain("the dashboard of this run");
    screen.type("m");
    await screen.sees("The dashboard is drawn over and over");
    screen.type("t");
    await screen.sees("tell the agent:");
    screen.type("Hurry.\r");
    await until("the message", () => at.events().some((event) => event.type === "said" && event.text === "Hurry."));
    at.write(".ralph/go1", "");
    expect(await screen.ended).toBe(4);
    expect(screen.raw()).not.toMatch(new RegExp(`\\r(?![\\r\\n])|${ESC}\\[[\\d;]*[A-HJKfsu]`));
    expect(
      screen
        .screen()
        .split("\n")
        .filter((line) => line.length > 80),
    ).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("in the lines of a run", () => {
  test.concurrent("keys pause it, extend it, tell its agent something and stop it", async () => {
    const at = project({ steps: [held(1), held(2), works(3)] });
    const screen = run(at, "--max-iterations", "9");
    await sees(screen, "? keys");
    screen.type("p");
    await sees(screen, "Pausing after this iteration");
    screen.type("p");
    await sees(screen, "Going on.");
    screen.type("+");
    await sees(screen, "iteration 1/10");
    screen.type("tUse yarrgs");
    await sees(screen, "tell the agent: Use yarrgs");
    screen.type("\u007f\u007f\u007fgs\r");
    await sees(screen, "For the next prompt: Use yargs");
    screen.type("s");
    await sees(screen, "Stopping after this iteration");
    screen.type("s");
    await sees(screen, "The run already stops after this iteration.");
    screen.type("w");
    await sees(screen, "the stop was withdrawn");
    at.write(".ralph/go1", "");
    await sees(screen, "iteration 2/10");
    await until("the second call", () => at.calls().length === 2);
    expect(at.calls()[1]?.stdin).toContain("The user of ralph says:\nUse yargs");
    screen.type("s");
    await until("the second stop", () => at.events().filter(({ type }) => type === "stop_requested").length === 2);
    at.write(".ralph/go2", "");
    expect(await screen.exited).toBe(0);
    expect(at.calls().length).toBe(2);
    expect(text(screen)).not.toContain("? keys");
  });

  test.concurrent("of an import, Enter leaves the lines as they are, and a key that steers a run is answered", async () => {
    const at = project({ files: { "prd.md": "# Shop\n\n## Requirements\n\n- FR-1: Pay\n" }, steps: [{ hangs: true }] });
    const screen = onTerminal(["import", "prd.md", "."], { cwd: at.dir, env: at.env });
    await sees(screen, "Who reads");
    screen.type("\r");
    await sees(screen, "? keys");
    screen.type("\r\r\rp");
    await sees(screen, "An import takes no commands.");
    screen.type("?");
    await sees(screen, "end the import now: nothing is written");
    screen.type("x");
    await until("no help", () => !text(screen).includes("end the import now"));
    expect(timesSeen(screen, "? keys")).toBe(1);
    screen.type(CTRL_C);
    expect(await screen.exited).toBe(130);
    expect(text(screen)).toContain("nothing was written");
    expect(text(screen)).not.toContain("? keys");
    expect(at.has(".ralph")).toBe(false);
  });

  test.concurrent("a paused run says which key goes on", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const screen = run(at, "--max-iterations", "2");
    await sees(screen, "? keys");
    screen.type("p");
    await until("the pause", () => at.event("paused") !== undefined);
    at.write(".ralph/go1", "");
    await sees(screen, "p goes on");
    screen.type("p");
    expect(await screen.exited).toBe(4);
  });

  test.concurrent("? shows the keys, and any key hides them again", async () => {
    const at = project({ steps: [held(1)] });
    const screen = run(at);
    await sees(screen, "? keys");
    screen.type("?");
    await sees(screen, "the dashboard of this run");
    // Here no key but one that hides the help.
    screen.type("s");
    await until("no help", () => !text(screen).includes("the dashboard of this run"));
    expect(at.event("stop_requested")).toBeUndefined();
    screen.type(CTRL_C + CTRL_C);
    expect(await screen.exited).toBe(130);
  });

  test.concurrent("a asks before it ends the agent", async () => {
    const at = project({ steps: [held(1)] });
    const screen = run(at);
    await sees(screen, "? keys");
    screen.type("a");
    await sees(screen, "End the agent now");
    screen.type("x");
    await until("no question", () => !text(screen).includes("End the agent now"));
    screen.type("a");
    await sees(screen, "End the agent now");
    screen.type("y");
    expect(await screen.exited).toBe(0);
    expect(at.event("stop_requested")).toMatchObject({ how: "now", by: "user" });
  });

  test.concurrent("m shows the dashboard while the loop goes on, and q the lines with what happened meanwhile", async () => {
    const at = project({ steps: [held(1), held(2), held(3)] });
    const screen = run(at, "--max-iterations", "3");
    await sees(screen, "? keys");
    screen.type("m");
    await screen.shows("iteration 1 of 3");
    at.write(".ralph/go1", "");
    await screen.shows("iteration 2 of 3");
    expect(screen.normal()).not.toContain("Iteration 2");
    screen.type("q");
    await until(
      "the lines",
      () => screen.normal().includes("Iteration 2") && screen.normal().includes("iteration 2/3"),
    );
    expect(screen.modes().alternate).toBe(false);
    expect(screen.normal().split("Progress: 1 file changed").length - 1).toBe(1);
    screen.type("m");
    await screen.shows("iteration 2 of 3");
    at.write(".ralph/go2", "");
    at.write(".ralph/go3", "");
    await screen.shows("max_iterations");
    screen.type("q");
    expect(await screen.exited).toBe(4);
    expect(screen.normal().split("Progress: 1 file changed").length - 1).toBe(3);
    expect(screen.normal()).toContain("max_iterations (exit 4)");
  });

  test.concurrent("Enter, arrows and other keys leave no trace", async () => {
    const at = project({ steps: [held(1), works(2)] });
    const screen = run(at, "--max-iterations", "2");
    await sees(screen, "? keys");
    screen.type(`\r\r\r${ESC}[A${ESC}[Bxyz\r`);
    screen.type("?");
    await sees(screen, "the dashboard of this run");
    screen.type("x");
    at.write(".ralph/go1", "");
    expect(await screen.exited).toBe(4);
    expect(timesSeen(screen, "iteration 1")).toBe(0);
    expect(text(screen)).not.toMatch(/\n\n\n|xyz/);
  });

  test.concurrent("a paste is not taken for keys, but for the text that is being typed", async () => {
    const at = project({ steps: [held(1)] });
    const screen = run(at);
    await sees(screen, "? keys");
    screen.type(`${ESC}[200~sap\rw${ESC}[201~`);
    await sees(screen, "Pasted text is not taken for keys.");
    screen.type(`t${ESC}[200~über`);
    screen.type(` uns${ESC}[201~\r`);
    await sees(screen, "For the next prompt: über uns");
    expect(at.events().map(({ type }) => type)).not.toContain("stop_requested");
    screen.type(CTRL_C + CTRL_C);
    expect(await screen.exited).toBe(130);
  });

  test.concurrent("Ctrl+C once lets the iteration end, twice ends the agent", async () => {
    const at = project({ steps: [held(1), held(2)] });
    const first = run(at);
    await sees(first, "? keys");
    first.type(CTRL_C);
    await sees(first, "Stopping after this iteration. Ctrl+C again ends it now.");
    at.write(".ralph/go1", "");
    expect(await first.exited).toBe(0);
    const second = run(at);
    await sees(second, "? keys");
    await until("the second agent", () => at.calls().length === 2);
    second.type(CTRL_C);
    await until("the stop", () => at.event("stop_requested") !== undefined);
    second.type(CTRL_C);
    expect(await second.exited).toBe(130);
    expect(at.calls().map(({ pid }) => lives(pid))).toEqual([false, false]);
  });

  test.concurrent("what is typed fits a terminal that becomes narrow", async () => {
    const at = project({ steps: [held(1)] });
    const screen = run(at);
    await sees(screen, "? keys");
    screen.resize(40, 12);
    screen.type(`t${"many words ".repeat(9)}end`);
    await sees(screen, "words end▏");
    // The size may arrive after the words.
    await until("the entry fits", () =>
      text(screen)
        .split("\n")
        .some((shown) => shown.includes("end▏") && shown.length <= 40),
    );
    screen.type(`${ESC}`);
    await until("no entry", () => !text(screen).includes("end▏"));
    screen.type(CTRL_C + CTRL_C);
    expect(await screen.exited).toBe(130);
  });
});

describe.skipIf(process.platform === "win32")("the terminal is as it was", () => {
  type End = readonly [how: string, code: number, end: (at: Project) => void | Promise<void>];
  const ends: readonly End[] = [
    ["the run's own end", 4, (at) => at.write(".ralph/go1", "")],
    ["SIGTERM", 143, (at) => signal(at.event("run_started")?.pid, "SIGTERM")],
    ["SIGHUP", 129, (at) => signal(at.event("run_started")?.pid, "SIGHUP")],
    ["the end of its agent by a signal", 4, (at) => killAgent(at)],
    [
      "an error that ends it",
      7,
      async (at) => {
        await until("the agent's call", () => at.calls().length > 0);
        rmSync(at.path(".ralph"), { recursive: true });
        await killAgent(at);
      },
    ],
  ];
  test.concurrent.each(ends)("after %s", async (_, code, end) => {
    const at = project({ steps: [held(1)] });
    const script = '"$0" run --max-iterations 1; echo "ended $?"; stty -a';
    const program = ["sh", "-c", script, binary];
    const screen = terminal([], { cwd: at.dir, env: at.env, program });
    await screen.sees("? keys");
    await end(at);
    await screen.sees(`ended ${code}`);
    await screen.ended;
    const settings = screen.screen().slice(screen.screen().lastIndexOf("ended"));
    expect(settings.split(/\s+/)).toEqual(expect.arrayContaining(["icanon", "isig", "echo"]));
    expect(screen.raw().lastIndexOf(`${ESC}[?2004l`)).toBeGreaterThan(screen.raw().lastIndexOf(`${ESC}[?2004h`));
  });
});

describe.skipIf(process.platform === "win32")("under a shell", () => {
  test.concurrent("nothing typed during a run is left for the shell", async () => {
    const at = project({ steps: [held(1)] });
    const screen = shell(at);
    screen.type("ralph run --max-iterations 1\r");
    await sees(screen, "? keys");
    screen.type("xyz\r");
    screen.type("?");
    await sees(screen, "the dashboard of this run");
    at.write(".ralph/go1", "");
    await sees(screen, "max_iterations (exit 4)");
    screen.type("echo $((40 + 2))\r");
    await sees(screen, "\n42");
    expect(text(screen)).not.toContain("xyz");
    screen.type("exit\r");
    await screen.exited;
  });

  test.concurrent("Ctrl+Z suspends the run without its status line, and fg shows it again, once", async () => {
    const at = project({ steps: [held(1), held(2)] });
    const screen = shell(at);
    screen.type("ralph run --max-iterations 2\r");
    await sees(screen, "? keys");
    screen.type(CTRL_Z);
    await sees(screen, "Stopped");
    expect(text(screen)).toContain("Suspended: the agent works on to the end of its call, then nothing happens.");
    expect(text(screen)).not.toContain("? keys");
    screen.type("stty -a\r");
    await sees(screen, " icanon");
    at.write(".ralph/go1", "");
    await until("the agent's end", () => at.calls().every(({ pid }) => !lives(pid)));
    expect(at.event("iteration_finished")).toBeUndefined();
    screen.type("fg\r");
    await sees(screen, "iteration 2/2");
    await sees(screen, "Progress: 1 file changed");
    screen.type("?");
    await sees(screen, "the dashboard of this run");
    screen.type("x");
    at.write(".ralph/go2", "");
    await sees(screen, "max_iterations (exit 4)");
    expect(text(screen)).not.toContain("? keys");
    screen.type("exit\r");
    await screen.exited;
  });

  test.concurrent("a run in the background is not stopped by its terminal, and draws nothing over the shell's line", async () => {
    const at = project({ steps: [held(1), held(2)] });
    const screen = shell(at);
    screen.type("ralph run --max-iterations 2 &\r");
    await sees(screen, "Iteration 1");
    screen.type("s\r");
    at.write(".ralph/go1", "");
    await sees(screen, "Iteration 2");
    screen.type("jobs\r");
    await sees(screen, "Running");
    expect(text(screen)).not.toContain("? keys");
    expect(at.event("stop_requested")).toBeUndefined();
    // A job that is brought to the front without a stop gets no signal; elsewhere than on Linux nothing tells it.
    if (process.platform === "linux") {
      screen.type("fg\r");
      await sees(screen, "? keys");
    }
    at.write(".ralph/go2", "");
    await sees(screen, "max_iterations (exit 4)");
    screen.type("exit\r");
    await screen.exited;
  });
});
