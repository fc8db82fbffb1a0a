/** Gate runs to settle 16 branches by simulation, and how long a landing takes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterLandStep, type LandOutcome, newTrain, nextLandStep } from "../../src/core/land/train.ts";
import { gitEnvironment } from "../lib/bench/bench-project.ts";
import { type Figure, figure } from "../lib/bench/measure.ts";
import { binary } from "../lib/paths.ts";

const BRANCHES = 16;
const TRAINS = 1000;
const FLAKES = 0.02;
/** Issue "Isolated, undoable, parallel": 7.0 for 16 branches at 5 % red, second runs of red trees not counted. */
const MOST_TREES = 7;

/** Seconds from a branch that is ready to its place on the target, by a whole `ralph land` with a gate that takes no time. */
const MOST_S = 1;
const LANDINGS = 5;

export default function land(): Promise<Figure[]> {
  const figures = [0, 0.05, 0.1, 0.2, 0.3].flatMap((red) => {
    const done = Array.from({ length: TRAINS }, (_, at) => settle(red, chances(at + 1)));
    const name = `land, 16 branches, ${red * 100} % red`;
    return [
      figure(
        `${name}: trees tested`,
        "runs",
        [mean(done.map(({ trees }) => trees))],
        red === 0.05 ? MOST_TREES : undefined,
      ),
      figure(`${name}, 2 % flakes: gate runs`, "runs", [mean(done.map(({ runs }) => runs))]),
    ];
  });
  return Promise.resolve([...figures, figure("ralph land, one ready branch, empty gate", "s", landings(), MOST_S)]);
}

function landings(): number[] {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bench-land-"));
  const who = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
  const env = { ...gitEnvironment, ...who, HOME: folder, RALPH_TRUST: "true", TEST_COMMAND: "true" };
  const dir = join(folder, "project");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, env, stdio: "ignore" });
  try {
    mkdirSync(join(dir, ".ralph"), { recursive: true });
    writeFileSync(join(dir, ".ralph/PROMPT.md"), "Work.\n");
    git("init", "--quiet", "--initial-branch=main");
    git("add", "--all");
    git("commit", "--quiet", "-m", "first");
    return Array.from({ length: LANDINGS }, (_, at) => {
      git("checkout", "--quiet", "-b", `b${at}`);
      git("commit", "--quiet", "--allow-empty", "-m", `work ${at}`);
      git("checkout", "--quiet", "main");
      const began = performance.now();
      execFileSync(binary, ["land", `b${at}`, "--quiet"], { cwd: dir, env, stdio: "ignore" });
      return (performance.now() - began) / 1000;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A train over branches that are red at random; a red tree runs twice. */
function settle(red: number, chance: () => number): { trees: number; runs: number } {
  const isRed = new Set(Array.from({ length: BRANCHES }, (_, at) => `${at}`).filter(() => chance() < red));
  const names = Array.from({ length: BRANCHES }, (_, at) => `${at}`);
  const rate = { red: red * 60, settled: 60 };
  let train = newTrain("base", names, rate);
  let [trees, runs] = [0, 0];
  for (let step = nextLandStep(train); step.kind !== "end"; step = nextLandStep(train)) {
    let outcome: LandOutcome = { kind: step.kind === "return" ? "returned" : "landed" };
    if (step.kind === "stack")
      outcome = { kind: "stacked", stack: step.names.map((name) => ({ name, commit: name })), unfit: [], there: [] };
    if (step.kind === "test") {
      const bad = step.names.some((name) => isRed.has(name));
      const first = !bad && chance() >= FLAKES;
      trees += 1;
      runs += first ? 1 : 2;
      outcome = { kind: "tested", green: first || (!bad && chance() >= FLAKES) };
    }
    train = afterLandStep(train, outcome);
  }
  return { trees, runs };
}

/** Mulberry32. */
function chances(seed: number): () => number {
  let at = seed | 0;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
