/**
 * An agent that plays a script: `scripted.ts FOLDER ARGS…`. FOLDER holds `script.json`, a list of steps, one for each
 * call (the last is repeated), and `calls`, to which each call appends its process before it does anything; PID.json is
 * what it was given. What starts it answers `--version`, and plays what the shell can.
 */
import { spawn, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export type Step = {
  /** What git and the disk see: path below the project to content; null removes it. */
  files?: Record<string, string | null>;
  /** A line for the shell, run in the project. */
  shell?: string;
  /** Printed as it is. */
  stdout?: string;
  stderr?: string;
  /** Printed before anything else is done. */
  first_stdout?: string;
  delay_ms?: number;
  /** Goes on when this file is there; path below the project. */
  waits_for?: string;
  /** Never ends by itself, once all else is done. */
  hangs?: boolean;
  ignores_term?: boolean;
  /** A process that lives for a minute: it holds our pipes, or has left our group and holds nothing. */
  child?: "holds_pipe" | "daemon";
  /** Lines of 1,000 characters, printed before `stdout`. */
  flood?: number;
  /** Does not read what it is told. */
  deaf?: boolean;
  exit?: number;
};

/** What an agent was given. */
export type Call = {
  pid: number;
  argv: string[];
  stdin: string;
  marker: string | null;
  cwd: string;
  /** The child that the step starts. */
  child: number | null;
};

const [folder = "", ...argv] = process.argv.slice(2);
const log = join(folder, "calls");
const index = existsSync(log) ? readFileSync(log, "utf8").split("\n").length - 1 : 0;
const steps: Step[] = JSON.parse(readFileSync(join(folder, "script.json"), "utf8"));
const step = steps[Math.min(index, steps.length - 1)] ?? {};
if (step.ignores_term === true) process.on("SIGTERM", () => {});

const stdin = step.deaf === true ? "" : readFileSync(0, "utf8");
const child = startChild(step.child);
const call: Call = { pid: process.pid, argv, stdin, marker: process.env.RALPH_RUN ?? null, cwd: process.cwd(), child };
writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(call));
appendFileSync(log, `${process.pid}\n`);

print(1, step.first_stdout ?? "");
await sleep(step.delay_ms ?? 0);
while (step.waits_for !== undefined && !existsSync(step.waits_for)) await sleep(5);
for (const [path, content] of Object.entries(step.files ?? {})) change(path, content);
if (step.shell !== undefined) spawnSync("sh", ["-c", step.shell], { stdio: "ignore" });
for (let line = 0; line < (step.flood ?? 0); line += 1) print(1, `${String(line).padEnd(999, ".")}\n`);
print(1, step.stdout ?? "");
print(2, step.stderr ?? "");
if (step.hangs === true) setInterval(() => {}, 1000);
else process.exit(step.exit ?? 0);

function startChild(kind: Step["child"]): number | null {
  if (kind === undefined) return null;
  const stdio = kind === "daemon" ? "ignore" : "inherit";
  const started = spawn("sleep", ["600"], { stdio, detached: kind === "daemon" });
  started.unref();
  return started.pid ?? null;
}

function change(path: string, content: string | null): void {
  if (content === null) {
    rmSync(path, { recursive: true, force: true });
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function print(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
