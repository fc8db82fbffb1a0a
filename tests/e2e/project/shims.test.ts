/** The scripts of the originals as calls of the compiled program, and back again. */
import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { binary } from "../../../scripts/lib/paths.ts";
import { answer, works } from "../support/answers.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";
import { until } from "../support/until.ts";

afterAll(cleanUp);

const LOOP = "#!/usr/bin/env bash\n# bmalph-version: 2.11.0\nexit 99 # caf\u00e9\n";
const FILES = {
  ".ralph/PROMPT.md": "Do the next story.\n",
  ".ralph/@fix_plan.md": "# Plan\n- [ ] one\n",
  ".ralph/.ralphrc": 'PLATFORM_DRIVER="${PLATFORM_DRIVER:-claude-code}"\n',
  ".ralph/ralph_loop.sh": LOOP,
};
const ENDS = {
  files: { "src.txt": "1\n", ".ralph/@fix_plan.md": "# Plan\n- [x] one\n" },
  stdout: answer({ status: "COMPLETE", exit: true }),
};

function old(at: Project, script: string, ...words: string[]) {
  const child = Bun.spawnSync(["bash", `.ralph/${script}`, ...words], { cwd: at.dir, env: at.env });
  return { exit: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
}

async function setup(at: Project, ...words: string[]) {
  const { exit, stdout, stderr } = await at.ralph("setup", "--json", ...words);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return JSON.parse(stdout);
}

const scripts = (at: Project) => readdirSync(at.path(".ralph")).filter((name) => name.endsWith(".sh"));

describe.skipIf(Bun.which("bash") === null)("the scripts of the originals", () => {
  test("go on working as calls of ralph", async () => {
    // The imported task is ticked too: a plan that lost one is not complete.
    const ends = {
      ...ENDS,
      files: { "src.txt": "1\n", ".ralph/@fix_plan.md": "# Plan\n- [x] one\n- [x] FR-1: Add\n" },
    };
    const at = project({ files: { ...FILES, "prd.md": "# Adder\n\n## Requirements\n- FR-1: Add\n" }, steps: [ends] });
    const made = await setup(at, "--shims");
    expect(made.files_created).toEqual(expect.arrayContaining([".ralph/ralph_monitor.sh", ".ralph/ralph_import.sh"]));
    expect(made.files_changed).toEqual([".ralph/ralph_loop.sh"]);

    expect(old(at, "ralph_import.sh", "prd.md", "--no-agent").exit).toBe(0);
    expect(at.read(".ralph/@fix_plan.md")).toContain("FR-1: Add");
    const flags = ["--live", "-v", "-c", "7", "-t", "20", "--output-format", "json", "--auto-reset-circuit"];
    const more = ["--no-continue", "--allowed-tools", "Read,Write,Bash(npm *)", "--session-expiry", "12"];
    const run = old(at, "ralph_loop.sh", ...flags, ...more);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining("plan_complete") });
    expect(at.event("run_started")?.settings).toMatchObject({
      MAX_CALLS_PER_HOUR: 7,
      SESSION_CONTINUITY: false,
      ALLOWED_TOOLS: ["Read", "Write", "Bash(npm *)"],
    });
    for (const flag of ["--status", "--circuit-status", "--reset-circuit", "--reset-session"])
      expect(old(at, "ralph_loop.sh", flag)).toMatchObject({ exit: 0, stdout: expect.stringMatching(/./) });
    expect(old(at, "ralph_monitor.sh").stderr).toContain("The dashboard needs a terminal");
    expect(old(at, "ralph_loop.sh", "--no-such").stderr).toContain("There is no flag --no-such");
  });

  test("work as bmalph starts them: with a pipe that nobody reads, and ended by its signal", async () => {
    const at = project({ files: FILES, steps: [{ ...works(1, { text: "word ".repeat(60_000) }) }, { hangs: true }] });
    await setup(at, "--shims");
    const env = { ...at.env, PLATFORM_DRIVER: "claude-code", REVIEW_MODE: "enhanced", REVIEW_ENABLED: "true" };
    const words = ["bash", "./.ralph/ralph_loop.sh"];
    const child = Bun.spawn(words, { cwd: at.dir, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    await until("the second call", () => at.calls().length === 2);
    await until("the status", () => at.status().loop_count === 2);
    child.kill("SIGTERM");
    expect(await child.exited).toBe(143);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "terminated" });
  });

  test("are put back as they were, and nothing is left of ours", async () => {
    const at = project({ files: FILES });
    chmodSync(at.path(".ralph/ralph_loop.sh"), 0o750);
    await setup(at, "--shims");
    expect(at.read(".ralph/ralph_loop.sh")).toContain(binary);
    if (process.platform !== "win32") expect(statSync(at.path(".ralph/ralph_loop.sh")).mode & 0o100).toBe(0o100);
    expect(await setup(at, "--shims")).toMatchObject({ already: true });
    expect(await setup(at)).toMatchObject({ already: true });

    expect(await setup(at, "--no-shims")).toMatchObject({
      files_removed: [".ralph/ralph_monitor.sh", ".ralph/ralph_import.sh"],
      files_restored: [".ralph/ralph_loop.sh"],
    });
    expect(at.read(".ralph/ralph_loop.sh")).toBe(LOOP);
    if (process.platform !== "win32") expect(statSync(at.path(".ralph/ralph_loop.sh")).mode & 0o777).toBe(0o750);
    expect(scripts(at)).toEqual(["ralph_loop.sh"]);
    expect(at.has(".ralph/backups")).toBe(false);
    expect(await setup(at, "--no-shims")).toMatchObject({ already: true });
    expect(at.read(".ralph/ralph_loop.sh")).toBe(LOOP);
  });

  test("lose nothing of what a person or an upgrade of bmalph wrote in their place", async () => {
    const at = project({ files: FILES });
    await setup(at, "--shims");
    at.write(".ralph/ralph_loop.sh", "newer\n");
    await setup(at, "--shims");
    const edited = `${at.read(".ralph/ralph_loop.sh")}# mine\n`;
    at.write(".ralph/ralph_loop.sh", edited);
    at.write(".ralph/ralph_monitor.sh", "mine\n");

    expect(await setup(at, "--no-shims")).toMatchObject({ files_restored: [".ralph/ralph_loop.sh"] });
    expect(at.read(".ralph/ralph_loop.sh")).toBe("newer\n");
    expect(at.read(".ralph/ralph_monitor.sh")).toBe("mine\n");
    const stamps = readdirSync(at.path(".ralph/backups")).sort();
    expect(stamps.map((stamp) => at.read(`.ralph/backups/${stamp}/.ralph/ralph_loop.sh`))).toEqual([LOOP, edited]);
  });

  test("call the ralph of the PATH where the one that wrote them is not", async () => {
    const at = project({ files: FILES });
    await setup(at, "--shims");
    at.write(".ralph/ralph_loop.sh", at.read(".ralph/ralph_loop.sh").replaceAll(binary, "/no/such/ralph"));
    at.write("../bin/ralph", '#!/bin/sh\necho "this one: $*"\n');
    chmodSync(at.path("../bin/ralph"), 0o755);
    expect(old(at, "ralph_loop.sh", "--live", "a b").stdout).toBe("this one: --live a b\n");
  });
});
