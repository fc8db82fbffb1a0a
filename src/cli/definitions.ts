import { SETTING_NAMES, specOf } from "../core/settings.ts";
import { type Args, type Definition, define } from "./define.ts";

const JSON_FLAG = { type: "boolean", description: "print JSON", group: "output" } as const;

const ALL_SETTINGS = SETTING_NAMES.filter((name) => specOf(name).flag !== undefined);

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
  args: { mode: MODE, ...RUN_FLAGS },
  settings: ALL_SETTINGS,
  exclusive: ["mode", "prompt", "task"],
  examples: [
    ["ralph run", "the loop, with .ralph/PROMPT.md"],
    ["ralph run plan --max-iterations 5", "five iterations at most of PROMPT-plan.md"],
    ["ralph run --driver codex --max-cost 10", "another agent, and a bound"],
    ['ralph run --task "Mend the failing tests"', "no files needed"],
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
    follow: { type: "boolean", alias: "f", description: "go on as the run goes on", group: "output" },
    json: { type: "boolean", description: "print the lines of the journal", group: "output" },
  },
  settings: [],
  examples: [
    ["ralph logs", "the newest run"],
    ["ralph logs -f", "the live run, as it goes on"],
  ],
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
  exclusive: ["prompt", "task"],
  examples: [
    ["ralph config", "changed settings first, then the defaults"],
    ["ralph config --json -c 50", "what a flag of run would change"],
  ],
});

export const PROMPT = define({
  meta: { name: "prompt", description: "exactly what the next iteration would send" },
  args: { mode: MODE, task: TASK, json: JSON_FLAG },
  settings: ALL_SETTINGS,
  exclusive: ["mode", "prompt", "task"],
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
      description: "one recording for each iteration, in order",
    },
    driver: {
      type: "string",
      valueHint: "NAME",
      description: "whose output it is (told from the output)",
      group: "agent",
    },
    stderr: { type: "string", valueHint: "FILE", description: "what the agent wrote to stderr", group: "agent" },
    "exit-code": { type: "string", valueHint: "N", description: "the agent's exit code", group: "agent" },
    json: JSON_FLAG,
  },
  settings: ["ALLOWED_TOOLS"],
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
  settings: [],
  examples: [["ralph drivers", "which agents are installed, and what they can do"]],
});

export const DRIVERS_SHOW = define({
  meta: { name: "drivers show", description: "one driver: its program, version and capabilities" },
  args: {
    name: { type: "positional", valueHint: "NAME", required: true, description: "a driver, or a file" },
    json: JSON_FLAG,
  },
  settings: [],
  examples: [["ralph drivers show codex --json", "one driver, for programs"]],
});

export const DRIVERS = define({
  meta: { name: "drivers", description: "drivers found, and what they can do" },
  args: {},
  settings: [],
  subCommands: { list: DRIVERS_LIST, show: DRIVERS_SHOW },
  default: "list",
  examples: [...DRIVERS_LIST.examples, ...DRIVERS_SHOW.examples],
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
  status: STATUS,
  logs: LOGS,
  plan: PLAN,
  prompt: PROMPT,
  config: CONFIG,
  analyze: ANALYZE,
  circuit: CIRCUIT,
  session: SESSION,
  drivers: DRIVERS,
  demo: DEMO,
  help: HELP,
};
