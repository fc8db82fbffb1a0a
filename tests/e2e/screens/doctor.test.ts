/** `ralph doctor` in the compiled program: its findings, the fixes that it names, and that it changes nothing. */
import { describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { CheckResult } from "../../../src/core/report/check-result.ts";
import { BUILT_IN_DRIVERS } from "../../../src/driver-host/registry.ts";
import { answer } from "../support/answers.ts";
import { type Project, project } from "../support/harness.ts";

type Report = {
  exit: number | null;
  results: CheckResult[];
  summary: { passed: number; failed: number; warned: number };
};

async function doctor(p: Project, ...argv: string[]): Promise<Report> {
  const { exit, stdout } = await p.ralph("doctor", "--json", ...argv);
  return { exit, ...JSON.parse(stdout) };
}

const check = ({ results }: Report, label: string) => results.find((result) => result.label === label);

/** A machine whose PATH contains only what git needs. */
function without(p: Project): void {
  const bin = join(p.dir, "..", "empty-bin");
  mkdirSync(bin);
  const git = Bun.which("git");
  if (git !== null) symlinkSync(git, join(bin, "git"));
  p.env.PATH = bin;
}

test("doctor finds nothing that blocks a run in a complete project", async () => {
  const report = await doctor(project());
  expect(report).toMatchObject({ exit: 0, summary: { failed: 0 } });
  expect(report.results.map(({ label }) => label)).toEqual([
    ...["driver", "agent", "version", "ready", "folder", "git", "prompt", "plan", "settings", "trust", "gates"],
    ...["breaker", "session", "budget", "terminal", "updates"],
  ]);
  expect(report.results.filter(({ passed }) => !passed)).toEqual([]);
  for (const result of report.results)
    expect(Object.keys(result)).toEqual(["label", "passed", "required", "detail", "hint"]);
});

test("doctor says what all runs of today may still cost, and when that is nothing", async () => {
  const p = project({ steps: [{ stdout: answer({ cost: 3 }) }] });
  expect(check(await doctor(p), "today")).toBeUndefined();
  await p.ralph("--max-iterations", "1");
  p.env.MAX_COST_PER_DAY = "5";
  expect(check(await doctor(p), "today")).toMatchObject({ passed: true, detail: "$3.00 of $5 for all your runs" });
  p.env.MAX_COST_PER_DAY = "3";
  const spent = await doctor(p);
  expect(spent.exit).toBe(1);
  expect(check(spent, "today")).toMatchObject({ passed: false, required: true });
  expect(check(spent, "today")?.detail).toContain("All your runs of today cost $3.00 of $3");
});

test("doctor looks at the agent that is set, though another setting is refused", async () => {
  const p = project();
  p.env.MAX_TIME = "abc";
  const report = await doctor(p, "--driver", "demo");
  expect(report).toMatchObject({ exit: 1, summary: { failed: 1 } });
  expect(check(report, "settings")?.detail).toContain('MAX_TIME="abc"');
  expect(check(report, "driver")?.detail).toBe("demo");
});

test("doctor changes nothing", async () => {
  const p = project({ files: {}, git: false });
  await p.ralph("doctor");
  expect(p.has(".ralph")).toBe(false);
});

test.skipIf(process.platform === "win32")(
  "doctor says on one screen what to install on a machine without agents",
  async () => {
    const p = project({ files: {}, git: false });
    without(p);
    const { exit, stdout } = await p.ralph("doctor");
    expect(exit).toBe(1);
    for (const { installCommand } of BUILT_IN_DRIVERS)
      if (installCommand !== undefined) expect(stdout).toContain(installCommand);
    expect(stdout.trimEnd().split("\n").length).toBeLessThanOrEqual(24);
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  },
);

describe("doctor fails a check, with the way to fix it, for", () => {
  test.each<[string, { files?: Record<string, string>; argv?: string[] }, string, RegExp, RegExp]>([
    [
      "a missing agent",
      { argv: ["--driver", "opencode"] },
      "agent",
      /OpenCode is not installed/,
      /opencode-ai[\s\S]*--driver claude-code/,
    ],
    ["an unknown driver", { argv: ["--driver", "nope"] }, "driver", /no driver called "nope"/, /claude-code/],
    [
      "a missing prompt",
      { files: { "a.txt": "" } },
      "prompt",
      /There is no \.ralph\/PROMPT\.md/,
      /ralph setup.*ralph "TEXT"/,
    ],
    ["an empty prompt", { files: { ".ralph/PROMPT.md": " \n" } }, "prompt", /is empty/, /^Write into it/],
    [
      "an invalid setting",
      { files: { ".ralph/PROMPT.md": "x", ".ralph/.ralphrc": "MAX_CALLS_PER_HOUR=many\n" } },
      "settings",
      /\.ralphrc:1.*MAX_CALLS_PER_HOUR/,
      /./,
    ],
    [
      "a blocking gate that cannot start",
      {
        files: {
          ".ralph/PROMPT.md": "x",
          ".ralph/.ralphrc": 'TEST_COMMAND="no-such-program --all"\nDONE_POLICY=evidence\n',
        },
      },
      "gates",
      /no-such-program, which is missing/,
      /Install no-such-program/,
    ],
    [
      "an open circuit breaker",
      {
        files: {
          ".ralph/PROMPT.md": "x",
          ".ralph/.circuit_breaker_state": `{"state":"OPEN","consecutive_no_progress":3,"opened_at":"${new Date().toISOString()}","reason":"No progress"}`,
        },
      },
      "breaker",
      /^OPEN/,
      /ralph circuit reset/,
    ],
  ])("%s", async (_, { files, argv = [] }, label, detail, hint) => {
    const report = await doctor(project(files === undefined ? {} : { files }), ...argv);
    expect(report.exit).toBe(1);
    const result = check(report, label);
    expect(result).toMatchObject({ passed: false, required: true, detail: expect.stringMatching(detail) });
    if (label !== "settings") expect(result?.hint).toMatch(hint);
  });

  test("an agent below the minimum version", async () => {
    const report = await doctor(project({ env: { CLAUDE_MIN_VERSION: "99.0.0" } }));
    expect(check(report, "version")).toMatchObject({
      passed: false,
      required: true,
      detail: expect.stringContaining("99.0.0"),
    });
    expect(report.exit).toBe(1);
  });

  test.skipIf(process.platform === "win32")("a broken agent, but not for a wrapper without a version", async () => {
    const p = project();
    const bin = join(p.dir, "..", "broken-bin");
    mkdirSync(bin);
    const broken = join(bin, "claude");
    writeFileSync(
      broken,
      "#!/bin/sh\necho 'node:internal/modules:1' >&2; echo 'Error: Cannot find module x' >&2; exit 1\n",
    );
    chmodSync(broken, 0o755);
    p.env.PATH = `${bin}${delimiter}${p.env.PATH}`;
    const report = await doctor(p);
    const detail = "claude --version ended with exit code 1: Error: Cannot find module x";
    expect(check(report, "version")).toMatchObject({ passed: false, required: true, detail });
    expect(report.exit).toBe(1);
    p.env.CLAUDE_CODE_CMD = `${broken} --wrapped`;
    expect(check(await doctor(p), "version")).toMatchObject({ passed: false, required: false });
  });

  test.skipIf(process.platform === "win32" || process.getuid?.() !== 0)(
    "a mode that the agent refuses to root",
    async () => {
      const report = await doctor(project({ env: { IS_SANDBOX: "" } }));
      expect(check(report, "ready")).toMatchObject({
        passed: false,
        required: true,
        hint: expect.stringContaining("IS_SANDBOX=1"),
      });
    },
  );
});

test.each([
  ["", "only ralph undo gives files back"],
  ["CHECKPOINTS=false\n", "nothing gives files back"],
])("doctor says what can be taken back without a repository, with %j", async (settings, says) => {
  const report = await doctor(project({ git: false, files: { ".ralph/PROMPT.md": "x", ".ralph/.ralphrc": settings } }));
  expect(check(report, "git")?.detail).toContain(says);
});

test.each<[string, { files?: Record<string, string>; git?: boolean | "empty"; argv?: string[] }, string]>([
  ["a folder without a repository", { git: false }, "git"],
  ["a repository without a commit", { git: "empty" }, "git"],
  ["a complete plan", { files: { ".ralph/PROMPT.md": "x", ".ralph/@fix_plan.md": "- [x] a\n" } }, "plan"],
  ["an unknown setting", { files: { ".ralph/PROMPT.md": "x", ".ralph/.ralphrc": "MAX_CALLZ=3\n" } }, "settings"],
  ["a tool that the agent does not have", { argv: ["--allowed-tools", "Read,Bogus"] }, "tools"],
  [
    "a gate that only warns",
    { files: { ".ralph/PROMPT.md": "x", ".ralph/.ralphrc": "TEST_COMMAND=no-such-program\n" } },
    "gates",
  ],
])("doctor only warns of %s", async (_, { argv = [], ...options }, label) => {
  const report = await doctor(project(options), ...argv);
  expect(check(report, label)).toMatchObject({ passed: false, required: false });
  expect(report).toMatchObject({ exit: 0, summary: { failed: 0, warned: 1 } });
});
