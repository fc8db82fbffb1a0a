import { join } from "node:path";
import type { Loop } from "./loops.ts";
import { FASTER, TASK } from "./ours.ts";

const PROMISE = "<promise>COMPLETE</promise>";
const TASKS = Array.from({ length: 6 }, (_, index) => index + 1);
const exitedWell = (exitCode: number) => exitCode === 0;

function clone(repository: string, version: string) {
  return { source: repository, version, get: `git clone https://github.com/${repository} DIR/${repository}` };
}

/** A bare loop in the shell, and the programs of others as they are. */
export const PEERS: readonly Loop[] = [
  {
    name: "bare while",
    from: null,
    entry: null,
    cli: "claude",
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
    cli: "claude",
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
    cli: "claude",
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
    cli: "claude",
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
    cli: "claude",
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
    cli: "claude",
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
    cli: "claude",
    marker: PROMISE,
    planFile: null,
    files: { "PRD.md": TASKS.map((number) => `- [ ] Task ${number}\n`).join("") },
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
  {
    name: "ralph-tui",
    from: {
      source: "npm: ralph-tui",
      version: "0.11.0",
      get: "npm i --prefix DIR/npm --ignore-scripts ralph-tui@0.11.0",
    },
    entry: "npm/node_modules/.bin/ralph-tui",
    cli: "claude",
    marker: PROMISE,
    markerMeans: "task",
    planFile: null,
    files: { "prd.json": prd() },
    argv: ({ peers, most }) => [
      process.execPath,
      join(peers, "npm/node_modules/.bin/ralph-tui"),
      "run",
      "--headless",
      "--no-setup",
      "--prd",
      "prd.json",
      "--agent",
      "claude",
      "--iterations",
      `${most}`,
      "--delay",
      "0",
      "--serial",
    ],
    saidDone: (_, output) => output.includes("All tasks complete!"),
  },
  ralphex("ralphex, its reviews", ["--external-review-tool", "none"]),
  ralphex("ralphex, its reviews + gate", ["--external-review-tool", "custom", "--custom-review-script", "./gate.sh"]),
  waiting(ralphex("ralphex, its reviews, --wait", ["--external-review-tool", "none", "--wait", "6s"])),
  {
    name: "ralphctl",
    from: {
      ...clone("lukas-grigis/ralphctl", "4a6a3d7"),
      get: `${clone("lukas-grigis/ralphctl", "").get} && npm i --prefix DIR/lukas-grigis/ralphctl --omit=dev --ignore-scripts`,
    },
    entry: "lukas-grigis/ralphctl/node_modules/ink",
    isDriven: true,
    cli: "claude",
    marker: null,
    planFile: null,
    files: {
      "gate.sh":
        "#!/bin/sh\nls src/task-*.js >/dev/null 2>&1 || exit 0\nnode --test $(ls src/task-*.js | sed 's#src/\\(.*\\).js#tests/\\1.test.js#')\n",
    },
    argv: ({ peers, root }) => [
      process.execPath,
      join(import.meta.dirname, "ralphctl.ts"),
      join(peers, "lukas-grigis/ralphctl/src/index.ts"),
      root,
    ],
    saidDone: (_, output) => /status +review[\s\S]*tasks +6\/6 done/.test(output) && !output.includes("with-warning"),
  },
  {
    name: "bmalph, gate that blocks",
    from: clone("LarsCowe/bmalph", "29ff780"),
    entry: "LarsCowe/bmalph/ralph/ralph_loop.sh",
    cli: "claude",
    marker: null,
    planFile: ".ralph/@fix_plan.md",
    files: {
      ".ralph/PROMPT.md": `${TASK}\n`,
      ".ralph/@AGENT.md": "npm test\n",
      ".ralph/.ralphrc": 'PLATFORM_DRIVER="claude-code"\nTEST_COMMAND="npm test"\nQUALITY_GATE_MODE="block"\n',
    },
    argv: ({ peers }) => ["bash", join(peers, "LarsCowe/bmalph/ralph/ralph_loop.sh"), "--live"],
    saidDone: (_, output) => output.includes("has completed the project"),
  },
];

/** The plan, then reviews by the same agent. Its way to let a command check the work is a review that a script writes. */
function ralphex(name: string, review: readonly string[]): Loop {
  const program = "umputun/ralphex/.bin/ralphex";
  return {
    name,
    from: clone("umputun/ralphex", "c36bfdc"),
    entry: program,
    cli: "claude",
    marker: "<<<RALPHEX:ALL_TASKS_DONE>>>",
    planFile: "docs/plans/shop.md",
    planAs: "sections",
    reviews: { looked: "<<<RALPHEX:REVIEW_DONE>>>", read: "<<<RALPHEX:CODEX_REVIEW_DONE>>>" },
    files: {
      ".ralphex/config": "iteration_delay_ms = 10\n",
      "gate.sh": "#!/bin/sh\nnpm test 2>&1 && echo NO ISSUES FOUND; exit 0\n",
    },
    argv: ({ peers, most }) => [join(peers, program), "docs/plans/shop.md", "--max-iterations", `${most}`, ...review],
    saidDone: exitedWell,
  };
}

/**
 * A program that waits for a limit's end by a clock of its own, which faketime does not reach: the agent's clock runs faster, as with
 * ours, so that six of its seconds are the minute that a limit lasts.
 */
function waiting(loop: Loop): Loop {
  return { ...loop, argv: (given) => [...FASTER, ...loop.argv(given)] };
}

function prd(): string {
  const userStories = TASKS.map((number) => ({
    id: `US-${number}`,
    title: `Task ${number}`,
    description: `Task ${number}`,
    acceptanceCriteria: ["npm test is green"],
    priority: number,
    passes: false,
  }));
  return JSON.stringify({ name: "shop", branchName: "main", description: "The plan", userStories }, null, 2);
}
