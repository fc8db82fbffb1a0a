import type { CallEvidence } from "../../../src/core/decide/call-assessment.ts";

/** A call that ended well and said nothing. */
export const ended: CallEvidence = {
  outcome: "ok",
  exit_code: 0,
  signal: null,
  spawn_error: null,
  hasFinalEvent: true,
  complete: false,
  statement: null,
  finished: null,
  error: null,
  limited: false,
  resumed: false,
  plainLines: [],
};
