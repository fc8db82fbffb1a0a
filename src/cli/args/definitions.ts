import { SETTING_NAMES, settingSpec } from "../../core/settings/settings.ts";
import { type Args, type Definition, define } from "./define.ts";

const JSON_FLAG = { type: "boolean", description: "print JSON", group: "output" } as const;

const ALL_SETTINGS = SETTING_NAMES.filter((name) => settingSpec(name).flag !== undefined);

const TASK = { type: "string", valueHint: "TEXT", description: "do this, without any files", group: "task" } as const;

const MODE = { type: "positional", valueHint: "MODE", required: false, description: "use PROMPT-MODE.md" } as const;

const RUN_FLAGS = {
  task: TASK,
  live: {
    type: "boolean",
    alias: "l",
    negatable: true,
    description: "show the agent's work live (on a terminal: yes)",
    group: "output",
  },
  "dry-run": { type: "boolean", description: "print what would be sent, and start nothing", group: "output" },
} as const satisfies Args;

export const RUN = define({
  meta: { name: "run", description: "run the agent again and again until the work is done" },
  args: {
    mode: MODE,
    ...RUN_FLAGS,
    monitor: { type: "boolean", alias: "m", description: "with the dashboard in this terminal", group: "output" },
    detach: { type: "boolean", description: "in the background; ralph attach shows it", group: "output" },
    json: { type: "boolean", description: "print the lines of the journal", group: "output" },
  },
  settings: ALL_SETTINGS,
  exclusive: [
    ["mode", "prompt", "task"],
    ["json", "monitor"],
    ["json", "detach"],
  ],
  examples: [
    ["ralph run", "the loop, with .ralph/PROMPT.md"],
    ["ralph run plan --max-iterations 5", "five iterations at most of PROMPT-plan.md"],
    ["ralph run --driver codex --max-tokens 2000000", "another agent, and a bound"],
    ['ralph run --task "Mend the failing tests"', "no files needed"],
  ],
});

export const SETUP = define({
  meta: { name: "setup", description: "make this folder, or a new one, a Ralph project" },
  args: {
    folder: { type: "positional", valueHint: "NAME", required: false, description: "a new folder (default: this one)" },
    yes: { type: "boolean", alias: "y", description: "ask nothing: take what is found", group: "task" },
    from: {
      type: "enum",
      options: ["none", "prd", "github", "beads", "bmad"],
      valueHint: "SOURCE",
      description: "take tasks from: prd, github, beads, bmad or none",
      group: "task",
    },
    prd: { type: "string", valueHint: "FILE", description: "take tasks from this document", group: "task" },
    label: {
      type: "string",
      valueHint: "LABEL",
      description: "with --from github: issues of this label",
      group: "task",
    },
    name: { type: "string", valueHint: "NAME", description: "the project's name", group: "project" },
    type: { type: "string", valueHint: "WORD", description: "its main language, in a word of yours", group: "project" },
    "test-command": {
      type: "string",
      valueHint: "CMD",
      description: "must exit 0 before done is believed; or none",
      group: "project",
    },
    migrate: { type: "boolean", description: "move files of an old layout into .ralph/", group: "project" },
    force: { type: "boolean", description: "replace ralph's own files, after a backup", group: "project" },
    json: JSON_FLAG,
  },
  settings: ["PLATFORM_DRIVER", "MAX_CALLS_PER_HOUR", "MAX_ITERATIONS", "MAX_TIME"],
  examples: [
    ["ralph setup", "looks at this folder, and asks what it cannot find out"],
    ["ralph setup shop", "a new project with a git repository"],
    ["ralph setup --yes --driver codex --from prd", "asks nothing"],
  ],
});

export const ENABLE = define({ ...SETUP, meta: { name: "enable", description: "the same as setup" } });

export const IMPORT = define({
  meta: { name: "import", description: "turn a PRD, issues or a BMAD plan into plan and specs" },
  args: {
    source: {
      type: "positional",
      valueHint: "FILE",
      required: false,
      description: ".md .txt .json .pdf .docx, a folder, or an issue (#12, OWNER/REPO#12, URL)",
    },
    folder: {
      type: "positional",
      valueHint: "NAME",
      required: false,
      description: "the project's folder, or . (default: this project, else one after the file)",
    },
    agent: {
      type: "boolean",
      negatable: true,
      description: "let the agent do it (yes); without: by rules alone",
      group: "task",
    },
    from: {
      type: "enum",
      options: ["prd", "github", "beads", "bmad"],
      valueHint: "SOURCE",
      description: "without FILE: prd, github, beads or bmad (TASK_SOURCES)",
      group: "task",
    },
    "dry-run": { type: "boolean", description: "show what would change, and change nothing", group: "task" },
    yes: { type: "boolean", alias: "y", description: "ask nothing", group: "task" },
    force: { type: "boolean", description: "import a plan that has errors", group: "task" },
    label: { type: "string", valueHint: "LIST", description: "issues with these labels", group: "issues" },
    "exclude-label": { type: "string", valueHint: "LIST", description: "without these", group: "issues" },
    title: { type: "string", valueHint: "PATTERN", description: "with this title; * is anything", group: "issues" },
    assignee: { type: "string", valueHint: "WHO", description: "of this login, @me or none", group: "issues" },
    milestone: { type: "string", valueHint: "NAME", description: "of this milestone", group: "issues" },
    state: {
      type: "enum",
      options: ["open", "closed", "all"],
      valueHint: "STATE",
      description: "open, closed or all (open)",
      group: "issues",
    },
    select: {
      type: "enum",
      options: ["all", "first", "priority", "interactive"],
      valueHint: "HOW",
      description: "all (tasks), or one as a document: first, priority, interactive",
      group: "issues",
    },
    threshold: {
      type: "string",
      valueHint: "N",
      description: "completeness from which rules alone will do (60)",
      group: "issues",
    },
    json: JSON_FLAG,
  },
  settings: [
    "PLATFORM_DRIVER",
    "CLAUDE_MODEL",
    "CLAUDE_EFFORT",
    "CLAUDE_TIMEOUT_MINUTES",
    "CLAUDE_OUTPUT_FORMAT",
    "RALPH_TRUST_DRIVERS",
  ],
  exclusive: [["source", "from"]],
  examples: [
    ["ralph import prd.md", "a new project after the file, its plan made by the agent"],
    ["ralph import prd.docx . --no-agent", "here, by rules alone: no account, no cost"],
    ["ralph import _bmad-output/planning-artifacts", "the stories of a BMAD plan"],
    ["ralph import --from github --label ralph-task --dry-run", "which tasks the issues would give"],
  ],
});

export const STATUS = define({
  meta: { name: "status", description: "the last known state, in ten lines" },
  args: { json: JSON_FLAG },
  settings: [],
  examples: [
    ["ralph status", "what the loop is doing, or how it ended"],
    ["ralph status --json", "the same for programs"],
  ],
});

export const LOGS = define({
  meta: { name: "logs", description: "a run as readable lines" },
  args: {
    run: { type: "positional", valueHint: "RUN", required: false, description: "a run (default: the newest)" },
    follow: {
      type: "boolean",
      alias: "f",
      description: "go on as it goes on; without RUN, also with the next run",
      group: "output",
    },
    iteration: { type: "string", valueHint: "N", description: "only this iteration", group: "output" },
    grep: { type: "string", valueHint: "TEXT", description: "only lines with this text, in any case", group: "output" },
    level: {
      type: "enum",
      options: ["info", "warn", "error"],
      valueHint: "LEVEL",
      description: "info (all), warn or error, and worse",
      group: "output",
    },
    json: { type: "boolean", description: "print the lines of the journal", group: "output" },
  },
  settings: [],
  examples: [
    ["ralph logs", "the newest run"],
    ["ralph logs -f", "the live run as it goes on, and those after it"],
    ["ralph logs 3 --iteration 7 --grep error", "one iteration of the third run"],
  ],
});

const RUN_NAME = {
  type: "positional",
  valueHint: "RUN",
  required: false,
  description: "a run (default: the newest)",
} as const;

export const MONITOR = define({
  meta: { name: "monitor", description: "full-screen dashboard of a live or finished run" },
  args: { run: RUN_NAME },
  settings: [],
  examples: [
    ["ralph monitor", "the newest run, and whatever comes after it; leaving it stops nothing"],
    ["ralph monitor 3", "the third run"],
  ],
});

export const ATTACH = define({
  meta: { name: "attach", description: "the same as monitor" },
  args: { run: RUN_NAME },
  settings: [],
  examples: [["ralph attach", "the dashboard of a run in the background"]],
});

export const REPLAY = define({
  meta: { name: "replay", description: "a run played back, as it was shown live" },
  args: {
    run: RUN_NAME,
    monitor: { type: "boolean", alias: "m", description: "on the dashboard, in place of lines", group: "output" },
    speed: {
      type: "string",
      valueHint: "N",
      description: "N times as fast (on a terminal: 1; no pause is over 2 s)",
      group: "output",
    },
    step: { type: "boolean", description: "paused: → shows the next event, space plays on", group: "output" },
    iteration: { type: "string", valueHint: "N", description: "begin with this iteration", group: "output" },
    live: {
      type: "boolean",
      alias: "l",
      negatable: true,
      description: "with the agent's text and tools (yes)",
      group: "output",
    },
  },
  settings: [],
  exclusive: [["speed", "step"]],
  examples: [
    ["ralph replay", "the newest run; space pauses, + and - change the speed, q leaves"],
    ["ralph replay 3 --speed 10", "the third run, ten times as fast"],
    ["ralph replay -m", "on the dashboard, where one can jump to any iteration"],
    ["ralph replay --iteration 7 --step", "event by event from the seventh iteration on"],
  ],
});

export const REPORT = define({
  meta: { name: "report", description: "receipts of a run: cost, time, files, gates, and why" },
  args: {
    run: RUN_NAME,
    html: {
      type: "string",
      valueHint: "FILE",
      description: "write one page for a browser; - is stdout",
      group: "output",
    },
    json: JSON_FLAG,
  },
  settings: [],
  examples: [
    ["ralph report", "each iteration, each task, and the whole run"],
    ["ralph report 3 --html report.html", "with charts and the transcript, in one file"],
    ["ralph report --json", "the same for programs"],
  ],
});

export const RUNS_LIST = define({
  meta: { name: "runs list", description: "the runs that are kept, and how each ended" },
  args: { json: JSON_FLAG },
  settings: [],
  examples: [["ralph runs", "outcome, iterations, cost and time of each run"]],
});

export const RUNS_PRUNE = define({
  meta: { name: "runs prune", description: "delete all but the newest runs" },
  args: {
    keep: { type: "string", valueHint: "N", description: "how many runs to keep, at least 1", group: "task" },
    yes: { type: "boolean", description: "do not ask", group: "task" },
    json: JSON_FLAG,
  },
  settings: [],
  examples: [["ralph runs prune --keep 20", "never the newest, never a live one; asks first"]],
});

export const RUNS = define({
  meta: { name: "runs", description: "the runs that are kept; prune deletes old ones" },
  args: {},
  settings: [],
  subCommands: { list: RUNS_LIST, prune: RUNS_PRUNE },
  default: "list",
  examples: [...RUNS_LIST.examples, ...RUNS_PRUNE.examples],
});

export const SAY = define({
  meta: { name: "say", description: "tell the agent of the live run something" },
  args: { text: { type: "positional", valueHint: "TEXT", required: true, repeat: true, description: "what to say" } },
  settings: [],
  examples: [['ralph say "Use yargs, not commander"', "goes into the next prompt, as a note"]],
});

export const STOP = define({
  meta: { name: "stop", description: "stop the live run, after this iteration" },
  args: {
    now: { type: "boolean", description: "end the agent now, in the middle of its work", group: "task" },
    withdraw: { type: "boolean", description: "take a stop back", group: "task" },
  },
  settings: [],
  exclusive: [["now", "withdraw"]],
  examples: [
    ["ralph stop", "lets the agent come to the end of what it does"],
    ["ralph stop --now", "ends it now; the next run goes on in its session"],
  ],
});

export const PAUSE = define({
  meta: { name: "pause", description: "hold the live run: no further call until resume" },
  args: {},
  settings: [],
  examples: [["ralph pause", "after this iteration, until ralph resume"]],
});

export const RESUME = define({
  meta: { name: "resume", description: "let a paused run go on" },
  args: {},
  settings: [],
  examples: [["ralph resume", "ends a pause"]],
});

export const EXTEND = define({
  meta: { name: "extend", description: "allow the live run more iterations" },
  args: { iterations: { type: "positional", valueHint: "N", required: false, description: "so many more (1)" } },
  settings: [],
  examples: [["ralph extend 5", "five more than --max-iterations allows"]],
});

export const PLAN = define({
  meta: { name: "plan", description: "the fix plan, counted, and the next tasks" },
  args: {
    file: { type: "positional", valueHint: "FILE", required: false, description: "a plan (default: the project's)" },
    json: JSON_FLAG,
  },
  settings: [],
  examples: [
    ["ralph plan", "what is done and what comes next"],
    ["ralph plan TODO.md --json", "another plan, for programs"],
  ],
});

export const CONFIG = define({
  meta: { name: "config", description: "effective settings, and where each comes from" },
  args: { ...RUN_FLAGS, json: JSON_FLAG },
  settings: ALL_SETTINGS,
  exclusive: [["prompt", "task"]],
  examples: [
    ["ralph config", "changed settings first, then the defaults"],
    ["ralph config --json -c 50", "what a flag of run would change"],
  ],
});

export const PROMPT = define({
  meta: { name: "prompt", description: "exactly what the next iteration would send" },
  args: { mode: MODE, task: TASK, json: JSON_FLAG },
  settings: ALL_SETTINGS,
  exclusive: [["mode", "prompt", "task"]],
  examples: [
    ["ralph prompt", "prompt, context, command line, names of variables"],
    ["ralph prompt plan --driver codex", "another mode and agent"],
  ],
});

export const ANALYZE = define({
  meta: { name: "analyze", description: "the analysis of recorded agent output, and why" },
  args: {
    files: {
      type: "positional",
      valueHint: "FILE...",
      required: true,
      repeat: true,
      description: "one recording for each iteration, in order; - is stdin",
    },
    driver: {
      type: "string",
      valueHint: "NAME",
      description: "whose output it is (told from the output)",
      group: "agent",
      completes: "drivers",
    },
    stderr: { type: "string", valueHint: "FILE", description: "what the agent wrote to stderr", group: "agent" },
    "exit-code": { type: "string", valueHint: "N", description: "the agent's exit code", group: "agent" },
    json: JSON_FLAG,
  },
  settings: ["ALLOWED_TOOLS", "RALPH_TRUST_DRIVERS"],
  examples: [
    ["ralph analyze answer.jsonl", "what ralph would make of it"],
    ["ralph analyze 1.out 2.out --driver codex --json", "two iterations, for programs"],
  ],
});

export const CIRCUIT_STATUS = define({
  meta: { name: "circuit status", description: "the state of the circuit breaker" },
  args: { json: JSON_FLAG },
  settings: [],
  examples: [["ralph circuit status", "its state, its counters, and why it opened"]],
});

export const CIRCUIT_RESET = define({
  meta: { name: "circuit reset", description: "close the circuit breaker and forget the session" },
  args: {},
  settings: [],
  examples: [["ralph circuit reset", "start afresh after a look at what was wrong"]],
});

export const SESSION_STATUS = define({
  meta: { name: "session status", description: "the agent's session that is resumed next" },
  args: { json: JSON_FLAG },
  settings: [],
  examples: [["ralph session status", "its id and its age"]],
});

export const SESSION_RESET = define({
  meta: { name: "session reset", description: "forget the agent's session" },
  args: {},
  settings: [],
  examples: [["ralph session reset", "the next iteration begins a new one"]],
});

export const CIRCUIT = define({
  meta: { name: "circuit", description: "look at the circuit breaker, or reset it" },
  args: {},
  settings: [],
  subCommands: { status: CIRCUIT_STATUS, reset: CIRCUIT_RESET },
  default: "status",
  examples: [...CIRCUIT_STATUS.examples, ...CIRCUIT_RESET.examples],
});

export const SESSION = define({
  meta: { name: "session", description: "look at the agent's session, or forget it" },
  args: {},
  settings: [],
  subCommands: { status: SESSION_STATUS, reset: SESSION_RESET },
  default: "status",
  examples: [...SESSION_STATUS.examples, ...SESSION_RESET.examples],
});

export const DEMO = define({
  meta: { name: "demo", description: "the whole loop with a scripted agent: no account, no network" },
  args: {},
  settings: [],
  examples: [["ralph demo", "watch a small project being finished in seconds"]],
});

export const DRIVERS_LIST = define({
  meta: { name: "drivers list", description: "the drivers that ralph finds" },
  args: { json: JSON_FLAG },
  settings: ["RALPH_TRUST_DRIVERS"],
  examples: [["ralph drivers", "which agents are installed, and what they can do"]],
});

const DRIVER_NAME = {
  type: "positional",
  valueHint: "NAME",
  required: true,
  description: "a driver, or a file",
  completes: "drivers",
} as const;

export const DRIVERS_SHOW = define({
  meta: { name: "drivers show", description: "one driver: its program, version and capabilities" },
  args: {
    name: DRIVER_NAME,
    json: JSON_FLAG,
  },
  settings: ["RALPH_TRUST_DRIVERS"],
  examples: [["ralph drivers show codex --json", "one driver, for programs"]],
});

export const DRIVERS_TEST = define({
  meta: { name: "drivers test", description: "a live test of one driver: one or two calls" },
  args: {
    name: DRIVER_NAME,
    yes: { type: "boolean", description: "agree to the calls", group: "agent" },
    json: JSON_FLAG,
  },
  settings: [
    "RALPH_TRUST_DRIVERS",
    "CLAUDE_MODEL",
    "CLAUDE_EFFORT",
    "CLAUDE_OUTPUT_FORMAT",
    "CLAUDE_PERMISSION_MODE",
    "ALLOWED_TOOLS",
  ],
  examples: [["ralph drivers test codex", "found, version, answer, tools, session, resumed"]],
});

export const DRIVERS = define({
  meta: { name: "drivers", description: "drivers found, and what they can do" },
  args: {},
  settings: [],
  subCommands: { list: DRIVERS_LIST, show: DRIVERS_SHOW, test: DRIVERS_TEST },
  default: "list",
  examples: [...DRIVERS_LIST.examples, ...DRIVERS_SHOW.examples, ...DRIVERS_TEST.examples],
});

export const DOCTOR = define({
  meta: { name: "doctor", description: "every precondition of a run, and what mends it" },
  args: { json: JSON_FLAG },
  settings: ALL_SETTINGS,
  examples: [
    ["ralph doctor", "is everything there that a run needs?"],
    ["ralph doctor --driver codex --json", "for another agent, for programs"],
  ],
});

export const UPDATE = define({
  meta: { name: "update", description: "replace this program by the newest release" },
  args: {
    check: { type: "boolean", description: "only look whether there is one", group: "task" },
    json: JSON_FLAG,
  },
  settings: [],
  examples: [
    ["ralph update --check", "is there a newer one?"],
    ["ralph update", "download it, verify it, put it in place"],
  ],
});

export const COMPLETIONS = define({
  meta: { name: "completions", description: "completions for a shell" },
  args: {
    shell: {
      type: "positional",
      valueHint: "SHELL",
      required: true,
      description: "bash, zsh, fish or powershell",
      completes: ["bash", "zsh", "fish", "powershell"],
    },
  },
  settings: [],
  examples: [
    ['eval "$(ralph completions bash)"', "in ~/.bashrc; the same for zsh in ~/.zshrc"],
    ["ralph completions fish | source", "in config.fish"],
    ["ralph completions powershell | Out-String | Invoke-Expression", "in $PROFILE"],
  ],
});

export const HELP = define({
  meta: { name: "help", description: "help on a command, or on exit-codes" },
  args: {
    topic: {
      type: "positional",
      valueHint: "TOPIC",
      required: false,
      repeat: true,
      description: "a command, or exit-codes",
      completes: "commands",
    },
  },
  settings: [],
  examples: [
    ["ralph help run", "the flags of run"],
    ["ralph help exit-codes", "every way a run can end"],
  ],
});

/** Every command, in the order of the help. */
export const COMMANDS: Readonly<Record<string, Definition>> = {
  run: RUN,
  setup: SETUP,
  enable: ENABLE,
  import: IMPORT,
  status: STATUS,
  logs: LOGS,
  replay: REPLAY,
  report: REPORT,
  runs: RUNS,
  monitor: MONITOR,
  attach: ATTACH,
  say: SAY,
  stop: STOP,
  pause: PAUSE,
  resume: RESUME,
  extend: EXTEND,
  plan: PLAN,
  prompt: PROMPT,
  config: CONFIG,
  analyze: ANALYZE,
  circuit: CIRCUIT,
  session: SESSION,
  drivers: DRIVERS,
  doctor: DOCTOR,
  demo: DEMO,
  update: UPDATE,
  completions: COMPLETIONS,
  help: HELP,
};
