/** The stories that the sprint status marks as done: `development_status` with keys such as `1-2-sign-in: done`. */
export type SprintStatus = { done: ReadonlySet<string>; problem: string | null };

const LINE = /^\s+["']?(\d+)-(\d+)-[\w-]+["']?\s*:\s*["']?([\w-]+)["']?\s*(?:#.*)?$/;

/** Reads the sprint status. An unreadable one marks no story as done and states the problem. */
export function readSprintStatus(text: string): SprintStatus {
  const start = text.split("\n").findIndex((line) => /^development_status\s*:\s*(?:#.*)?$/.test(line));
  if (start === -1) return { done: new Set(), problem: "it has no development_status" };
  const done = new Set<string>();
  for (const line of text.split("\n").slice(start + 1)) {
    if (/^\S/.test(line) && !line.startsWith("#")) break;
    const [, epic, story, status] = LINE.exec(line) ?? [];
    if (epic !== undefined && story !== undefined && status?.toLowerCase() === "done") done.add(`${epic}.${story}`);
  }
  return { done, problem: null };
}
