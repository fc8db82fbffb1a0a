import { RalphError } from "../../core/errors.ts";
import { EVERY_ISSUE, type IssueFilter } from "../../setup/tasks/issue-filter.ts";

type FilterArgs = {
  label?: string | undefined;
  "exclude-label"?: string | undefined;
  title?: string | undefined;
  assignee?: string | undefined;
  milestone?: string | undefined;
  state?: string | undefined;
};

/** The issues that the flags select. Labels are separated by commas, and an issue needs all of them. */
export function issueFilter(args: FilterArgs, label: string | null): IssueFilter {
  const state = args.state;
  return {
    ...EVERY_ISSUE,
    labels: words(args.label ?? label ?? ""),
    excludeLabels: words(args["exclude-label"] ?? ""),
    title: args.title ?? null,
    assignee: args.assignee ?? null,
    milestone: args.milestone ?? null,
    state: state === "closed" || state === "all" ? state : "open",
  };
}

/** @throws RalphError `usage` for anything but a whole number from 0 to 100 */
export function threshold(text: string | undefined): number {
  if (text === undefined) return 60;
  if (/^\d{1,3}$/.test(text) && Number(text) <= 100) return Number(text);
  throw new RalphError("usage", `--threshold ${text} is not allowed: it must be a whole number from 0 to 100.`);
}

function words(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
