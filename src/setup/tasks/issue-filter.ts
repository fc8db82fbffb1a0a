import type { Issue } from "./github-issue.ts";

/** A filter for issues; all given conditions must hold (from the bash original). */
export type IssueFilter = {
  /** The issue must have every one of these labels. */
  labels: readonly string[];
  excludeLabels: readonly string[];
  /** The whole title, `*` for anything, without regard to case. */
  title: string | null;
  /** A login, `none` for an unassigned issue. */
  assignee: string | null;
  milestone: string | null;
  state: "open" | "closed" | "all";
};

export const EVERY_ISSUE: IssueFilter = {
  labels: [],
  excludeLabels: [],
  title: null,
  assignee: null,
  milestone: null,
  state: "open",
};

/** The issues that pass a filter, oldest first. */
export function filterIssues(issues: readonly Issue[], filter: IssueFilter): Issue[] {
  const has = (issue: Issue, label: string) => issue.labels.some((one) => one.toLowerCase() === label.toLowerCase());
  return issues
    .filter((issue) => filter.labels.every((label) => has(issue, label)))
    .filter((issue) => !filter.excludeLabels.some((label) => has(issue, label)))
    .filter(({ title }) => filter.title === null || matches(filter.title, title))
    .filter(({ assignees }) => {
      if (filter.assignee === null) return true;
      if (filter.assignee === "none") return assignees.length === 0;
      return assignees.some((one) => one.toLowerCase() === filter.assignee?.toLowerCase());
    })
    .filter(({ milestone }) => filter.milestone === null || milestone?.toLowerCase() === filter.milestone.toLowerCase())
    .filter(({ state }) => filter.state === "all" || state === filter.state)
    .sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : a.number - b.number));
}

/** Matches the pieces in order, which bounds the time of any pattern. */
function matches(pattern: string, title: string): boolean {
  const pieces = pattern.toLowerCase().split("*");
  const text = title.toLowerCase();
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return text === first;
  const last = rest.pop() ?? "";
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > text.length - last.length) return false;
    at = found + piece.length;
  }
  return true;
}
