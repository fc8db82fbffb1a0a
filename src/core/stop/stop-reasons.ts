/**
 * Every way a run can end, with its exit code: the one table behind `ralph help exit-codes`, `status.json` and the
 * receipt. Source: product.md "Exit codes"; the words of `status.json` are those of the bash original.
 */
export const STOP_REASONS = {
  project_complete: {
    exit: 0,
    status: "completed",
    action: "graceful_exit",
    text: "The agent said that everything is done, and confirmed it.",
  },
  plan_complete: { exit: 0, status: "completed", action: "graceful_exit", text: "Every box of the plan is ticked." },
  completion_signals: {
    exit: 0,
    status: "completed",
    action: "graceful_exit",
    text: "The agent said twice in a row that it is done.",
  },
  test_saturation: {
    exit: 0,
    status: "completed",
    action: "graceful_exit",
    text: "Only tests were run, several times in a row.",
  },
  import_complete: {
    exit: 0,
    status: "completed",
    action: "graceful_exit",
    text: "A document became plan and specs.",
  },
  stopped_by_user: { exit: 0, status: "stopped", action: "stopped_by_user", text: "Stopped on request." },
  internal_error: { exit: 1, status: "error", action: "unexpected_exit", text: "Something unexpected failed." },
  stagnation_detected: {
    exit: 3,
    status: "halted",
    action: "circuit_breaker_open",
    text: "Nothing changed for too long.",
  },
  repeated_error: {
    exit: 3,
    status: "halted",
    action: "circuit_breaker_open",
    text: "The same error came back again and again.",
  },
  output_decline: {
    exit: 3,
    status: "halted",
    action: "circuit_breaker_open",
    text: "The answers shrank and nothing changed.",
  },
  permission_denials: {
    exit: 3,
    status: "halted",
    action: "circuit_breaker_open",
    text: "The agent was denied permission again and again.",
  },
  read_only_timeouts: {
    exit: 3,
    status: "halted",
    action: "circuit_breaker_open",
    text: "The agent timed out without writing anything.",
  },
  max_iterations: {
    exit: 4,
    status: "stopped",
    action: "bound_reached",
    text: "The allowed number of iterations is used up.",
  },
  max_cost: { exit: 4, status: "stopped", action: "bound_reached", text: "The allowed cost is used up." },
  max_tokens: { exit: 4, status: "stopped", action: "bound_reached", text: "The allowed tokens are used up." },
  max_time: { exit: 4, status: "stopped", action: "bound_reached", text: "The allowed time is over." },
  stop_at: { exit: 4, status: "stopped", action: "bound_reached", text: "The time of day to stop at has come." },
  usage_limit: { exit: 5, status: "stopped", action: "api_limit_exit", text: "The provider's usage limit is reached." },
  blocked: { exit: 6, status: "halted", action: "blocked", text: "The agent says that it is blocked." },
  permission_denied: {
    exit: 6,
    status: "halted",
    action: "permission_denied",
    text: "The agent was denied permission.",
  },
  completion_disputed: {
    exit: 6,
    status: "halted",
    action: "completion_disputed",
    text: "The agent keeps saying done, and the evidence says no.",
  },
  safety_circuit_breaker: {
    exit: 6,
    status: "halted",
    action: "safety_circuit_breaker",
    text: "The agent keeps saying done, and the gates say no.",
  },
  authentication: {
    exit: 6,
    status: "halted",
    action: "authentication",
    text: "The agent has no login that is accepted.",
  },
  files_deleted: {
    exit: 7,
    status: "halted",
    action: "integrity_failure",
    text: "Files that ralph needs vanished during the run and were put back.",
  },
  disk_full: {
    exit: 7,
    status: "error",
    action: "disk_full",
    text: "The disk is full: what the run says could not be written.",
  },
  infrastructure_failures: { exit: 7, status: "error", action: "failed", text: "Too many calls failed in a row." },
  agent_unusable: { exit: 7, status: "error", action: "failed", text: "The agent cannot be used." },
  hung_up: { exit: 129, status: "stopped", action: "interrupted", text: "The terminal went away." },
  interrupted: { exit: 130, status: "stopped", action: "interrupted", text: "Interrupted at the keyboard." },
  terminated: { exit: 143, status: "stopped", action: "interrupted", text: "Terminated." },
} as const satisfies Record<string, { exit: number; status: string; action: string; text: string }>;

export type StopReason = keyof typeof STOP_REASONS;
