/**
 * Runs `ralphctl` for the comparison: `ralphctl.ts PROGRAM ROOT`. Its loop runs in a terminal screen only. This puts its records of a
 * planned sprint beside the project, starts it in a pseudo-terminal, presses `n` and Enter as its screen asks for, and takes the
 * first answer to whatever it asks. At the end it prints what `ralphctl sprint progress` says, and the verdicts of its journal: a task
 * whose judge never agreed ends as done there, with a warning.
 */
import { spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { put } from "./real-project.ts";

const [program = "", root = ""] = process.argv.slice(2);
const id = (kind: number, number = 0) =>
  `01a20000-0000-7000-80${`${kind}`.padStart(2, "0")}-${`${number}`.padStart(12, "0")}`;
const [PROJECT, REPOSITORY, SPRINT, TICKET] = [id(1), id(2), id(3), id(4)];
const FOLDER = `sprints/${SPRINT}--shop`;
/** The program of util-linux that runs another in a pseudo-terminal. */
const TERMINAL = "script";
/** It draws the whole screen anew each time, between these two. */
const FRAME = { begins: "\u001b[?2026h", ends: "\u001b[?2026l" };
const CTRL_C = "\u0003";
const LOOK_MS = 500;
const home = join(root, "..", "ralphctl");
// It shows no screen where it sees a CI.
const { CI: _, ...rest } = process.env;
const env = { ...rest, TERM: "xterm-256color", NODE_ENV: "production", RALPHCTL_HOME: home };

records();
cli("settings", "apply-preset", "claude-economic");
cli("sprint", "set-current", SPRINT);
await screen();
const journal = readFileSync(join(home, "data", FOLDER, "progress.md"), "utf8");
const verdicts = journal.split("\n").filter((line) => line.includes("Verdict:"));
process.stdout.write(`\n${cli("sprint", "progress", SPRINT)}\n${verdicts.join("\n")}\n`);

function cli(...words: readonly string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: root, env, encoding: "utf8" });
  return stdout + stderr;
}

/** What its own screens write for a project with a plan: a repository, a sprint and its tasks. */
function records(): void {
  const write = (path: string, value: unknown) => put(join(home, "data", path), JSON.stringify(value));
  write(".ralphctl-data-version.json", { dataVersion: 2, lastWrittenByAppVersion: "0.20.0" });
  write(`projects/${PROJECT}--shop.json`, {
    ...{ id: PROJECT, slug: "shop", displayName: "shop" },
    repositories: [{ id: REPOSITORY, slug: "shop", name: "shop", path: root, verifyScript: "sh gate.sh" }],
  });
  write(`${FOLDER}/sprint.json`, {
    ...{ schemaVersion: 1, id: SPRINT, slug: "shop", name: "shop", projectId: PROJECT, status: "planned" },
    tickets: [{ id: TICKET, title: "The plan", status: "approved", requirements: "The tasks of the plan." }],
    ...{ plannedAt: "2026-01-01T00:00:00.000Z", activatedAt: null, reviewAt: null, doneAt: null },
  });
  write(`${FOLDER}/execution.json`, {
    ...{ schemaVersion: 1, id: SPRINT, sprintId: SPRINT, branch: null, pullRequestUrl: null, setupRanAt: [] },
  });
  const tasks = [1, 2, 3, 4, 5, 6].map((number) => ({
    ...{ id: id(5, number), name: `Task ${number}`, description: `Task ${number}`, steps: [`Do task ${number}.`] },
    verificationCriteria: [
      {
        ...{ id: "C1", assertion: `Task ${number} does what was asked`, check: "auto" },
        command: `node --test tests/task-${number}.test.js`,
      },
    ],
    ...{ order: number, ticketId: TICKET, dependsOn: [], repositoryId: REPOSITORY, attempts: [], status: "todo" },
  }));
  write(`${FOLDER}/tasks.json`, { schemaVersion: 2, tasks });
}

/** Plays the one who sits before the screen, until its run has ended. */
function screen(): Promise<void> {
  const command = `stty cols 140 rows 45; exec "${process.execPath}" "${program}"`;
  const child = spawn(TERMINAL, ["-qec", command, "/dev/null"], { cwd: root, env, stdio: ["pipe", "pipe", "inherit"] });
  let shown = "";
  child.stdout.on("data", (part: Buffer) => {
    shown = (shown + part.toString()).slice(-200_000);
  });
  const opening = [
    { asked: "Start a flow", key: "n" },
    { asked: "Run the generator", key: "\r" },
  ];
  return new Promise((ended) => {
    const timer = setInterval(() => {
      const whole = shown.slice(0, Math.max(0, shown.lastIndexOf(FRAME.ends)));
      const frame = whole.slice(whole.lastIndexOf(FRAME.begins));
      const next = opening[0];
      if (/\[(COMPLETED|FAILED|ABORTED)\]/.test(frame)) child.stdin.write(CTRL_C);
      else if (next === undefined && frame.includes("↵ submit")) child.stdin.write("\r");
      else if (next !== undefined && frame.includes(next.asked)) {
        child.stdin.write(next.key);
        opening.shift();
      }
    }, LOOK_MS);
    child.on("exit", () => {
      clearInterval(timer);
      ended();
    });
  });
}
