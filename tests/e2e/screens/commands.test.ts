import { afterAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { done, SESSION, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { terminal } from "../support/terminal.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const ONE = ["--max-iterations", "1"];
const RUNTIME = ["runs", "status.json", "lock", "logs"];

/** A project of the bash original: state files, but no journal. */
const OLD_FILES = {
  ".ralph/PROMPT.md": "Do the next task.\n",
  ".ralph/status.json": `{"timestamp":"2026-01-01T00:00:00+00:00","loop_count":7,"calls_made_this_hour":3,"max_calls_per_hour":100,"last_action":"completed","status":"completed","exit_reason":"plan_complete","next_reset":"01:00:00"}`,
  ".ralph/.circuit_breaker_state": `{"state":"OPEN","last_change":"2026-01-01T00:00:00+00:00","consecutive_no_progress":3,"consecutive_same_error":0,"consecutive_permission_denials":0,"last_progress_loop":4,"total_opens":1,"reason":"No progress","current_loop":7,"opened_at":"${new Date().toISOString()}"}`,
  ".ralph/.claude_session_id": SESSION,
};

async function worked(): Promise<Project> {
  const at = project({ steps: [works(1)] });
  await at.ralph(...ONE);
  return at;
}

function runtimeFiles(at: Project): string[] {
  return readdirSync(at.path(".ralph")).filter((name) => RUNTIME.includes(name));
}

test.concurrent("what is piped is whole, however long: tasks, and values of settings", async () => {
  const task = `${"a task of many words, ".repeat(12)}and its end`;
  const tools = `${Array.from({ length: 30 }, (_, n) => `Bash(tool${n} *)`).join(",")},Read`;
  const files = { ".ralph/@fix_plan.md": `- [ ] ${task}\n`, ".ralph/.ralphrc": `ALLOWED_TOOLS="${tools}"\n` };
  const at = project({ files });
  expect((await at.ralph("plan")).stdout).toContain(task);
  expect((await at.ralph("config")).stdout).toContain(tools);
});

test.concurrent.skipIf(process.platform === "win32")(
  "a refusal has the usual width on a terminal that does not tell its own",
  async () => {
    const at = project();
    const program = ["/bin/sh", "-c", 'stty columns 0; exec "$0" "$@"', binary];
    const screen = terminal(["config", "get", "MAX_TIMES"], { cwd: at.dir, env: at.env, program });
    expect(await screen.ended).toBe(2);
    expect(screen.screen()).toContain("ralph: MAX_TIMES is no setting of ralph and has no effect.");
  },
);

describe("a preview of a run", () => {
  test.concurrent("by --dry-run or `ralph prompt` shows the request, starts nothing and writes nothing", async () => {
    const at = project({ steps: [works(1)] });
    const [dry, prompt] = [await at.ralph("--dry-run"), await at.ralph("prompt")];
    for (const { exit, stdout } of [dry, prompt]) {
      expect(exit).toBe(0);
      for (const part of ["Do the next task.", "stream-json", "-p", "RALPH_RUN"]) expect(stdout).toContain(part);
    }
    expect({ calls: at.calls(), written: runtimeFiles(at) }).toEqual({ calls: [], written: [] });
  });

  test.concurrent("by `ralph prompt --json` is what the agent then gets", async () => {
    const at = project({ steps: [works(1)] });
    const shown = JSON.parse((await at.ralph("prompt", "--json")).stdout);
    await at.ralph(...ONE);
    const [call] = at.calls();
    const withoutId = (argv: string[]) => argv.map((word) => (/^[0-9a-f-]{36}$/.test(word) ? "ID" : word));
    expect(call?.stdin).toBe(shown.stdin);
    expect(withoutId(call?.argv ?? [])).toEqual(withoutId(shown.argv.slice(1)));
  });

  test.concurrent("by --dry-run needs no agent", async () => {
    const at = project({ env: { CLAUDE_CODE_CMD: "no-such-agent" } });
    const { exit, stdout } = await at.ralph("--dry-run");
    expect(exit).toBe(0);
    expect(stdout).toContain("no-such-agent");
  });
});

test.concurrent("a person reads the agent's name, a program the driver's", async () => {
  const at = project({ steps: [works(1)] });
  const { stdout } = await at.ralph("-c", "1", ...ONE);
  expect(stdout).toMatch(/ralph \S+ {2}Claude Code · bypassPermissions$/m);
  expect(stdout).toContain("at most 1 iteration · 1 call an hour");
  expect(at.read(".ralph/logs/ralph.log")).toMatch(/started: ralph .*, Claude Code\.$/m);
  const shown = async (...argv: string[]) => (await at.ralph(...argv)).stdout;
  for (const argv of [["status"], ["runs"], ["report"], ["logs"], ["session", "status"], ["report", "--html", "-"]])
    expect({ argv, text: await shown(...argv) }).toEqual({
      argv,
      text: expect.stringMatching(/^(?=.*Claude Code)(?!.*claude-code)/s),
    });
  expect(at.status()).toMatchObject({ driver: "claude-code" });
  expect(JSON.parse(await shown("status", "--json"))).toMatchObject({
    driver: "claude-code",
    display_name: "Claude Code",
  });
});

test.concurrent("an agent older than its driver knows is warned of once, and works", async () => {
  const env = { SCRIPTED_VERSION: "1.9.3 (Claude Code)" };
  const begun = `${JSON.stringify({ type: "system", subtype: "init", session_id: SESSION, model: "scripted" })}\n`;
  const at = project({ env, steps: [{ first_stdout: begun, ...works(1), waits_for: ".ralph/go" }, works(2)] });
  const live = at.start("--max-iterations", "2");
  const notes = () => at.events().filter(({ type }) => type === "note");
  await until("the warning", () => notes().length > 0);
  at.write(".ralph/go", "");
  const { exit, stdout } = await live.ended;
  expect({ exit, notes: notes().length, calls: at.calls().length }).toEqual({ exit: 4, notes: 1, calls: 2 });
  expect(stdout).toContain("Claude Code 1.9.3 is older than 2.0.76");
});

test.concurrent("a denial stays visible while the next call works, and after the run", async () => {
  const at = project({ steps: [works(1, { denied: "rm x" }), { ...works(2), waits_for: ".ralph/go" }] });
  const live = at.start("--max-iterations", "2");
  await until("the second call", () => at.calls().length === 2 && at.status().iteration === 2);
  expect(at.status()).toMatchObject({ status: "running", last_action: "permission_denied" });
  const [status, circuit] = [await at.ralph("status"), await at.ralph("circuit", "status")];
  expect(status.stdout).toMatch(/^iteration +2 · permission_denied$/m);
  for (const { stdout } of [status, circuit]) expect(stdout).toContain("iteration 1 was denied Bash(rm x)");
  expect(at.read(".ralph/logs/ralph.log")).toContain("Denied: Bash(rm x)");
  at.write(".ralph/go", "");
  await live.ended;
  expect((await at.ralph("status")).stdout).not.toContain("denied");
  at.script([works(3, { denied: "rm y" })]);
  await at.ralph(...ONE);
  expect((await at.ralph("status")).stdout).toContain("iteration 1 was denied Bash(rm y)");
});

describe("without files", () => {
  test.concurrent('ralph "TEXT" works in an empty folder', async () => {
    const at = project({ files: {}, git: false, steps: [works(1), done, done] });
    const { exit } = await at.ralph("Mend the failing tests");
    expect(exit).toBe(0);
    expect(at.calls()[0]?.stdin).toContain("Mend the failing tests");
    expect(at.calls()[0]?.stdin).toContain("RALPH_STATUS");
    expect(at.has(".ralph/PROMPT.md")).toBe(false);
    expect(at.read(".ralph/.gitignore")).toContain("runs");
  });

  test.concurrent("bare ralph shows the card, exits 7 and writes nothing", async () => {
    const at = project({ files: {}, git: false });
    for (const argv of [[], ["--calls", "50"]]) {
      const { exit, stdout } = await at.ralph(...argv);
      expect(exit).toBe(7);
      for (const part of ["Claude Code", "no git repository", "ralph demo", 'ralph "']) expect(stdout).toContain(part);
    }
    expect(readdirSync(at.dir)).toEqual([]);
  });

  test.concurrent.each([
    [["status"], 0, "not started"],
    [["circuit", "status"], 0, "CLOSED"],
    [["session", "status"], 0, "No session"],
    [["logs"], 7, "no run"],
    [["circuit", "reset"], 7, "not a Ralph project"],
    [["session", "reset"], 7, "not a Ralph project"],
    [["run"], 7, "PROMPT.md"],
    [["prompt"], 7, "PROMPT.md"],
  ])("%j exits %d and says %p, and writes nothing", async (argv, code, words) => {
    const at = project({ files: {}, git: false });
    const { exit, stdout, stderr } = await at.ralph(...argv);
    expect({ exit, says: `${stdout}${stderr}` }).toEqual({ exit: code, says: expect.stringContaining(words) });
    expect(readdirSync(at.dir)).toEqual([]);
  });
});

test.concurrent.skipIf(process.platform === "win32")(
  "a folder for temporary files that is gone is told, and is no error of ralph",
  async () => {
    const at = project({ env: { TMPDIR: "/nowhere/at-all" } });
    const { exit, stderr } = await at.ralph("demo");
    expect({ exit, stderr }).toEqual({
      exit: 7,
      stderr:
        "ralph: The folder for temporary files, /nowhere/at-all, does not exist.\n  Make it, or let TMPDIR name another one.\n",
    });
  },
);

test.concurrent("the project of a demo that is kept can be looked at with the other commands", async () => {
  const at = project({ files: {}, git: false });
  const { stdout } = await at.ralph("demo", "--keep");
  // The commands that it shows next would not be found.
  expect(stdout).toContain(`\n  first copy ${binary} into a folder of your PATH\n  ralph doctor `);
  const folder = /^ {2}cd (.+)$/m.exec(stdout)?.[1];
  // Without a name the folder above would be this repository's own.
  if (folder === undefined) throw new Error(`the demo names no folder: ${stdout}`);
  try {
    expect(existsSync(join(folder, ".ralph", "runs"))).toBe(true);
    expect((await at.ralph("-C", folder, "report")).stdout).toContain("project_complete");
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
});

describe("in a project that has not run yet", () => {
  test.concurrent("status says so, resets work, and a run can follow", async () => {
    const at = project({ steps: [works(1)] });
    expect(JSON.parse((await at.ralph("status", "--json")).stdout)).toMatchObject({
      status: "not_started",
      run: null,
      calls: { used: 0, limit: 100 },
    });
    // It is a project: that it needs set-up first would mislead.
    expect((await at.ralph("undo")).stderr).toEndWith("\n  Start one with: ralph\n");
    expect((await at.ralph("circuit", "reset")).exit).toBe(0);
    expect((await at.ralph("session", "reset")).exit).toBe(0);
    expect(at.runs().length).toBe(1);
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.runs().length).toBe(2);
  });
});

describe("in a project with a run", () => {
  test.concurrent("status says how it ended, in words and as JSON", async () => {
    const at = await worked();
    expect((await at.ralph("status")).stdout).toContain("max_iterations");
    const report = JSON.parse((await at.ralph("status", "--json")).stdout);
    expect(report).toMatchObject({
      run: at.runs()[0],
      status: "blocked",
      phase: "stopped",
      stop_reason: "max_iterations",
      iteration: 1,
      driver: "claude-code",
      session_id: SESSION,
      calls: { used: 1, limit: 100 },
      plan: { total: 3, checked: 0 },
      pid: null,
    });
  });

  test.concurrent("logs --json is the journal, byte for byte; logs are its lines", async () => {
    const at = await worked();
    const journal = readFileSync(at.path(`.ralph/runs/${at.runs()[0]}/events.jsonl`), "utf8");
    for (const argv of [
      ["logs", "--json"],
      ["logs", "1", "--json"],
      ["logs", at.runs()[0] ?? "", "--json", "-f"],
    ])
      expect(await at.ralph(...argv)).toEqual({ exit: 0, stdout: journal, stderr: "" });
    const live = (await at.ralph(...ONE)).stdout;
    expect((await at.ralph("logs")).stdout).toBe(live);
  });

  test.concurrent("a reset shows in status, in the state files and in the next run", async () => {
    const at = await worked();
    expect((await at.ralph("session", "reset")).exit).toBe(0);
    expect(JSON.parse(at.read(".ralph/.ralph_session"))).toMatchObject({
      session_id: "",
      reset_reason: "manual_reset_flag",
    });
    expect(JSON.parse((await at.ralph("session", "status", "--json")).stdout)).toMatchObject({ session_id: null });
    expect(JSON.parse((await at.ralph("status", "--json")).stdout)).toMatchObject({ stop_reason: "max_iterations" });
    await at.ralph(...ONE);
    expect(at.calls()[1]?.argv).not.toContain("--resume");
  });

  test.concurrent("an open breaker stops the next run before a call; circuit reset closes it", async () => {
    const at = project({ steps: [{ stdout: works(1).stdout ?? "" }] });
    expect((await at.ralph()).exit).toBe(3);
    const calls = at.calls().length;
    expect((await at.ralph()).exit).toBe(3);
    expect(at.calls().length).toBe(calls);
    expect((await at.ralph("circuit", "status")).stdout).toContain("OPEN");
    expect((await at.ralph("circuit", "reset")).exit).toBe(0);
    expect(JSON.parse(at.read(".ralph/.circuit_breaker_state"))).toMatchObject({ state: "CLOSED" });
    expect((await at.ralph(...ONE)).exit).toBe(4);
  });

  test.concurrent("the originals' one-shot flags do the same as the commands that replaced them", async () => {
    const at = await worked();
    const same = async (flag: string, ...argv: string[]) =>
      expect((await at.ralph(flag)).stdout).toBe((await at.ralph(...argv)).stdout);
    await same("--circuit-status", "circuit", "status");
    await same("--reset-session", "session", "reset");
    await same("--reset-circuit", "circuit", "reset");
    expect((await at.ralph("-s")).stdout.split("\n")[0]).toBe((await at.ralph("status")).stdout.split("\n")[0] ?? "");
  });

  test.concurrent("logs RUN -f ends if the run has ended or crashed", async () => {
    const at = await worked();
    await at.ralph("session", "reset");
    const { exit, stdout } = await at.ralph("logs", "1", "-f", "--json");
    expect({ exit, lines: stdout.trimEnd().split("\n").length }).toEqual({ exit: 0, lines: at.events().length });
    const path = at.path(`.ralph/runs/${at.runs()[0]}/events.jsonl`);
    writeFileSync(path, `${readFileSync(path, "utf8").split("\n").slice(0, 4).join("\n")}\n`);
    expect((await at.ralph("logs", "1", "-f")).exit).toBe(0);
  });

  test.concurrent.skipIf(process.platform === "win32")("logs RUN -f goes on until the run ends", async () => {
    const at = project({ steps: [{ ...works(1), waits_for: ".ralph/go" }] });
    const live = at.start(...ONE);
    await until("a call", () => at.calls().length === 1);
    const follower = at.start("logs", "1", "-f", "--json");
    at.write(".ralph/go", "");
    await live.ended;
    const { exit, stdout } = await follower.ended;
    expect(exit).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).seq),
    ).toEqual(at.events().map(({ seq }) => seq));
  });
});

describe("in an old project with state files only", () => {
  test.concurrent("status and circuit status read them and change nothing", async () => {
    const at = project({ files: OLD_FILES });
    const before = readdirSync(at.path(".ralph")).sort();
    expect(JSON.parse((await at.ralph("circuit", "status", "--json")).stdout)).toMatchObject({ state: "OPEN" });
    expect(JSON.parse((await at.ralph("session", "status", "--json")).stdout)).toMatchObject({ session_id: SESSION });
    expect((await at.ralph("status")).exit).toBe(0);
    expect(readdirSync(at.path(".ralph")).sort()).toEqual(before);
  });

  test.concurrent("a run adopts them: the open breaker stops it, and a reset lets it go on", async () => {
    const at = project({ files: OLD_FILES, steps: [works(1)] });
    expect((await at.ralph()).exit).toBe(3);
    expect(at.calls()).toEqual([]);
    expect((await at.ralph("--reset-circuit")).exit).toBe(0);
    expect((await at.ralph(...ONE)).exit).toBe(4);
  });

  test.concurrent("a reset before the first run closes the breaker", async () => {
    const at = project({ files: OLD_FILES, steps: [works(1)] });
    expect((await at.ralph("circuit", "reset")).exit).toBe(0);
    expect(JSON.parse(at.read(".ralph/.ralph_session"))).toMatchObject({
      session_id: "",
      reset_reason: "manual_circuit_reset",
    });
    expect((await at.ralph(...ONE)).exit).toBe(4);
    expect(at.calls()[0]?.argv).not.toContain("--resume");
  });
});

describe("with --json", () => {
  test.concurrent.each([
    [["status", "--json", "--frob"], 2, "usage"],
    [["logs", "--json"], 7, "environment"],
    [["logs", "nope", "--json"], 7, "environment"],
    [["prompt", "--json", "--prompt", "nope.md"], 7, "environment"],
    [["prompt", "--json", "-c", "none"], 2, "usage"],
  ])("%j fails with one document on stdout and %d", async (argv, code, word) => {
    const at = project();
    const { exit, stdout, stderr } = await at.ralph(...argv);
    expect({ exit, stderr }).toEqual({ exit: code, stderr: "" });
    const { error } = JSON.parse(stdout);
    expect(error).toMatchObject({ code: word, message: expect.stringMatching(/\w/) });
    expect(Object.keys(error)).toEqual(["code", "message", "hint"]);
  });
});
