/** The folders in which the commands of the pages are run: each one new, with a scripted agent as `claude`. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../../../scripts/lib/paths.ts";
import { importMarker } from "../../../src/cli/import/import-dialogue.ts";
import type { Step } from "../../agents/scripted.ts";
import { makeZip } from "../../cli/setup/make-zip.ts";
import { answer, claudeSays, done } from "../support/answers.ts";
import { git } from "../support/git.ts";
import { type Project, type ProjectOptions, project, wholeLines } from "../support/harness.ts";
import { until } from "../support/until.ts";

/** A folder, the environment with `ralph` on the PATH, and what has to end before it goes. */
export type World = { cwd: string; env: Record<string, string>; end(): Promise<void> };

/** Ticks the first open box, writes a file of its own, and commits: what an agent that works does. */
const works = (nth: number): Step => ({
  files: { [`src/step-${nth}.txt`]: `${nth}\n` },
  shell:
    "plan=.ralph/@fix_plan.md; if [ -f $plan ]; then awk '!d && sub(/- \\[ \\]/, \"- [x]\") { d = 1 } 1' $plan >plan.new && mv plan.new $plan; fi; " +
    `git add -A && git commit -qm "step ${nth}"`,
  stdout: answer({ text: `Step ${nth} is done.` }),
});
const steps = (count: number): Step[] => [...Array.from({ length: count }, (_, index) => works(index + 1)), done];

const plan = (tasks: number) =>
  `# Plan\n\n${Array.from({ length: tasks }, (_, index) => `- [ ] Make part ${index + 1}`).join("\n")}\n`;

const PROJECT = (tasks: number) => ({
  ".ralph/PROMPT.md": "Do the next task.\n",
  ".ralph/@fix_plan.md": plan(tasks),
  "src.txt": "0\n",
});
const PACKAGE = JSON.stringify({ name: "shop", type: "module", scripts: { test: "node --test" } });
const REQUIREMENTS = "# Shop\n\n## Requirements\n\n- FR-1: Sign in\n- FR-2: Pay\n";
/** What Codex prints for an answer that says that everything is done. */
const CODEX = [
  { type: "thread.started", thread_id: "5e550001-0000-4000-8000-000000000002" },
  { type: "turn.started" },
  {
    type: "item.completed",
    item: {
      id: "item_0",
      type: "agent_message",
      text: "Done.\n---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---",
    },
  },
  { type: "turn.completed", usage: { input_tokens: 100, cached_input_tokens: 0, output_tokens: 10 } },
]
  .map((event) => JSON.stringify(event))
  .join("\n");

const DOCUMENTS = {
  "prd.md": REQUIREMENTS,
  "_bmad-output/planning-artifacts/epics.md": "## Epic 1: Selling\n\n### Story 1.1: Sign in\n\nWith a name.\n",
};
const WORD = makeZip({
  "[Content_Types].xml": "<x/>",
  "word/document.xml": "<w:document><w:body><w:p><w:r><w:t>FR-1: Sign in</w:t></w:r></w:p></w:body></w:document>",
});
/** The files that examples of the help name. */
const NAMED = {
  "package.json": PACKAGE,
  "TODO.md": "- [ ] Print the bill\n",
  "answer.jsonl": answer(),
  "1.out": `${CODEX}\n`,
  "2.out": `${CODEX}\n`,
};
const QUESTION = "Which database should I use, SQLite or Postgres?";

/** The agent's answer to the import of a document. */
function planned(name: string): Step {
  const mark = importMarker({ name, text: REQUIREMENTS });
  const block = (file: string, text: string) => `<<<FILE ${mark} ${file}\n${text}\n>>>END ${mark}`;
  const plan = "## High Priority\n- [ ] FR-1: Sign in\n- [ ] FR-2: Pay";
  const specs = block("specs/requirements.md", "# FR-1\n# FR-2");
  return claudeSays([block("goal.md", "A shop."), block("@fix_plan.md", plan), specs].join("\n"));
}

/** Each world by the name that the pages use. */
const WORLDS: Readonly<Record<string, () => Promise<World>>> = {
  /** An empty folder. */
  nothing: async () => worldOf(open({ files: {}, git: false, steps: steps(4) })),
  /** A repository with a TODO, and no file of ralph. */
  todo: async () =>
    worldOf(
      open({
        files: { "TODO.md": "# TODO\n\n- [ ] Print the bill\n- [ ] Say thanks\n", "package.json": PACKAGE },
        steps: steps(3),
      }),
    ),
  /** A repository with a document to import. */
  document: async () =>
    worldOf(open({ files: { "requirements.md": REQUIREMENTS }, steps: [planned("requirements.md"), ...steps(4)] })),
  /** A project with three tasks, which the agent does. */
  project: async () => worldOf(open({ files: PROJECT(3), steps: steps(3) })),
  /** Two runs of four iterations each, ended by a bound. */
  history: () => history({ runs: 2, iterations: 4 }),
  /** A project of four runs of seven iterations, with the files that the examples of the help name. */
  long: () => history({ runs: 4, iterations: 7 }, NAMED),
  /** A project with a second prompt. */
  modes: async () => worldOf(open({ files: { ...PROJECT(9), "PROMPT-plan.md": "Plan.\n" }, steps: steps(9) })),
  /** Documents of each kind to import. */
  documents: async () => {
    const at = open({ files: DOCUMENTS, steps: [planned("prd.md"), ...steps(4)] });
    writeFileSync(at.path("prd.docx"), WORD);
    return worldOf(at);
  },
  /** A repository with a check, a remote and two finished branches. */
  team: async () => worldOf(team()),
  /** Two questions are open. */
  asking,
  /** A run that pauses. */
  paused,
  /** A run that goes on, in a folder called shop, with an open question. */
  live,
};

function team(): Project {
  const at = open({ files: { ...PROJECT(3), ".ralph/.ralphrc": 'TEST_COMMAND="true"\n' }, steps: steps(3) });
  git(at, "branch", "-m", "main");
  for (const branch of ["topic", "fix-7"]) {
    git(at, "switch", "--quiet", "-c", branch, "main");
    at.write(`${branch}.txt`, "done\n");
    git(at, "add", `${branch}.txt`);
    git(at, "commit", "--quiet", "-m", branch);
  }
  git(at, "switch", "--quiet", "main");
  const hub = join(at.dir, "..", "hub.git");
  git(at, "clone", "--quiet", "--bare", ".", hub);
  git(at, "remote", "add", "origin", hub);
  return at;
}

/** A new world. @throws for a name that is none */
export async function openWorld(name: string): Promise<World> {
  const make = WORLDS[name];
  if (make === undefined) throw new Error(`there is no world called ${name}, only ${Object.keys(WORLDS).join(", ")}`);
  return make();
}

/** A project whose runs were ended by a bound, with tasks left. */
async function history(
  { runs, iterations }: { runs: number; iterations: number },
  files: Readonly<Record<string, string>> = {},
): Promise<World> {
  const all = runs * iterations;
  const at = open({ files: { ...PROJECT(all + 2), ...files }, steps: steps(all + 2) });
  for (let nth = 0; nth < runs; nth += 1) {
    const { exit, stderr } = await at.ralph("run", "--max-iterations", String(iterations));
    if (exit !== 4) throw new Error(`run ${nth + 1} of the history ended with ${exit}: ${stderr}`);
  }
  return worldOf(at);
}

async function asking(): Promise<World> {
  const asks = (question: string): Step => ({ stdout: answer({ text: question }) });
  const at = open({
    files: PROJECT(9),
    steps: [asks(QUESTION), asks("Which port should I use, 80 or 8080?")],
  });
  const { exit, stderr } = await at.ralph("run", "--max-iterations", "2", "--on-question", "park");
  if (exit !== 4) throw new Error(`the run that asks ended with ${exit}: ${stderr}`);
  return worldOf(at);
}

async function paused(): Promise<World> {
  const world = await live();
  return {
    ...world,
    async end() {
      const { exitCode, stderr } = Bun.spawnSync(["ralph", "stop", "--now"], world);
      if (exitCode !== 0) throw new Error(`the paused run does not stop: ${stderr}`);
      await world.end();
    },
  };
}

async function live(): Promise<World> {
  const files = Object.fromEntries(Object.entries(PROJECT(9)).map(([path, text]) => [`shop/${path}`, text]));
  const waits = { ...works(2), waits_for: "go" };
  const at = open({ files, steps: [{ ...works(1), stdout: answer({ text: QUESTION }) }, waits, ...steps(12)] });
  const run = at.start("run", "--max-iterations", "9", "-C", "shop");
  await until("the second call", () => at.calls().length === 2);
  const { env } = worldOf(at);
  return {
    cwd: at.path("shop"),
    env,
    async end() {
      at.write("shop/go", "");
      await run.ended;
    },
  };
}

function open(options: ProjectOptions): Project {
  const at = project(options);
  const beside = (...names: string[]) => join(at.dir, "..", ...names);
  symlinkSync(binary, beside("bin", "ralph"));
  const codex = `if [ "$1" = --version ]; then echo codex-cli 0.169.0; exit; fi\ncat >/dev/null\ncat <<'END'\n${CODEX}\nEND\n`;
  writeFileSync(beside("bin", "codex"), `#!/bin/sh\n${codex}`, { mode: 0o755 });
  mkdirSync(beside("home", ".local", "share", "man", "man1"), { recursive: true });
  // What `ralph demo --keep` keeps goes with the rest.
  mkdirSync(beside("tmp"));
  Object.assign(at.env, { EDITOR: "true", TMPDIR: beside("tmp") });
  return at;
}

function worldOf(at: Project): World {
  const journals = () => at.runs().map((run) => wholeLines(at.path(`.ralph/runs/${run}/events.jsonl`)));
  const isOver = (lines: readonly string[]) => lines.some((line) => line.includes('"type":"run_finished"'));
  return {
    cwd: at.dir,
    env: at.env,
    // A run in the background outlives the command that started it.
    end: () => until("the end of the runs", () => journals().every(isOver)),
  };
}
