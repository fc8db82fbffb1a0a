import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { newMemory } from "../agent.ts";
import type { Persona } from "../persona.ts";
import { isTrulyDone, newProject, type ProjectShape } from "../project.ts";
import { endAll, markOf, onInterrupt, signal } from "./left-over.ts";
import type { Loop } from "./loops.ts";
import { initRepository, put, putFiles } from "./real-project.ts";
import { readState, type State, writeState } from "./state.ts";

export type Places = { ralph: string; peers: string };
export type RunOf = { loop: Loop; persona: Persona; shape: ProjectShape; seed: string };

/** How one loop ended with one agent. */
export type End = {
  seed: string;
  exitCode: number;
  saidDone: boolean;
  trulyDone: boolean;
  calls: number;
  callsAfterTruth: number;
  /** Calls that were made although an earlier one was told when the provider's limit ends. */
  callsInLimit: number;
  /** In USD. */
  cost: number;
  /** It was killed at the bound of time of this comparison. */
  cut: boolean;
  seconds: number;
  /** The last of what it printed. */
  tail: string;
};

const MOST_CALLS = 40;
const MOST_MS = 170_000;
const STAND_IN = join(import.meta.dirname, "stand-in.ts");

/** A project of its own for one loop, with a stand-in for its agent. */
type Prepared = {
  folder: string;
  root: string;
  /** The state of the stand-in. */
  file: string;
  argv: readonly string[];
  env: Record<string, string>;
};

/** Starts a loop, as it is, in a project of its own with an agent that is always met with the same luck. */
export function runLoop(run: RunOf, places: Places): Promise<End> {
  return inProject(run, places, async ({ root, file, argv, env }) => {
    const started = Date.now();
    const { exitCode, output, cut } = await ended(argv, root, env);
    const { project, memory, cost, callsAfterTruth, looks } = readState(file);
    return {
      seed: run.seed,
      exitCode,
      saidDone: !cut && run.loop.saidDone(exitCode, output),
      trulyDone: isTrulyDone(project),
      calls: memory.calls + looks,
      callsAfterTruth,
      callsInLimit: memory.callsInLimit,
      cost,
      cut,
      seconds: (Date.now() - started) / 1000,
      tail: output.slice(-2000),
    };
  });
}

/** Makes the project of one loop for some work, after which nothing of it is left, nor after an end of the comparison itself. */
export async function inProject<T>(run: RunOf, places: Places, work: (prepared: Prepared) => Promise<T>): Promise<T> {
  const prepared = prepare(run, places);
  const cleanUp = () => {
    endAll(prepared.folder);
    rmSync(prepared.folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const release = onInterrupt(cleanUp);
  try {
    return await work(prepared);
  } finally {
    release();
    cleanUp();
  }
}

function prepare({ loop, persona, shape, seed }: RunOf, { ralph, peers }: Places): Prepared {
  const folder = mkdtempSync(join(tmpdir(), "ralph-proof-"));
  const root = join(folder, "shop");
  const bin = join(folder, "bin");
  const file = join(folder, "state.json");
  mkdirSync(root);
  writeState(file, stateOf({ loop, persona, shape, seed }, root));
  initRepository(root);
  for (const [path, text] of Object.entries(loop.files)) {
    put(join(root, path), text);
    if (text.startsWith("#!")) chmodSync(join(root, path), 0o755);
  }
  put(join(root, "check.js"), checkOf(file));
  putFiles(readState(file));
  program(bin, loop.cli, `exec "${process.execPath}" "${STAND_IN}" "${file}" ${loop.cli} "$@"`);
  // Loops in shell wait between calls; nothing here needs the time.
  program(bin, "sleep", `printf '%s\\n' "$1" >> "${file}.slept"; exec /bin/sleep 0.01`);
  return {
    folder,
    root,
    file,
    argv: loop.argv({ root, bin, ralph: resolve(ralph), peers: resolve(peers), most: MOST_CALLS }),
    env: {
      ...loop.env,
      ...markOf(folder),
      PATH: `${bin}${delimiter}${process.env.PATH ?? ""}`,
      HOME: join(folder, "home"),
      TERM: "dumb",
      CI: "true",
    },
  };
}

/** Whether a peer lies in the folder of peers; always true for loops that need none. */
export function isThere({ entry }: Loop, peers: string | null): boolean {
  return entry === null || (peers !== null && existsSync(join(peers, entry)));
}

function stateOf({ loop, persona, shape, seed }: RunOf, root: string): State {
  const project = newProject(seed, shape);
  const { marker, markerMeans = "all", planFile, planAs = "list", reviews = null } = loop;
  const memory = newMemory(project);
  const counts = { cost: 0, callsAfterTruth: 0, lastSession: null, looks: 0 };
  return { persona, project, memory, root, marker, markerMeans, planFile, planAs, reviews, ...counts };
}

/** The command by which a stranger shows a gap: it reads the truth, which is no part of what `npm test` runs. */
function checkOf(state: string): string {
  return `const { readFileSync } = require("node:fs");
const { project } = JSON.parse(readFileSync(${JSON.stringify(state)}, "utf8"));
const task = project.tasks.find(({ number }) => number === Number(process.argv[2]));
if (task?.truth !== "right") { console.log("not ok: task " + process.argv[2] + " does what was asked"); process.exit(1); }
`;
}

function program(folder: string, name: string, line: string): void {
  put(join(folder, name), `#!/bin/sh\n${line}\n`);
  chmodSync(join(folder, name), 0o755);
}

type Ended = { exitCode: number; output: string; cut: boolean };

/** Runs a program in a process group of its own, which is ended with it. */
export function ended(
  [name = "", ...words]: readonly string[],
  cwd: string,
  env: Record<string, string>,
): Promise<Ended> {
  return new Promise((resolved, failed) => {
    mkdirSync(env.HOME ?? cwd, { recursive: true });
    const child = spawn(name, words, { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    let cut = false;
    const add = (part: Buffer) => {
      output = (output + part.toString()).slice(-200_000);
    };
    child.stdout.on("data", add);
    child.stderr.on("data", add);
    const end = () => {
      if (child.pid !== undefined) signal(-child.pid, "SIGKILL");
    };
    const release = onInterrupt(end);
    const timer = setTimeout(() => {
      cut = true;
      end();
    }, MOST_MS);
    child.on("error", failed);
    child.on("exit", (code) => {
      clearTimeout(timer);
      release();
      end();
      resolved({ exitCode: code ?? 1, output, cut });
    });
  });
}
