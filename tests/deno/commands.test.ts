/**
 * Every command under Deno, from the source and as the bundle, and the bundle under Node.js, with the scripted agent.
 */
import { beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../../scripts/lib/build/bundle.ts";
import { root } from "../../scripts/lib/paths.ts";
import { type RunResult, run } from "../../scripts/lib/run-program.ts";
import { cleanEnvironment } from "../../scripts/lib/tests/environment.ts";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { makePdf } from "../cli/setup/make-pdf.ts";
import { testFolder } from "../folders.ts";
import { findDeno } from "./find-deno.ts";

/** A Node.js that is new enough for the bundle; null if there is none. */
function findNode(): string | null {
  const node = Bun.which("node");
  if (node === null) return null;
  const version = Bun.spawnSync([node, "--version"]).stdout.toString();
  return Number(/^v(\d+)/.exec(version)?.[1] ?? 0) >= 22 ? node : null;
}

const folder = testFolder("deno");
const bundled = join(folder, "ralph.mjs");
const main = join(root, "src", "main.ts");
const deno = findDeno();
const node = findNode();
/** The minimal permissions that the README names. */
const permissions = ["read", "write", "env", "run", "sys"].map((name) => `--allow-${name}`);

beforeAll(() => bundle(bundled));

type Program = (...args: string[]) => Promise<RunResult>;

/** A program in a project of its own with one finished iteration. */
async function inProject(name: string, argv: readonly string[]): Promise<Program> {
  const project = join(folder, name);
  mkdirSync(join(project, ".ralph"), { recursive: true });
  writeFileSync(join(project, ".ralph", "PROMPT.md"), "Do the next task.\n");
  writeFileSync(join(project, ".ralph", "@fix_plan.md"), "- [ ] one\n");
  writeFileSync(join(project, "answer.json"), '{"result":"Working.","session_id":"a"}\n');
  writeFileSync(join(project, "shop.pdf"), makePdf(["Shop", "", "FR-1: Pay"]));
  const script = join(project, "script.json");
  writeFileSync(script, JSON.stringify({ iterations: [{ text: "One.", tick: 1, status: { STATUS: "COMPLETE" } }] }));
  // Deno keeps its caches there, and writes to them while ralph reads the project.
  const home = join(folder, `home of ${name}`);
  mkdirSync(home);
  const env = { ...cleanEnvironment(home), RALPH_DEMO_SCRIPT: script, PLATFORM_DRIVER: "demo" };
  return (...args) => run([...argv, ...args], { cwd: project, env, timeoutMs: 60_000 });
}

/**
 * The trial of each command and its exit code, in an order in which they build on each other. `null` means only
 * `--help`, because the command needs a terminal, a live run or the network.
 */
const TRIED: Readonly<Record<string, [args: string[], code: number, says: string] | null>> = {
  run: [["run"], 0, "plan_complete"],
  status: [["status", "--json"], 0, '"completed"'],
  logs: [["logs"], 0, "One."],
  monitor: null,
  attach: null,
  say: [["say", "hello"], 0, "the first prompt of the next one"],
  stop: [["stop"], 7, ""],
  pause: [["pause"], 7, ""],
  resume: [["resume"], 7, ""],
  extend: [["extend"], 7, ""],
  plan: [["plan", "--json"], 0, '"plan_complete": true'],
  import: [["import", "shop.pdf", "--no-agent", "--dry-run"], 0, "FR-1: Pay"],
  prompt: [["prompt"], 0, "Do the next task."],
  config: [["config", "--json"], 0, '"MAX_CALLS_PER_HOUR"'],
  analyze: [["analyze", "answer.json", "--json"], 0, '"iterations"'],
  circuit: [["circuit", "status", "--json"], 0, "CLOSED"],
  session: [["session", "reset"], 0, ""],
  drivers: [["drivers", "list"], 0, "claude-code"],
  doctor: [["doctor", "--json"], 0, '"results"'],
  demo: [["demo"], 0, "What you saw"],
  update: [["update"], 7, "does not know where its releases are"],
  completions: [["completions", "bash"], 0, "complete -F _ralph ralph"],
  help: [["help", "exit-codes"], 0, "project_complete"],
};

const runtimes: [string, readonly string[] | null][] = [
  ["the source under Deno", deno === null ? null : [deno, "run", "--quiet", ...permissions, main]],
  ["the bundle under Deno", deno === null ? null : [deno, "run", "--quiet", ...permissions, bundled]],
  ["the bundle under Node.js 22 or newer", node === null ? null : [node, bundled]],
];

/** The result of a command: its exit code, and whether its output is as expected; if not, the output. */
async function outcome(ralph: Program, command: string): Promise<string> {
  const [args, , says] = TRIED[command] ?? [[command, "--help"], 0, "Usage: ralph"];
  const { exitCode, endedBy, output } = await ralph(...args);
  return `ralph ${command}: ${exitCode ?? endedBy}${output.includes(says) ? "" : `, and not ${says} but ${output}`}`;
}

describe("every command", () => {
  for (const [name, argv] of runtimes) {
    test.concurrent.skipIf(argv === null)(name, async () => {
      const ralph = await inProject(name.replaceAll(/\W/g, "-"), argv ?? []);
      // The demo takes seconds, and one runtime proves it.
      const commands = Object.keys(COMMANDS).filter(
        (command) => command !== "demo" || name === "the bundle under Deno",
      );
      const outcomes: string[] = [];
      for (const command of commands) outcomes.push(await outcome(ralph, command));
      expect(outcomes).toEqual(commands.map((command) => `ralph ${command}: ${TRIED[command]?.[1] ?? 0}`));
    });
  }
});

test("every command in the table of trials exists", () => {
  expect(Object.keys(TRIED).filter((name) => !Object.hasOwn(COMMANDS, name))).toEqual([]);
});
