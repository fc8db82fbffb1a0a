/** What a program that failed said last, or else how it ended. @param exit_code null: it did not end by itself */
export function lastWords({ exit_code, stderr }: { exit_code: number | null; stderr: string }): string {
  const said = stderr.trim().split("\n").at(-1) ?? "";
  if (said !== "") return said;
  return exit_code === null ? "it gave no answer in time, or was killed" : `exit code ${exit_code}`;
}
