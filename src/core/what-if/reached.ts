/** What a change of settings would have done where it acts, after the names of the settings. */
export const REACH_WORDS = {
  agent: "would have reached the agent with its first call.",
  checks: "would have changed what the run measures, from its start.",
  gates: "would have changed how the gates run.",
  look: "would have changed the look at the finished work.",
  question: "would have changed what becomes of this question.",
} as const;
