import type { SettingName } from "../settings/settings.ts";

/**
 * Where a setting acts in a run, and so how far the record of a run can tell what another value would have done.
 *
 * `decisions`: in pure decisions, which are taken again. `agent`: in what the agent is, may do and is asked, from its first call.
 * `checks`: in what the recorded facts rest on, from the start. `gates`, `looks`: from the first gate or look. `calls`: it ends
 * calls that last too long, as MAX_TIME does too. `questions`: in what becomes of a question. `start`: in the circuit breaker at the start. `day`: in what other runs spent. `none`: in nothing that
 * a run decides.
 */
export type SettingReach =
  | "decisions"
  | "agent"
  | "checks"
  | "gates"
  | "looks"
  | "calls"
  | "questions"
  | "start"
  | "day"
  | "none";

export const SETTING_REACH = {
  PROMPT_FILE: "agent",
  PREAMBLE: "agent",
  PLATFORM_DRIVER: "agent",
  CLAUDE_MODEL: "agent",
  CLAUDE_EFFORT: "agent",
  CLAUDE_TIMEOUT_MINUTES: "calls",
  IDLE_TIMEOUT_MINUTES: "calls",
  WRITE_TIMEOUT_MINUTES: "calls",
  CLAUDE_OUTPUT_FORMAT: "agent",
  ALLOWED_TOOLS: "agent",
  CLAUDE_PERMISSION_MODE: "agent",
  PERMISSION_DENIAL_MODE: "decisions",
  ON_QUESTION: "questions",
  CLAUDE_CODE_CMD: "agent",
  CLAUDE_MIN_VERSION: "none",
  RALPH_TRUST: "none",
  SESSION_CONTINUITY: "decisions",
  SESSION_EXPIRY_HOURS: "decisions",
  SESSION_RENEW: "decisions",
  MAX_CALLS_PER_HOUR: "decisions",
  MAX_TOKENS_PER_HOUR: "decisions",
  MAX_ITERATIONS: "decisions",
  MAX_COST_USD: "decisions",
  MAX_COST_PER_TASK: "decisions",
  MAX_COST_PER_DAY: "day",
  ESTIMATE_COST: "decisions",
  MAX_TOKENS: "decisions",
  MAX_TIME: "decisions",
  STOP_AT: "decisions",
  ON_USAGE_LIMIT: "decisions",
  CB_NO_PROGRESS_THRESHOLD: "decisions",
  CB_SAME_ERROR_THRESHOLD: "decisions",
  CB_OUTPUT_DECLINE_THRESHOLD: "decisions",
  CB_PERMISSION_DENIAL_THRESHOLD: "decisions",
  CB_READ_ONLY_TIMEOUT_THRESHOLD: "decisions",
  CB_COOLDOWN_MINUTES: "start",
  SAME_DENIAL_THRESHOLD: "decisions",
  NO_HEADWAY_THRESHOLD: "decisions",
  CB_AUTO_RESET: "start",
  DONE_POLICY: "decisions",
  OPTIONAL_SECTIONS: "checks",
  TEST_COMMAND: "checks",
  QUALITY_GATES: "checks",
  QUALITY_GATE_MODE: "decisions",
  QUALITY_GATE_TIMEOUT: "gates",
  QUALITY_GATE_ON_COMPLETION_ONLY: "decisions",
  GATE_FILES: "gates",
  HIDDEN_GATES: "checks",
  MAX_CONSECUTIVE_TEST_LOOPS: "decisions",
  MAX_CONSECUTIVE_DONE_SIGNALS: "decisions",
  PROVEN_COMPLETE: "decisions",
  TEST_PERCENTAGE_THRESHOLD: "decisions",
  REVIEW_MODE: "decisions",
  REVIEW_INTERVAL: "decisions",
  REVIEW_ON_DONE: "decisions",
  REVIEW_DRIVER: "looks",
  REVIEW_MODEL: "looks",
  COMMIT: "checks",
  REBASE_ON: "checks",
  PUSH: "none",
  TAG: "none",
  PROJECT_NAME: "decisions",
  PROJECT_TYPE: "none",
  TASK_SOURCES: "none",
  GITHUB_TASK_LABEL: "none",
  BEADS_FILTER: "none",
  ENABLE_NOTIFICATIONS: "none",
  NOTIFY_COMMAND: "none",
  TASKS_FILE: "none",
  WORKTREE_SETUP: "none",
  RALPH_VERBOSE: "none",
  CLAIM_LEASE_MINUTES: "none",
  RALPH_UPDATE_CHECK: "none",
  RALPH_UPDATE_URL: "none",
  CHECKPOINTS: "none",
  MASK_SECRETS: "none",
  SANDBOX: "agent",
  SANDBOX_ALLOW_DOMAINS: "agent",
  SANDBOX_ENV: "agent",
  SANDBOX_IMAGE: "agent",
  SANDBOX_MEMORY: "agent",
  SANDBOX_CPUS: "agent",
} as const satisfies Record<SettingName, SettingReach>;
