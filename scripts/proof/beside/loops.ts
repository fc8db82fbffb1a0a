import { join } from "node:path";

/** What a loop is given for one run. */
export type Given = { root: string; bin: string; ralph: string; peers: string; most: number };

/** One loop, as its users start it. */
export type Loop = {
  name: string;
  /** Where it comes from: a repository and its commit, or an npm package; null for what is not a peer. */
  from: { source: string; version: string; get: string } | null;
  /** The file in the folder of peers by which its presence is known. */
  entry: string | null;
  /** See `State`. */
  marker: string | null;
  planFile: string | null;
  files: Readonly<Record<string, string>>;
  argv: (given: Given) => readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Whether its end says that the project is done. */
  saidDone: (exitCode: number, output: string) => boolean;
};

const TASK = "Do the next open task of the plan. Say that you are done only when every task of it is done.";
const PROMISE = "<promise>COMPLETE</promise>";
const exitedWell = (exitCode: number) => exitCode === 0;

/** Ours waits by the clock before it calls an idle agent again: its clock runs faster, as
 * the sleeps of the others are cut. Much faster would let its time limits strike on a busy machine. */
const FASTER = ["faketime", "-f", "+0 x20"];

const OURS = {
  from: null,
  entry: null,
  marker: null,
  planFile: ".ralph/fix_plan.md",
  argv: ({ ralph, most }: Given) => [
    ...FASTER,
    ralph,
    "run",
    `--max-iterations=${most}`,
    "--permission-mode=acceptEdits",
  ],
  env: { RALPH_TRUST: "true" },
  saidDone: exitedWell,
} satisfies Partial<Loop>;

const setup = (lines: string) => ({ ".ralph/PROMPT.md": `${TASK}\n`, ".ralph/.ralphrc": `${lines}` });
const EVIDENCE = 'DONE_POLICY=evidence\nTEST_COMMAND="npm test"\n';

function clone(repository: string, version: string) {
  return { source: repository, version, get: `git clone https://github.com/${repository} DIR/${repository}` };
}

/** The loops that are held beside each other. Peers are used as they are, from the folder that `--peers` names. */
export const LOOPS: readonly Loop[] = [
  { ...OURS, name: "ours, evidence + gate", files: setup(EVIDENCE) },
  { ...OURS, name: "ours, evidence + gate + a look", files: setup(`${EVIDENCE}REVIEW_ON_DONE=1\n`) },
  { ...OURS, name: "ours, signals without a gate", files: setup("DONE_POLICY=signals\n") },
  {
    name: "bare while",
    from: null,
    entry: null,
    marker: PROMISE,
    planFile: "PLAN.md",
    files: { "PROMPT.md": `${TASK} Then print ${PROMISE}.\n` },
    argv: ({ most }) => [
      "sh",
      "-c",
      `i=0; while [ $i -lt ${most} ]; do i=$((i+1)); claude -p < PROMPT.md | grep -q "${PROMISE}" && exit 0; done; exit 1`,
    ],
    saidDone: exitedWell,
  },
  {
    name: "snarktank/ralph",
    from: clone("snarktank/ralph", "6c53cb0"),
    entry: "snarktank/ralph/ralph.sh",
    marker: PROMISE,
    planFile: "PLAN.md",
    files: {},
    argv: ({ peers, most }) => ["bash", join(peers, "snarktank/ralph/ralph.sh"), "--tool", "claude", `${most}`],
    saidDone: exitedWell,
  },
  {
    name: "open-ralph-wiggum",
    from: clone("Th0rgal/open-ralph-wiggum", "ec50320"),
    entry: "Th0rgal/open-ralph-wiggum/ralph.ts",
    marker: PROMISE,
    planFile: "PLAN.md",
    files: {},
    argv: ({ peers, most }) => [
      process.execPath,
      join(peers, "Th0rgal/open-ralph-wiggum/ralph.ts"),
      TASK,
      "--agent",
      "claude-code",
      "--max-iterations",
      `${most}`,
      "--no-commit",
      "--no-plugins",
    ],
    saidDone: (_, output) => /Completion promise detected|Task completed in/i.test(output),
  },
  {
    name: "continuous-claude",
    from: clone("AnandChowdhary/continuous-claude", "41cf787"),
    entry: "AnandChowdhary/continuous-claude/continuous_claude.sh",
    marker: "CONTINUOUS_CLAUDE_PROJECT_COMPLETE",
    planFile: "PLAN.md",
    files: {},
    argv: ({ peers, most }) => [
      "bash",
      join(peers, "AnandChowdhary/continuous-claude/continuous_claude.sh"),
      "-p",
      TASK,
      "-m",
      `${most}`,
      "--disable-commits",
      "--disable-updates",
    ],
    saidDone: (_, output) => output.includes("Project completed!"),
  },
  {
    name: "frankbria/ralph-claude-code",
    from: clone("frankbria/ralph-claude-code", "e8533cc"),
    entry: "frankbria/ralph-claude-code/ralph_loop.sh",
    marker: null,
    planFile: ".ralph/fix_plan.md",
    files: {
      ".ralph/PROMPT.md": `${TASK}\n`,
      ".ralph/AGENT.md": "npm test\n",
      ".ralphrc": "CLAUDE_AUTO_UPDATE=false\n",
    },
    argv: ({ peers }) => ["bash", join(peers, "frankbria/ralph-claude-code/ralph_loop.sh"), "--live"],
    saidDone: (_, output) => /Ralph has completed the project|graceful exit/i.test(output),
  },
  {
    name: "ralph-starter --validate",
    from: {
      source: "npm: ralph-starter",
      version: "0.5.2",
      get: "npm i --prefix DIR/npm --ignore-scripts ralph-starter@0.5.2",
    },
    entry: "npm/node_modules/.bin/ralph-starter",
    marker: PROMISE,
    planFile: "PLAN.md",
    files: {},
    argv: ({ peers, root, most }) => [
      join(peers, "npm/node_modules/.bin/ralph-starter"),
      "run",
      TASK,
      "--agent",
      "claude-code",
      "--validate",
      "--headless",
      "--no-auto-skills",
      "--max-iterations",
      `${most}`,
      "--completion-promise",
      PROMISE,
      "--output-dir",
      root,
    ],
    saidDone: exitedWell,
  },
  {
    name: "ralphy",
    from: {
      source: "npm: ralphy-cli",
      version: "4.7.2",
      get: "npm i --prefix DIR/npm --ignore-scripts ralphy-cli@4.7.2",
    },
    entry: "npm/node_modules/.bin/ralphy",
    marker: PROMISE,
    planFile: null,
    files: { "PRD.md": Array.from({ length: 6 }, (_, index) => `- [ ] Task ${index + 1}\n`).join("") },
    argv: ({ peers, most }) => [
      join(peers, "npm/node_modules/.bin/ralphy"),
      "--claude",
      "--prd",
      "PRD.md",
      "--max-iterations",
      `${most}`,
      "--no-commit",
    ],
    saidDone: exitedWell,
  },
];
