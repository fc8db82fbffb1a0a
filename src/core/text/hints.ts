/** The hint for a project without a run. */
export const START_RUN_HINT = "Start one with: ralph run (a new project first needs: ralph setup)";
