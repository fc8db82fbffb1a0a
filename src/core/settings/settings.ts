import { COMMAND, MEMORY_SIZE, NAME, PROCESSORS, PUSH_TARGET, TAG_RULE, VERSION } from "./forms.ts";
import type { SettingSpec, SettingValue, ValueOf } from "./setting-spec.ts";

const WIDE_TOOLS = [
  "Write",
  "Read",
  "Edit",
  "MultiEdit",
  "Glob",
  "Grep",
  "Task",
  "TodoWrite",
  "WebFetch",
  "WebSearch",
  "EnterPlanMode",
  "ExitPlanMode",
  "NotebookEdit",
  "Bash",
] as const;

const YEAR_MINUTES = 525_600;

/**
 * Every setting by its public name, in display order. Flags, help, defaults, types and checks derive from here. Source:
 * product.md "`ralph run` flags" and the settings below it.
 */
// biome-ignore format: a table, one row a setting
export const SETTINGS = {
  PROMPT_FILE: { kind: "text", default: ".ralph/PROMPT.md", trust: "file", group: "task", flag: { name: "prompt", short: "p", hint: "FILE" }, help: "the prompt" },
  PREAMBLE: { kind: "text", default: null, group: "task", flag: { name: "preamble", hint: "TEXT" }, help: "text before the prompt" },

  PLATFORM_DRIVER: { kind: "text", default: "claude-code", trust: "driver", group: "agent", flag: { name: "driver", old: ["backend", "B"], hint: "NAME" }, help: "the agent: the name or file of a driver" },
  CLAUDE_MODEL: { kind: "form", form: NAME, default: null, group: "agent", flag: { name: "model", hint: "M" }, help: "model (default: the agent's own)" },
  CLAUDE_EFFORT: { kind: "form", form: NAME, default: null, group: "agent", flag: { name: "effort", hint: "E" }, help: "effort (default: the agent's own)" },
  CLAUDE_TIMEOUT_MINUTES: { kind: "minutes", zeroIsOff: false, max: 120, default: 15, group: "agent", flag: { name: "timeout", short: "t", hint: "MIN" }, help: "minutes for one call, or 90s; at most 120" },
  IDLE_TIMEOUT_MINUTES: { kind: "minutes", zeroIsOff: true, max: 120, default: 0, group: "agent", flag: { name: "idle-timeout", hint: "MIN" }, help: "end a call that is idle for so long; 0 is off" },
  WRITE_TIMEOUT_MINUTES: { kind: "minutes", zeroIsOff: true, max: 120, default: 0, group: "agent", help: "end a call that writes no file for so long; 0 is off" },
  CLAUDE_OUTPUT_FORMAT: { kind: "choice", options: ["json", "text"], default: "json", group: "agent", flag: { name: "output-format", hint: "FORMAT" }, help: "json (tools, usage, sessions) or text" },
  ALLOWED_TOOLS: { kind: "tools", default: WIDE_TOOLS, old: ["CLAUDE_ALLOWED_TOOLS"], trust: "rights", group: "agent", flag: { name: "allowed-tools", hint: "LIST" }, help: "tools it may use, as in Read,Bash(git *)" },
  CLAUDE_PERMISSION_MODE: { kind: "choice", options: ["auto", "acceptEdits", "bypassPermissions", "default", "dontAsk", "plan"], default: "bypassPermissions", trust: "rights", group: "agent", flag: { name: "permission-mode", hint: "M" }, help: "what it may do unasked, such as acceptEdits" },
  PERMISSION_DENIAL_MODE: { kind: "choice", options: ["continue", "halt", "threshold"], default: "continue", group: "agent", flag: { name: "on-denial", hint: "MODE" }, help: "after a denied tool: continue, halt or threshold" },
  ON_QUESTION: { kind: "choice", options: ["continue", "park"], default: "continue", group: "agent", flag: { name: "on-question", hint: "continue|park" }, help: "the agent goes on carefully, or parks the task" },
  CLAUDE_CODE_CMD: { kind: "form", form: COMMAND, default: null, trust: "program", group: "agent", help: "the agent's command, with arguments" },
  CLAUDE_MIN_VERSION: { kind: "form", form: VERSION, default: "2.0.76", group: "agent", help: "warn if Claude Code is older" },
  SANDBOX: { kind: "choice", options: ["none", "os", "docker", "podman"], default: "none", old: ["SANDBOX_PROVIDER"], trust: "rights", group: "agent", flag: { name: "sandbox", hint: "ENGINE", alone: "os" }, help: "shut the agent in: os, docker or podman" },
  SANDBOX_ALLOW_DOMAINS: { kind: "list", separator: ",", default: [], trust: "rights", group: "agent", help: "more hosts a shut-in agent reaches; none, or * for all" },
  SANDBOX_ENV: { kind: "list", separator: ",", default: [], trust: "rights", group: "agent", help: "secret variables that a shut-in agent keeps (NAME, A_*)" },
  SANDBOX_IMAGE: { kind: "text", default: null, old: ["SANDBOX_DOCKER_IMAGE"], trust: "rights", group: "agent", help: "the image for docker and podman, agent included" },
  SANDBOX_MEMORY: { kind: "form", form: MEMORY_SIZE, default: "4g", old: ["SANDBOX_DOCKER_MEMORY"], trust: "rights", group: "agent", help: "memory of its container, as in 512m or 4g" },
  SANDBOX_CPUS: { kind: "form", form: PROCESSORS, default: "2", old: ["SANDBOX_DOCKER_CPUS"], trust: "rights", group: "agent", help: "processors of its container" },
  RALPH_TRUST: { kind: "boolean", default: false, old: ["RALPH_TRUST_DRIVERS"], personal: true, group: "agent", flag: { name: "trust", old: ["trust-driver"] }, help: "run what the project names without asking" },

  SESSION_CONTINUITY: { kind: "boolean", default: true, old: ["CLAUDE_USE_CONTINUE"], group: "session", flag: { name: "continue" }, help: "resume the agent's session in each iteration" },
  SESSION_EXPIRY_HOURS: { kind: "integer", min: 1, max: 8760, unit: "hours", default: 24, old: ["CLAUDE_SESSION_EXPIRY_HOURS"], group: "session", flag: { name: "session-expiry", hint: "H" }, help: "hours after which a session is not resumed" },
  SESSION_RENEW: { kind: "choice-or-integer", options: ["auto", "never", "always"], min: 1, default: "auto", group: "session", help: "a new session: auto (when it pays), never, always, or N" },

  MAX_CALLS_PER_HOUR: { kind: "integer", min: 1, default: 100, group: "bounds", flag: { name: "calls", short: "c", hint: "N" }, help: "calls in a clock hour; then it waits" },
  MAX_TOKENS_PER_HOUR: { kind: "integer", min: 0, default: 0, group: "bounds", help: "tokens in a clock hour, without the cache; 0 is off" },
  MAX_ITERATIONS: { kind: "integer", min: 1, default: null, group: "bounds", flag: { name: "max-iterations", hint: "N" }, help: "stop after so many iterations" },
  MAX_COST_USD: { kind: "money", default: null, group: "bounds", flag: { name: "max-cost", hint: "USD" }, help: "stop when so much is spent" },
  MAX_COST_PER_TASK: { kind: "money", default: null, group: "bounds", help: "stop when one task costs so much" },
  MAX_COST_PER_DAY: { kind: "money", default: null, group: "bounds", help: "stop when all your runs of a day cost so much" },
  ESTIMATE_COST: { kind: "boolean", default: false, group: "bounds", flag: { name: "estimate-cost" }, help: "count estimates where the agent tells no cost" },
  MAX_TOKENS: { kind: "integer", min: 1, default: null, group: "bounds", flag: { name: "max-tokens", hint: "N" }, help: "stop after so many tokens, cached ones too" },
  MAX_TIME: { kind: "minutes", zeroIsOff: false, max: YEAR_MINUTES, default: null, group: "bounds", flag: { name: "max-time", hint: "DUR" }, help: "stop after so long: minutes, or 90s, 8h" },
  STOP_AT: { kind: "clock", default: null, group: "bounds", flag: { name: "until", hint: "HH:MM" }, help: "stop at this time of day" },
  ON_USAGE_LIMIT: { kind: "choice", options: ["wait", "stop"], default: "wait", group: "bounds", flag: { name: "on-limit", hint: "wait|stop" }, help: "at the provider's usage limit" },

  CB_NO_PROGRESS_THRESHOLD: { kind: "integer", min: 0, default: 3, underEvidence: 6, group: "breaker", help: "idle iterations (6 under evidence); 0 is off" },
  CB_SAME_ERROR_THRESHOLD: { kind: "integer", min: 0, default: 5, group: "breaker", help: "iterations with the same error; 0 is off" },
  CB_OUTPUT_DECLINE_THRESHOLD: { kind: "integer", min: 0, max: 100, unit: "percent", default: 70, underEvidence: 0, group: "breaker", help: "decline of output in % (0 under evidence); 0 is off" },
  CB_PERMISSION_DENIAL_THRESHOLD: { kind: "integer", min: 0, default: 2, group: "breaker", help: "with --on-denial threshold: denied iterations; 0 is off" },
  CB_READ_ONLY_TIMEOUT_THRESHOLD: { kind: "integer", min: 0, default: 2, group: "breaker", help: "timeouts without a change; 0 is off" },
  CB_COOLDOWN_MINUTES: { kind: "integer", min: 0, max: YEAR_MINUTES, unit: "minutes", default: 30, group: "breaker", help: "minutes until an open circuit breaker retries" },
  SAME_DENIAL_THRESHOLD: { kind: "integer", min: 0, default: 5, group: "breaker", help: "iterations with the same denial; 0 is off" },
  NO_HEADWAY_THRESHOLD: { kind: "integer", min: 0, default: 8, group: "breaker", help: "iterations on one file, no box or commit; 0 is off" },
  CB_AUTO_RESET: { kind: "boolean", default: false, group: "breaker", flag: { name: "auto-reset-circuit" }, help: "close an open circuit breaker at the start" },

  DONE_POLICY: { kind: "choice", options: ["signals", "evidence"], default: "signals", group: "done", help: "believe signals, or only evidence (plan, gates)" },
  OPTIONAL_SECTIONS: { kind: "list", separator: ",", default: ["Optional", "Future", "Future Enhancements", "Nice to Have"], group: "done", help: "plan sections that do not block" },
  TEST_COMMAND: { kind: "text", default: null, trust: "check", group: "done", help: "the test command, a gate" },
  QUALITY_GATES: { kind: "list", separator: ";", default: [], trust: "check", group: "done", help: "commands that must exit 0, ; between them" },
  QUALITY_GATE_MODE: { kind: "choice", options: ["warn", "block", "circuit-breaker"], default: "warn", group: "done", help: "red gates: warn, block, or circuit-breaker (count as idle)" },
  QUALITY_GATE_TIMEOUT: { kind: "integer", min: 1, max: 86_400, unit: "seconds", default: 120, group: "done", help: "seconds for one gate" },
  QUALITY_GATE_ON_COMPLETION_ONLY: { kind: "boolean", default: false, group: "done", help: "run gates only on a claim of done" },
  GATE_FILES: { kind: "list", separator: ";", default: [], group: "done", help: "more files that gates run or read, as globs" },
  HIDDEN_GATES: { kind: "list", separator: ";", default: [], personal: "environment", group: "done", help: "gates outside the project that the agent never sees" },
  MAX_CONSECUTIVE_TEST_LOOPS: { kind: "integer", min: 1, default: 3, group: "done", help: "stop after so many test-only iterations in a row" },
  MAX_CONSECUTIVE_DONE_SIGNALS: { kind: "integer", min: 1, default: 2, group: "done", help: "stop after so many done signals in a row" },
  PROVEN_COMPLETE: { kind: "boolean", default: true, group: "done", help: "under evidence, green gates can end it unclaimed" },
  TEST_PERCENTAGE_THRESHOLD: { kind: "integer", min: 0, max: 100, unit: "percent", default: 30, group: "done", help: "warn above this share of test-only iterations" },

  REVIEW_MODE: { kind: "choice", options: ["off", "enhanced", "ultimate"], words: { true: "enhanced", false: "off" }, default: "off", old: ["REVIEW_ENABLED"], group: "review", help: "off, enhanced (at intervals) or ultimate (each task)" },
  REVIEW_INTERVAL: { kind: "integer", min: 1, default: 5, unit: "iterations", group: "review", help: "with enhanced: iterations between reviews" },
  REVIEW_ON_DONE: { kind: "integer", min: 0, max: 5, unit: "looks", default: 0, group: "review", flag: { name: "review-on-done", hint: "N" }, help: "looks without a gap before done counts; 0 is off" },
  REVIEW_DRIVER: { kind: "text", default: null, trust: "driver", group: "review", flag: { name: "review-driver", hint: "NAME" }, help: "who looks (default: another agent, if installed)" },
  REVIEW_MODEL: { kind: "form", form: NAME, default: null, group: "review", flag: { name: "review-model", hint: "M" }, help: "the model that looks (default: its agent's own)" },

  COMMIT: { kind: "boolean", default: false, group: "git", flag: { name: "commit" }, help: "commit what each iteration leaves uncommitted" },
  REBASE_ON: { kind: "text", default: null, group: "git", flag: { name: "rebase-on", hint: "BRANCH" }, help: "after each iteration: rebase on it when it moved" },
  PUSH: { kind: "form", form: PUSH_TARGET, default: null, trust: "program", group: "git", flag: { name: "push", hint: "REMOTE", alone: "auto" }, help: "push the branch when gates are green" },
  TAG: { kind: "form", form: TAG_RULE, default: null, group: "git", flag: { name: "tag", hint: "RULE" }, help: "tag what is done: patch, minor or a NAME-{n}" },

  PROJECT_NAME: { kind: "text", default: "my-project", group: "project", help: "name in titles, reports and notifications" },
  PROJECT_TYPE: { kind: "text", default: "unknown", group: "project", help: "main language" },
  TASK_SOURCES: { kind: "list", separator: ",", options: ["local", "beads", "github", "prd"], default: ["local"], group: "project", help: "what import reads: local, beads, github, prd" },
  GITHUB_TASK_LABEL: { kind: "text", default: null, group: "project", help: "label of issues to import" },
  BEADS_FILTER: { kind: "text", default: null, group: "project", help: "filter of beads to import" },

  ENABLE_NOTIFICATIONS: { kind: "boolean", default: false, group: "ralph", flag: { name: "notify", short: "n" }, help: "desktop notifications" },
  NOTIFY_COMMAND: { kind: "text", default: null, trust: "program", group: "ralph", help: "with --notify: a command that gets the event as JSON" },
  TASKS_FILE: { kind: "text", default: null, group: "task", flag: { name: "tasks", hint: "FILE" }, help: "of several workers: the list of tasks, if not the plan" },
  WORKTREE_SETUP: { kind: "text", default: null, trust: "program", group: "ralph", help: "with --worktree: a command that runs once in a new one" },
  RALPH_VERBOSE: { kind: "boolean", default: false, old: ["VERBOSE_PROGRESS"], group: "ralph", flag: { name: "verbose", short: "v", everywhere: true }, help: "say more" },
  CLAIM_LEASE_MINUTES: { kind: "minutes", zeroIsOff: false, max: 1440, default: 5, group: "ralph", help: "a worker without a sign loses its task after so long" },
  RALPH_UPDATE_CHECK: { kind: "choice", options: ["true", "false", "always"], default: "true", group: "ralph", flag: { name: "update-check" }, help: "look for a new version, once a day" },
  CHECKPOINTS: { kind: "boolean", default: true, group: "ralph", flag: { name: "checkpoints", old: ["backup"] }, help: "keep the files of each step, for undo" },
  MASK_SECRETS: { kind: "boolean", default: true, personal: true, group: "ralph", flag: { name: "mask" }, help: "keep secrets out of journal, logs, reports" },
  RALPH_UPDATE_URL: { kind: "text", default: null, personal: true, group: "ralph", help: "base URL of the releases, for mirrors" },
} as const satisfies Record<string, SettingSpec>;

export type SettingName = keyof typeof SETTINGS;

/** The value of every setting; durations in minutes unless the name says otherwise, null for "none". */
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTINGS)[Name]> };

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** Every name that a setting has in files and in the environment, with the setting's own: that one first, then the old ones. */
export const SETTING_KEYS: ReadonlyMap<string, SettingName> = settingKeys();

function settingKeys(): Map<string, SettingName> {
  const keys = new Map<string, SettingName>();
  for (const name of SETTING_NAMES) {
    const { old = [] }: SettingSpec = SETTINGS[name];
    keys.set(name, name);
    for (const key of old) keys.set(key, name);
  }
  return keys;
}

/** The row of a setting, as its general type. */
export function settingSpec(name: SettingName): SettingSpec {
  return SETTINGS[name];
}

/** The setting with a public or old name; null for an unknown one. */
export function settingNamed(key: string): SettingName | null {
  return SETTING_KEYS.get(key) ?? null;
}

/** The default of a setting, as a fresh copy. */
export function defaultOf(name: SettingName): SettingValue {
  const value = settingSpec(name).default;
  return typeof value === "object" && value !== null ? [...value] : value;
}

/** All defaults, as fresh copies. */
export function defaultSettings(): Settings {
  const values: Record<string, SettingValue> = {};
  // A loop without a call: see `resolveSettings`.
  for (const name of SETTING_NAMES) {
    const { default: value }: SettingSpec = SETTINGS[name];
    values[name] = typeof value === "object" && value !== null ? [...value] : value;
  }
  return values as Settings;
}

/**
 * Builds the record of all settings. Each value must come from its setting's default or schema; the types cannot
 * express this.
 */
export function asSettings(value: (name: SettingName) => SettingValue): Settings {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, value(name)])) as Settings;
}
