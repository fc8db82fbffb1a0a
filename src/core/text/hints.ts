/** What to type where there is no run yet. */
export const START_RUN_HINT = "Start one with: ralph run (a new project first needs: ralph setup)";
