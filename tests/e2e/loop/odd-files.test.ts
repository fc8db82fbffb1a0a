/** What stands in place of ralph's and git's files must neither hold a run up nor be read for ever. */
import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { dirname } from "node:path";
import { answer, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const ONE = ["--max-iterations", "1"];
/** A run of one step is over in a second; one that hangs never is. */
const HANGS_MS = 15_000;
const posix = process.platform !== "win32";

/** Puts a named pipe without a writer at a path. */
function pipeAt(at: Project, path: string): void {
  mkdirSync(dirname(at.path(path)), { recursive: true });
  rmSync(at.path(path), { recursive: true, force: true });
  expect(Bun.spawnSync(["mkfifo", at.path(path)]).exitCode).toBe(0);
}

/** Runs ralph; a run that hangs is ended, and has the exit code null. */
async function ended(at: Project, ...argv: string[]): Promise<{ exit: number | null; said: string }> {
  const live = at.start(...argv);
  const timer = setTimeout(() => live.kill("SIGKILL"), HANGS_MS);
  const { exit, stdout, stderr } = await live.ended;
  clearTimeout(timer);
  return { exit, said: stdout + stderr };
}

const RUN = ".ralph/runs/0001-20261122-120000/events.jsonl";

describe.skipIf(!posix)("a run ends, and says why it cannot go on, with a named pipe in place of", () => {
  test.concurrent.each([
    [".ralph/.ralphrc", 2, "named pipe"],
    [".ralph/PROMPT.md", 7, "named pipe"],
    [".ralph/@fix_plan.md", 7, "named pipe"],
    [".ralph/lock", 7, "named pipe"],
    [".ralph/status.json", 4, ""],
    [".ralph/.call_count", 4, ""],
    [".ralph/.ralph_session", 4, ""],
    [".ralph/.circuit_breaker_state", 4, ""],
    [".ralph/logs/ralph.log", 4, "ralph.log"],
    [".ralph/live.log", 4, ""],
    [".ralph/.gitignore", 4, ""],
    [".ralph/specs/a.md", 4, ""],
    [".ralph/REVIEW_PROMPT.md", 4, ""],
    [RUN, 7, "named pipe"],
    [".git/HEAD", 4, ""],
    [".git/index", 4, "named pipe"],
    [".git/config", 4, ""],
    [".git/packed-refs", 4, ""],
    [".git/info/exclude", 4, ""],
    [".gitignore", 4, ""],
    ["src/.gitignore", 4, ""],
  ] as const)("%s", async (path, exit, says) => {
    const at = project({ steps: [works(1)] });
    pipeAt(at, path);
    const run = await ended(at, "run", ...ONE);
    expect({ path, exit: run.exit }).toEqual({ path, exit });
    expect(run.said).toContain(says);
    expect(run.said).not.toContain("Something unexpected");
  });

  test.concurrent(".worktreeinclude, which git would read", async () => {
    const at = project({ steps: [works(1)] });
    pipeAt(at, ".worktreeinclude");
    const run = await ended(at, "run", ...ONE, "--worktree=oak");
    expect(run).toEqual({
      exit: 7,
      said: expect.stringContaining(".worktreeinclude cannot be read: it is a named pipe"),
    });
    rmSync(at.path(".worktreeinclude"));
    expect((await ended(at, "run", ...ONE, "--worktree=oak")).exit).toBe(4);
  });

  test.concurrent.each([".ralph/PROMPT.md", ".ralph/.ralphrc"])("%s, as a link to an endless device", async (path) => {
    const at = project({ steps: [works(1)] });
    rmSync(at.path(path), { force: true });
    symlinkSync("/dev/zero", at.path(path));
    const run = await ended(at, "run", ...ONE);
    expect([2, 7]).toContain(run.exit ?? -1);
    expect(run.said).toContain("it is a device, not a file");
  });

  test.concurrent("the files of the run itself, which the agent replaced", async () => {
    const swap = (path: string) => `rm -rf ${path}; mkfifo ${path}`;
    const shell = [".ralph/PROMPT.md", ".ralph/@fix_plan.md", ".ralph/lock", ".ralph/status.json", ".git/index"].map(
      swap,
    );
    const at = project({ steps: [{ ...works(1), shell: shell.join("; ") }] });
    const run = await ended(at, "run", "--max-iterations", "2");
    expect(run).toMatchObject({ exit: 7, said: expect.stringContaining("Put back") });
    expect(at.read(".ralph/PROMPT.md")).toBe("Do the next task.\n");
    expect(JSON.parse(at.read(".ralph/status.json")).exit_reason).toBe("files_deleted");
  });
});

test.concurrent("ignore rules with many stars over deep folders hold no run up", async () => {
  const at = project({ steps: [works(1)] });
  at.write(`${"a/".repeat(60)}${"a".repeat(200)}`, "");
  at.write(".gitignore", `${"**/a/".repeat(30)}b\n${"*a".repeat(60)}b\n`);
  const run = await ended(at, "run", ...ONE);
  expect(run.exit).toBe(4);
});

describe("a file over its limit is told with its size and the limit, and not read:", () => {
  test.concurrent.each([
    [".ralph/.ralphrc", 2, 2 << 20, "2.1 MB, and ralph reads at most 1.0 MB\n  Make it a small text file"],
    [".ralph/PROMPT.md", 7, 9 << 20, "9.4 MB, and ralph reads at most 8.4 MB"],
    [".ralph/@fix_plan.md", 7, 9 << 20, "9.4 MB, and ralph reads at most 8.4 MB"],
    [".git/index", 4, 600 << 20, "629 MB, and ralph reads at most 537 MB"],
    [".gitignore", 4, 400 << 20, "419 MB, and ralph reads at most 1.0 MB"],
    [".git/info/exclude", 4, 400 << 20, "419 MB, and ralph reads at most 1.0 MB"],
  ] as const)("%s", async (path, exit, size, says) => {
    const at = project({ steps: [works(1)] });
    if (!at.has(path)) at.write(path, "");
    truncateSync(at.path(path), size);
    const run = await ended(at, "run", ...ONE);
    expect({ exit: run.exit, said: run.said }).toEqual({ exit, said: expect.stringContaining(says) });
    expect(run.said).toContain(path.split("/").at(-1) ?? "");
  });
});

test.concurrent("a plan that grows over its limit in the middle of a run ends it as what it is, and names the file", async () => {
  const at = project({ steps: [{ ...works(1), files: { ".ralph/@fix_plan.md": "- [ ] x\n".repeat(1_125_000) } }] });
  const run = await ended(at, "run", "--max-iterations", "2");
  expect(run).toEqual({ exit: 7, said: expect.stringContaining("✗ environment_error (exit 7)") });
  const sentence = expect.stringContaining(
    "@fix_plan.md cannot be read: it has 9.0 MB, and ralph reads at most 8.4 MB.",
  );
  expect(at.event("run_finished")).toMatchObject({ stop_reason: "environment_error", exit_code: 7, sentence });
  expect(at.status()).toMatchObject({ status: "error", exit_reason: "environment_error" });
});

test.concurrent("control characters of a project's files reach no terminal", async () => {
  const bell = "\u001b]0;taken\u0007\u009b2J\u202e";
  const files = {
    ".ralph/PROMPT.md": `Do it ${bell}.\n`,
    ".ralph/@fix_plan.md": `- [ ] one ${bell}\n`,
    ".ralph/.ralphrc": `PROJECT_NAME="p${bell}"\nTEST_COMMAND="true ${bell}"\n`,
    [`.ralph/drivers/d${posix ? "\u001b[2J" : ""}.ts`]: "export default {};\n",
  };
  const at = project({ files, steps: [works(1)] });
  const commands = [
    ["config"],
    ["doctor"],
    ["drivers", "list"],
    ["plan"],
    ["prompt"],
    ["status"],
    ["run", "--dry-run", "--verbose"],
    ["run", `nope${bell}`],
    ["run", "--driver", `d${bell}`],
    ["run", "--max-iterations", "1"],
    ["logs"],
    ["report"],
  ];
  for (const argv of commands) {
    // Settings that nobody can read are told too.
    if (argv[0] === "logs") at.write(".ralph/.ralphrc", `${at.read(".ralph/.ralphrc")}NO${bell}=1\n`);
    const { stdout, stderr } = await at.ralph(...argv);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
    expect({ argv, found: /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.exec(stdout + stderr) }).toEqual({ argv, found: null });
  }
  at.write(".ralph/.ralphrc", `PROJECT_NAME="p${bell}"\n`);
  expect((await at.ralph("config")).stdout).toContain("p\\u001b]0;taken");
});

test.concurrent("what an agent says and does steers no terminal", async () => {
  const bell = "\u001b]0;taken\u0007seen\u009b2J\u202e";
  const tool = (id: string, name: string, input: Record<string, string>) =>
    `${JSON.stringify({ type: "assistant", message: { id, role: "assistant", content: [{ type: "tool_use", id, name, input }] } })}\n`;
  const said = { text: `Which one ${bell}, a or b?`, recommendation: `Ask ${bell}`, denied: `rm ${bell}` };
  const steps = [
    {
      ...works(1, said),
      first_stdout: tool("t0", "Bash", { command: `true ${bell}` }) + tool("t2", `Odd${bell}`, { file: bell }),
      shell: `git add -A && git commit -qm "done ${bell}"`,
      stderr: `warning: ${bell}\n`,
    },
    { stdout: answer({ error: `It broke ${bell}` }), exit: 1 },
  ];
  const at = project({ steps });
  const commands = [
    ["run", "--verbose", "--on-question", "park", "--max-iterations", "2"],
    ["inbox"],
    ["logs", "--verbose"],
    ["replay", "--speed", "1000"],
    ["report"],
    ["analyze", ".ralph/runs/*/1-1.out"],
    ["checkpoints"],
    ["diff", "--stat"],
  ];
  const silent = [["status"], ["circuit", "status"], ["prompt"], ["ps"]];
  for (const argv of [...commands, ...silent]) {
    const tells = !silent.includes(argv);
    const words = argv.map((word) => word.replace("*", at.runs()[0] ?? "*"));
    const { stdout, stderr } = await at.ralph(...words);
    const output = stdout + stderr;
    if (tells) expect({ argv, output }).toEqual({ argv, output: expect.stringContaining("seen") });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach a terminal
    expect({ argv, found: /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]/.exec(output) }).toEqual({ argv, found: null });
  }
});
