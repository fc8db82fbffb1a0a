/**
 * What to do about a project's prompt that is missing or empty. Set-up writes a missing one only: a file of the user's stays.
 * @param problem what is wrong with it
 */
export function promptHint(problem: "missing" | "empty"): string {
  const first = problem === "missing" ? "Make one with: ralph setup." : "Write into it what is to be done.";
  return `${first} Or --prompt FILE, or a task: ralph "TEXT"`;
}
