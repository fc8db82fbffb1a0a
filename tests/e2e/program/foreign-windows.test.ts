/** The Windows program, on Wine. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { hostTarget, TARGETS } from "../../../scripts/lib/build/targets.ts";
import { root } from "../../../scripts/lib/paths.ts";
import { compileFor } from "../../../scripts/lib/release/compile-for.ts";
import { signed } from "../../../scripts/lib/release/sign.ts";
import type { DemoIteration } from "../../../src/core/demo-script.ts";
import { signaturePayload } from "../../../src/core/release/release.ts";
import { sha256Of } from "../../../src/effects/files/sha256.ts";
import { VERSION } from "../../../src/version.ts";
import { testFolder } from "../../folders.ts";
import { newKey } from "../support/builds.ts";
import { cleanUp, type Live, type Project, project } from "../support/harness.ts";
import { canPlayWindows, compileC, playWindows, type Wine } from "./foreign/wine.ts";

const target = TARGETS.find(({ name }) => name === "windows-x64");

const works: DemoIteration = { text: "One step.", write: { "src/ü.txt": "1\r\n" }, commit: "one", tick: 1 };
const done: DemoIteration = { text: "All is done.", tick: 9, status: { STATUS: "COMPLETE", EXIT_SIGNAL: true } };
/** An agent that keeps working, and the process that it started. */
const hangs: DemoIteration = { text: "Late.", background_child: 600_000, hang_ms: 600_000 };

/** Text as Windows editors write it: a byte order mark, and two characters at each line end. */
const FILES = {
  ".ralph/PROMPT.md": "\uFEFFDo the next task.\r\n",
  ".ralph/@fix_plan.md": "\uFEFF# Plan\r\n- [ ] one\r\n- [ ] two\r\n",
  ".ralph/.ralphrc": "\uFEFFPLATFORM_DRIVER=demo\r\nMAX_ITERATIONS=5\r\n",
};

const folder = testFolder("wine");
const isHost = hostTarget()?.name === "linux-x64";
const canRun = target !== undefined && isHost && canPlayWindows(join(folder, "probe"));
afterAll(cleanUp);

describe.skipIf(!canRun)("the program for windows-x64", () => {
  const { key, publicKey } = newKey();
  let wine: Wine;
  beforeAll(async () => {
    if (target === undefined) return;
    wine = playWindows(join(folder, "prefix"));
    await compileFor(target, join(wine.driveC, "bin", "ralph.exe"), root, { RALPH_PUBLIC_KEY: publicKey });
  });
  afterAll(() => wine.end());

  function windowsProject(iterations: readonly DemoIteration[], files: Record<string, string> = FILES): Project {
    const env = { ...wine.env, RALPH_DEMO_SCRIPT: "demo.json" };
    return project({ files: { ...files, "demo.json": JSON.stringify({ iterations }) }, env });
  }
  /**
   * Runs the Windows program instead of this machine's, which the harness appends. Its stderr is not read: Wine's
   * console keeps it open for another second.
   */
  function start(at: Project, program: string, ...argv: string[]): Live {
    return at.startUnder(["sh", "-c", `shift; exec wine '${program}' "$@" 2>/dev/null`, "sh"], ...argv);
  }
  const ralph = (at: Project, ...argv: string[]) => start(at, "C:\\bin\\ralph.exe", ...argv).ended;

  /** Ralph, its agent and the agent's process. */
  async function underWay(): Promise<void> {
    for (const end = performance.now() + 20_000; (await wine.pids("ralph.exe")).length < 3; )
      if (performance.now() > end) throw new Error("after 20 s there are no three processes");
  }

  test("prints its version", async () => {
    const at = windowsProject([]);
    expect(await ralph(at, "--version")).toMatchObject({ exit: 0, stdout: `${VERSION}\n` });
  });

  test("sets a project up", async () => {
    const at = windowsProject([], {});
    const { exit, stdout } = await ralph(at, "setup", "--yes", "--json");
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, success: true, already: false });
    expect(at.has(".ralph/PROMPT.md")).toBe(true);
    const set = await ralph(at, "config", "set", "MAX_TIME=3h");
    expect(set.stdout).toBe("MAX_TIME=3h now stands in .ralph/.ralphrc.\n");
  });

  test("runs the loop to its end: agents, git, gates of cmd.exe, journal and report", async () => {
    const gates =
      'QUALITY_GATES=\'findstr /c:"1" "src\\ü.txt" & if errorlevel 1 exit 9\'\r\nQUALITY_GATE_MODE=block\r\n';
    const at = windowsProject([works, done], { ...FILES, ".ralph/.ralphrc": FILES[".ralph/.ralphrc"] + gates });
    expect((await ralph(at, "run")).exit).toBe(0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "plan_complete", calls: 2 });
    expect(at.event("gate_finished")).toMatchObject({ exit_code: 0 });
    expect(at.read(".ralph/@fix_plan.md")).toBe("\uFEFF# Plan\r\n- [x] one\r\n- [x] two\r\n");
    const report = await ralph(at, "report", "--json");
    expect(JSON.parse(report.stdout)).toMatchObject({ stop_reason: "plan_complete", commits: 1 });
  });

  test("leaves no process of the agent after a stop from another terminal", async () => {
    const at = windowsProject([hangs]);
    const run = start(at, "C:\\bin\\ralph.exe", "run");
    await underWay();
    expect((await ralph(at, "stop", "--now")).exit).toBe(0);
    expect((await run.ended).exit).toBe(0);
    expect(at.event("run_finished")).toMatchObject({ stop_reason: "stopped_by_user" });
    expect(await wine.pids("ralph.exe")).toEqual([]);
  });

  test("ends the processes that a killed run left behind", async () => {
    const at = windowsProject([hangs]);
    const killed = start(at, "C:\\bin\\ralph.exe", "run");
    await underWay();
    const pid = at.event("run_started")?.pid;
    await start(at, "taskkill.exe", "/F", "/PID", String(pid)).ended;
    const left = await wine.pids("ralph.exe");
    // Windows ends the agent with ralph, but not the agent's process.
    expect(left).toHaveLength(1);
    at.write("demo.json", JSON.stringify({ iterations: [works, done] }));
    expect((await ralph(at, "run")).exit).toBe(0);
    // Only now, since the agent's process holds the output open.
    await killed.ended;
    expect(at.event("run_recovered")?.ended_processes.toSorted()).toEqual(left.toSorted());
    expect(await wine.pids("ralph.exe")).toEqual([]);
  });

  test("can update itself while it runs", async () => {
    const place = join(wine.driveC, "my programs");
    mkdirSync(place);
    copyFileSync(join(wine.driveC, "bin", "ralph.exe"), join(place, "ralph.exe"));
    const next = join(folder, "next.exe");
    compileC("version.c", next, '-DVERSION="99.0.0"');
    const content = zstdCompressSync(readFileSync(next));
    const sha256 = sha256Of(content);
    const signature = signed(signaturePayload({ version: "99.0.0", target: "windows-x64", sha256 }), key).toString(
      "base64",
    );
    const asset = { url: "ralph.zst", sha256, size: content.length, signature };
    const latest = { version: "99.0.0", notes: "", date: "2026-11-22", platforms: { "windows-x64": asset } };
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: ({ url }) => (url.endsWith(".zst") ? new Response(content) : Response.json(latest)),
    });
    const at = project({ files: {}, env: { ...wine.env, RALPH_UPDATE_URL: `http://127.0.0.1:${server.port}` } });
    const program = "C:\\my programs\\ralph.exe";
    const news = `ralph 99.0.0 is installed; it was ${VERSION}.\n`;
    expect(await start(at, program, "update").ended).toMatchObject({ exit: 0, stdout: news });
    expect((await start(at, program, "--version").ended).stdout.trim()).toBe("99.0.0");
    // Windows cannot remove a running program: the next update removes the old one.
    expect(readdirSync(place)).toEqual(
      expect.arrayContaining(["ralph.exe", expect.stringMatching(/^\.ralph-\d+\.old\.exe$/)]),
    );
  });
});
