import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse } from "../../../src/core/answer/analysis.ts";
import { readRecorded } from "../../driver-host/recorded/read-recorded.ts";

/** The verdict of `ralph analyze` on a recorded run: the work is done, goes on, or the call failed for this reason. */
export type Verdict = "done" | "answered" | "limited" | "auth" | "denied" | "failed";

type Meta = { scenario: string; exitCode: number | null; stderr: string };
type Played = { name: string; scenario: string; verdict: Verdict };

const RECORDINGS = join(import.meta.dirname, "..", "..", "fixtures", "agent-output");
const BY_SIGNAL = 143;
const NOW = Date.parse("2026-11-21T20:00:00Z");

/** The verdict on a run that plays one of the mock model's scenarios. */
const OF_SCENARIO: Readonly<Record<string, Verdict>> = {
  "write-file-complete": "done",
  "shell-complete": "done",
  "plain-text": "answered",
  commit: "answered",
  "no-status-block": "answered",
  "asks-question": "answered",
  reasoning: "answered",
  "slow-stream": "answered",
  "rate-limit-then-ok": "answered",
  "truncated-then-ok": "answered",
  "shell-failure": "answered",
  "multiline-call-id": "answered",
  "rate-limit": "limited",
  "usage-limit": "limited",
  "auth-failure": "auth",
  "permission-denied": "denied",
  "permission-denied-write": "denied",
  "permission-denied-legacy-shape": "denied",
  overloaded: "failed",
  "server-error": "failed",
  "context-overflow": "failed",
  "truncated-stream": "failed",
  "mid-stream-error": "failed",
  "silent-stall": "failed",
  "silent-before-headers": "failed",
  "bare-error-line": "failed",
};

type Exceptions = Readonly<Record<string, readonly [Verdict, string]>>;

/** Recordings whose verdict differs from their scenario's, with the reason. */
export function except(verdict: Verdict, why: string, names: readonly string[]): Exceptions {
  return Object.fromEntries(names.map((name) => [name, [verdict, why] as const]));
}

/**
 * Tests the verdict on every recording of a CLI, with the stderr and exit code of its run. It must be the verdict of the
 * scenario, unless `otherwise` gives another one and the reason.
 * @param cli folder below tests/fixtures/agent-output
 */
export function judgeVerdicts(cli: string, otherwise: Exceptions): void {
  const all = played(cli);
  test("every CLI with recordings has a test of its verdicts", () => {
    const judged = readdirSync(import.meta.dirname).map((name) => /^verdicts-(\w+)\.test\.ts$/.exec(name)?.[1]);
    expect(judged).toEqual(expect.arrayContaining(readdirSync(RECORDINGS)));
  });
  test("every recording has a meta file and a known scenario, and every exception names a recording", () => {
    expect(all.length).toBeGreaterThan(10);
    expect(all.length).toBe(readdirSync(join(RECORDINGS, cli)).length / 2);
    expect(all.filter(({ scenario }) => !(scenario in OF_SCENARIO))).toEqual([]);
    expect(Object.keys(otherwise).filter((name) => all.every((one) => one.name !== name))).toEqual([]);
  });
  test.each(all)("$name is $verdict", ({ name, scenario, verdict }) => {
    const [wanted, why] = otherwise[name] ?? [OF_SCENARIO[scenario], `the scenario ${scenario}`];
    expect([String(wanted), why]).toEqual([verdict, why]);
    if (name in otherwise) expect(wanted).not.toBe(OF_SCENARIO[scenario]);
  });
}

function played(cli: string): Played[] {
  const folder = join(RECORDINGS, cli);
  return readdirSync(folder)
    .filter((name) => !name.endsWith(".meta.json"))
    .sort()
    .map((name) => {
      const { scenario, exitCode, stderr }: Meta = JSON.parse(
        readFileSync(join(folder, name.replace(/\.[^.]+$/, ".meta.json")), "utf8"),
      );
      const text = readFileSync(join(folder, name), "utf8");
      return { name, scenario, verdict: verdictOf(text, exitCode ?? BY_SIGNAL, stderr) };
    });
}

function verdictOf(text: string, exitCode: number, stderr: string): Verdict {
  const { output } = readRecorded(text, { exitCode, stderr });
  const analysis = analyse(output, null, { allowedTools: [], now: NOW });
  if (analysis.usage_limit !== null) return "limited";
  if (output.error?.class === "auth") return "auth";
  if (output.error !== null || output.finished?.ok !== true || exitCode !== 0) return "failed";
  if (analysis.has_permission_denials) return "denied";
  return analysis.exit_signal ? "done" : "answered";
}
