/** What to type where there is no run yet. */
export const BEGIN_A_RUN = "Start one with: ralph run (a new project first needs: ralph setup)";
