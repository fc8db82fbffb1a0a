/** What a run says about a denial: the driver's help, once, at the first one. */
import { afterAll, expect, test } from "bun:test";
import { answer, works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";
import { onTerminal } from "../support/pty.ts";

afterAll(cleanUp);

/** Words of Claude Code's help that stand in no other output. */
const HELP = "Bash(node *)";
const TWO = ["--max-iterations", "2"];
const denied = () => project({ steps: [works(1, { denied: "rm x" }), works(2, { denied: "rm y" })] });
const times = (text: string, word: string) => text.split(word).length - 1;

test.concurrent("the help stands once in the lines of a run, before the next iteration", async () => {
  const { stdout } = await denied().ralph(...TWO);
  expect(stdout).toContain(".ralph/.ralphrc");
  expect(times(stdout, HELP)).toBe(1);
  expect(stdout.indexOf(HELP)).toBeLessThan(stdout.indexOf("Iteration 2"));
});

test.concurrent("the help is on stderr where the journal is printed", async () => {
  const { stdout, stderr } = await denied().ralph("run", "--json", ...TWO);
  expect([times(stderr, HELP), times(stdout, HELP)]).toEqual([1, 0]);
});

test.concurrent("the help is three lines, which name the tool, the place of what decided, and nothing that is not there", async () => {
  const { stdout } = await denied().ralph("run", "--permission-mode", "acceptEdits", ...TWO);
  const lines = stdout.split("\n").map((line) => line.replace(/^\[[^\]]*\] +/, ""));
  const at = lines.findIndex((line) => line.startsWith("Denied:"));
  expect(lines.slice(at, at + 3)).toEqual([
    "Denied: Bash(rm x), in mode acceptEdits (--permission-mode), with the default tools.",
    "In the mode bypassPermissions only Claude Code's own settings refuse a tool.",
    "Other modes: add it to ALLOWED_TOOLS (.ralph/.ralphrc), such as Bash(node *).",
  ]);
});

test.concurrent("a run without a denial says nothing of them", async () => {
  const { stdout, stderr } = await project({ steps: [works(1)] }).ralph("--max-iterations", "1");
  expect(stdout + stderr).not.toContain(HELP);
});

test.concurrent.each([
  ["continue", 0],
  ["halt", 1],
])("with --quiet and --on-denial %s it is said %i times: only where a denial ends the run", async (mode, said) => {
  const { stdout } = await denied().ralph("run", "--quiet", "--on-denial", mode, ...TWO);
  expect(times(stdout, HELP)).toBe(said);
});

test.concurrent.skipIf(process.platform === "win32")("on a terminal it stays above the status line", async () => {
  const at = denied();
  const screen = onTerminal(["run", ...TWO], { cwd: at.dir, env: at.env });
  await screen.exited;
  expect(times(screen.durable().join("\n"), HELP)).toBe(1);
});

test.concurrent.skipIf(process.platform === "win32")("it follows a dashboard that had the screen", async () => {
  const at = project({ steps: [{ stdout: answer({ denied: "rm x" }) }] });
  const screen = onTerminal(["run", "--monitor", "--on-denial", "halt"], { cwd: at.dir, env: at.env });
  await screen.shows("permission_denied");
  expect(screen.normal()).not.toContain(HELP);
  screen.type("q");
  expect(await screen.exited).toBe(6);
  expect(times(screen.normal(), HELP)).toBe(1);
});
