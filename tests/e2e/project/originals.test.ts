/** A project of each of ralph's three predecessors: set up, inspected, and run to its end. */
import { afterAll, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import type { Step } from "../../agents/scripted.ts";
import { earlyInTheHour } from "../../clock-hour.ts";
import { answer, done, SESSION, works } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { cleanUp, type Project, project } from "../support/harness.ts";

afterAll(cleanUp);

const { TZ } = earlyInTheHour();
const now = new Date();
const NOW = now.toISOString();
const HOUR = now.toLocaleString("sv-SE", { timeZone: TZ }).replace(/\D/g, "").slice(0, 10);
const TRAP = "#!/bin/sh\ntouch executed\nexit 99\n";
const PLAN = "# Fix Plan\n\n## High Priority\n- [x] Parse the file\n- [ ] Print the sum\n";
const TICKED = PLAN.replace("[ ]", "[x]");

/** State left by an old loop: one idle iteration, seven calls in this hour, a session. */
const OLD_STATE = {
  ".call_count": "7\n",
  ".last_reset": `${HOUR}\n`,
  ".exit_signals": '{"test_only_loops": [], "done_signals": [3], "completion_indicators": [3]}\n',
  ".circuit_breaker_state": `${JSON.stringify({
    state: "CLOSED",
    last_change: NOW,
    consecutive_no_progress: 1,
    consecutive_same_error: 0,
    consecutive_permission_denials: 0,
    last_progress_loop: 2,
    total_opens: 0,
    reason: "",
    current_loop: 3,
  })}\n`,
  ".circuit_breaker_history": "[]\n",
  ".claude_session_id": `${JSON.stringify({ session_id: SESSION, timestamp: NOW })}\n`,
  ".ralph_session": `${JSON.stringify({ session_id: "ralph-1760000000-12345", created_at: NOW, last_used: NOW, reset_at: "", reset_reason: "" })}\n`,
  ".ralph_session_history": "[]\n",
  "status.json": `${JSON.stringify({
    timestamp: NOW,
    loop_count: 3,
    calls_made_this_hour: 7,
    max_calls_per_hour: 100,
    last_action: "completed",
    status: "success",
    exit_reason: "",
    next_reset: "12:00:00",
  })}\n`,
  "logs/ralph.log": "[2026-01-01 10:00:00] [INFO] Starting\n",
};

const stateBelow = (folder: string) =>
  Object.fromEntries(Object.entries(OLD_STATE).map(([name, text]) => [`${folder}${name}`, text]));

const CLAUDE_CODE: Record<string, string> = {
  ...stateBelow(".ralph/"),
  ".ralph/PROMPT.md": "Take the next task of .ralph/fix_plan.md.\n",
  ".ralph/fix_plan.md": PLAN,
  ".ralph/AGENT.md": "Build: make\n",
  ".ralph/specs/sum.md": "Print the sum.\n",
  ".ralphrc": [
    "# Settings",
    'PROJECT_NAME="adder"',
    'PROJECT_TYPE="generic"',
    "MAX_CALLS_PER_HOUR=50",
    "CLAUDE_TIMEOUT_MINUTES=20",
    'CLAUDE_OUTPUT_FORMAT="json"',
    'ALLOWED_TOOLS="Write,Read,Edit,Bash(git add *),Bash(git commit *),Bash(npm *)"',
    "SESSION_CONTINUITY=true",
    "SESSION_EXPIRY_HOURS=24",
    'TASK_SOURCES="local"',
    "CB_NO_PROGRESS_THRESHOLD=3",
    "CB_OUTPUT_DECLINE_THRESHOLD=60%",
    "RALPH_VERBOSE=false",
    "",
  ].join("\n"),
  "ralph_loop.sh": TRAP,
};

const FLAT: Record<string, string> = {
  ...stateBelow(""),
  "PROMPT.md": "Take the next task of @fix_plan.md.\n",
  "@fix_plan.md": PLAN,
  "@AGENT.md": "Build: make\n",
  "specs/sum.md": "Print the sum.\n",
  "src/.gitkeep": "",
  "examples/.gitkeep": "",
  "docs/generated/.gitkeep": "",
  "ralph_loop.sh": TRAP,
};

const BMALPH: Record<string, string> = {
  ...stateBelow(".ralph/"),
  ".ralph/PROMPT.md": "Take the next story of .ralph/@fix_plan.md.\n",
  ".ralph/@fix_plan.md": [
    "# Fix Plan",
    "",
    "## Stories to Implement",
    "### Adding",
    "> Goal: sums",
    "- [x] Story 1.1: Parse the file",
    "- [ ] Story 1.2: Print the sum",
    "  > AC: Given 1 and 2, Then 3",
    "  > Spec: specs/planning-artifacts/epics.md#story-1-2",
    "",
  ].join("\n"),
  ".ralph/@AGENT.md": "Build: make\n",
  ".ralph/REVIEW_PROMPT.md": "Look at the change.\n",
  ".ralph/.ralphrc": [
    'PLATFORM_DRIVER="${PLATFORM_DRIVER:-claude-code}"',
    'MAX_CALLS_PER_HOUR="${MAX_CALLS_PER_HOUR:-80}"',
    'CLAUDE_PERMISSION_MODE="${CLAUDE_PERMISSION_MODE:-bypassPermissions}"',
    'PERMISSION_DENIAL_MODE="${PERMISSION_DENIAL_MODE:-continue}"',
    'QUALITY_GATES="${QUALITY_GATES:-}"',
    "REVIEW_ENABLED=false",
    "",
  ].join("\n"),
  ".ralph/ralph_loop.sh": TRAP,
  ".ralph/ralph_monitor.sh": TRAP,
  ".ralph/lib/circuit_breaker.sh": TRAP,
  ".ralph/drivers/claude-code.sh": TRAP,
  ".ralph/drivers/codex.sh": TRAP,
  ".ralph/specs/planning-artifacts/epics.md": "### Story 1.2: Print the sum\n",
  ".ralph/.claude_session_id": `${SESSION}\n`,
  ".ralph/.ralph_session": `${JSON.stringify({ session_id: SESSION, created_at: NOW, last_used: NOW })}\n`,
  "bmalph/config.json": JSON.stringify({ name: "adder", description: "adds", createdAt: NOW, platform: "claude-code" }),
  "bmalph/state/current-phase.json": JSON.stringify({ currentPhase: 4, status: "implementing" }),
  "_bmad/config.yaml": "platform: claude-code\nplanning_artifacts: _bmad-output/planning-artifacts\n",
};

const KITSTREAM: Record<string, string> = {
  "PROMPT-build.md": "Take the next task of PLAN.md.\n",
  "PROMPT-plan.md": "Write PLAN.md.\n",
  "PLAN.md": PLAN,
};

/** First a phase is done; then, with the plan ticked, everything. */
const steps = (plan: string, ticked: string): Step[] => [
  works(1, { status: "COMPLETE", text: "The parser stands." }),
  { files: { "src/2.txt": "2\n", [plan]: ticked }, stdout: answer({ status: "COMPLETE", exit: true }) },
];

const unchanged = (where: Project, files: Record<string, string>) =>
  Object.fromEntries(Object.keys(files).map((path) => [path, where.read(path)]));

type Case = { files: Record<string, string>; plan: string; calls: number };

const CASES: [string, Case][] = [
  ["Ralph for Claude Code", { files: CLAUDE_CODE, plan: ".ralph/fix_plan.md", calls: 50 }],
  ["Ralph for Claude Code 0.9", { files: FLAT, plan: "@fix_plan.md", calls: 100 }],
  ["bmalph", { files: BMALPH, plan: ".ralph/@fix_plan.md", calls: 80 }],
];

describe.each(CASES)("a project of %s", (_, { files, plan, calls }) => {
  const ticked = (files[plan] ?? "").replace("[ ]", "[x]");
  const make = () => project({ files, env: { TZ }, steps: steps(plan, ticked) });

  test.concurrent("is recognised: setup keeps every file, and status shows its state", async () => {
    const where = make();
    const setup = await where.ralph("setup", "--json");
    expect({ exit: setup.exit, ...JSON.parse(setup.stdout) }).toMatchObject({
      exit: 0,
      files_changed: [],
      files_moved: [],
      files_kept: expect.arrayContaining([plan]),
    });
    expect(unchanged(where, files)).toEqual(files);
    const status = await where.ralph("status", "--json");
    expect(JSON.parse(status.stdout)).toMatchObject({
      calls: { used: 7 },
      circuit: { state: "CLOSED", consecutive_no_progress: 1 },
      session_id: SESSION,
      plan: { total: 2, checked: 1 },
    });
    expect(where.has("executed")).toBe(false);
  });

  test.concurrent("runs from its old state to the end, without executing the old program", async () => {
    const where = make();
    expect((await where.ralph("setup", "--yes")).exit).toBe(0);
    const { exit, stdout, stderr } = await where.ralph("run");
    expect({ exit, stdout, stderr }).toMatchObject({ exit: 0 });
    expect(where.event("run_finished")).toMatchObject({ stop_reason: "project_complete" });
    expect(where.event("run_started")?.settings).toMatchObject({ MAX_CALLS_PER_HOUR: calls });
    expect(where.event("run_started")?.state).toMatchObject({
      breaker: { no_progress: 1 },
      budget: { calls: 7 },
      session: { session_id: SESSION },
    });
    expect(where.calls()[0]?.argv).toContain(SESSION);
    expect(where.calls()[0]?.stdin).toStartWith(files["PROMPT.md"] ?? files[".ralph/PROMPT.md"] ?? "?");
    expect(JSON.parse(where.read(".ralph/.call_count"))).toBe(7 + where.calls().length);
    expect(where.has("executed")).toBe(false);
  });
});

describe("a project of Ralph for Claude Code 0.9", () => {
  test.concurrent("runs after its files have moved too", async () => {
    const where = project({ files: FLAT, env: { TZ }, steps: steps(".ralph/@fix_plan.md", TICKED) });
    expect((await where.ralph("setup", "--yes", "--migrate")).exit).toBe(0);
    expect(where.has("status.json")).toBe(false);
    expect((await where.ralph("run")).exit).toBe(0);
    expect(where.event("run_started")?.state).toMatchObject({ budget: { calls: 7 }, session: { session_id: SESSION } });
    expect(where.has("executed")).toBe(false);
  });
});

test.concurrent("a percentage with its sign, as Ralph for Claude Code's page writes it, is that number", async () => {
  const where = project({ files: CLAUDE_CODE });
  const { exit, stdout } = await where.ralph("config", "--json");
  const { settings, warnings } = JSON.parse(stdout);
  expect({ exit, decline: settings.CB_OUTPUT_DECLINE_THRESHOLD.value, warnings }).toEqual({
    exit: 0,
    decline: 60,
    warnings: [],
  });
});

describe("a project of KitStream ralph", () => {
  test.concurrent("is recognised by its modes, and each mode runs to its end", async () => {
    const where = project({ files: KITSTREAM, steps: steps("PLAN.md", TICKED) });
    git(where, "worktree", "add", "-q", "-b", "ralph-build", ".ralph/ralph-build-worktree");
    const { stdout: said } = await where.ralph("setup", "--yes");
    expect(said).toMatch(/^Ralph .*PROMPT-build\.md · PROMPT-plan\.md/m);
    expect(said).toContain("Next: ralph run build");
    expect(unchanged(where, KITSTREAM)).toEqual(KITSTREAM);
    expect((await where.ralph("status")).exit).toBe(0);
    const { exit, stdout, stderr } = await where.ralph("run", "build");
    expect({ exit, stdout, stderr }).toMatchObject({ exit: 0 });
    expect(where.event("run_finished")).toMatchObject({ stop_reason: "project_complete" });
    expect(where.calls()[0]?.stdin).toStartWith(KITSTREAM["PROMPT-build.md"] ?? "?");
    expect(where.has(".ralph/ralph-build-worktree/PLAN.md")).toBe(true);
  });

  test.concurrent("takes its command line, and leaves git to the agent and the user", async () => {
    const where = project({ files: KITSTREAM, steps: [works(1)] });
    where.write("PLAN.md", `${PLAN}- [ ] Not committed yet\n`);
    // Checkpoints lie below refs/ralph, which is nobody's branch.
    const own = ["refs/heads", "refs/tags", "refs/remotes"];
    const refs = () =>
      [["for-each-ref", ...own], ["stash", "list"], ["worktree", "list"], ["diff"]].map((words) =>
        git(where, ...words),
      );
    const before = refs();
    symlinkSync(where.dir, where.path("../link"), "junction");
    const words = [
      "-C",
      where.path("../link"),
      "build",
      "-B",
      "Claude",
      "--preamble",
      "Mind the style.",
      "--model",
      "opus",
      "--max-iterations",
      "1",
    ];
    const { exit, stderr } = await where.ralph(...words);
    expect({ exit, stderr }).toMatchObject({ exit: 4 });
    const [call] = where.calls();
    expect(call?.stdin).toStartWith(`Mind the style.\n\n${KITSTREAM["PROMPT-build.md"]}`);
    expect(call?.argv.join(" ")).toContain("--model opus");
    expect(call?.cwd).toBe(where.dir);
    expect(where.event("run_started")?.driver).toBe("claude-code");
    expect(where.has("src/1.txt")).toBe(true);
    expect(refs()).toEqual(before);
    expect(before[3]).toContain("Not committed yet");
  });

  test.concurrent("names no mode that it lacks, and a command goes before a mode of its name", async () => {
    const where = project({ files: KITSTREAM });
    const { exit, stderr } = await where.ralph("biuld");
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining('no command "biuld"') });
    expect((await where.ralph("run", "biuld")).stderr).toContain("PROMPT-biuld.md is missing");
    expect(await where.ralph("plan")).toMatchObject({ exit: 7, stderr: expect.stringContaining("ralph run plan") });
    expect(where.calls()).toEqual([]);
  });
});

describe("settings that hold code", () => {
  test.concurrent.each([
    ["PROJECT_NAME=$(touch executed)"],
    ["PROJECT_NAME=`touch executed`"],
    ["touch executed"],
    ["MAX_CALLS_PER_HOUR=5; touch executed"],
  ])("are refused and not executed: %s", async (line) => {
    const where = project({ files: { ...CLAUDE_CODE, ".ralphrc": `${line}\n` }, steps: [done] });
    expect((await where.ralph("setup", "--yes")).exit).toBe(0);
    const { exit, stderr } = await where.ralph("run");
    expect({ exit, stderr }).toEqual({ exit: 2, stderr: expect.stringContaining(".ralphrc:1") });
    expect({ calls: where.calls(), executed: where.has("executed") }).toEqual({ calls: [], executed: false });
  });
});
