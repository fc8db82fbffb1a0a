/** A limit in an agent's output. */
export type UsageLimit = { kind: "usage_limit" | "rate_limit"; resets_at: string | null; message: string };

/** The claims of one answer, in the form of interfaces.md (also the `analysis` of `.response_analysis`). */
export type Analysis = {
  has_completion_signal: boolean;
  exit_signal: boolean;
  exit_signal_explicit: boolean;
  /** A completion indicator: EXIT_SIGNAL true, STATUS COMPLETE, or a completion phrase with confidence of 60 or more. */
  is_completion_indicator: boolean;
  status: "IN_PROGRESS" | "COMPLETE" | "BLOCKED" | null;
  tasks_completed: number | null;
  tests_status: "PASSING" | "FAILING" | "NOT_RUN" | null;
  work_type: string | null;
  recommendation: string | null;
  is_test_only: boolean;
  is_stuck: boolean;
  files_modified: number;
  confidence_score: number;
  work_summary: string;
  output_length: number;
  has_permission_denials: boolean;
  permission_denial_count: number;
  denied_commands: string[];
  has_compound_command_limitation: boolean;
  compound_command_count: number;
  asking_questions: boolean;
  question_count: number;
  /** Normalised error lines: paths, numbers, times and ids masked. */
  errors: string[];
  /** Error lines in the answer, or how many errors it says it has, whichever is more. */
  error_count: number;
  /** Consecutive iterations with exactly these error lines, this one included; 0 without any. */
  same_error_count: number;
  is_error: boolean;
  usage_limit: UsageLimit | null;
};
