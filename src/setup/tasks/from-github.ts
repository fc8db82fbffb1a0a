import type { SourceDocument } from "../import/formats/convert-document.ts";
import { labelPriority, statedPriority } from "../plan/priority.ts";
import type { Task } from "../plan/task.ts";
import { sanitizeLine } from "../sanitize-text.ts";
import type { Issue } from "./github-issue.ts";

const MAX_TITLE = 200;

/** An issue as a task. Its labels give the urgency, else its title. */
export function taskFromIssue({ number, title, labels, state, url }: Issue): Task {
  return {
    id: `#${number}`,
    title: sanitizeLine(title, MAX_TITLE),
    priority: labelPriority(labels) ?? statedPriority(title) ?? "medium",
    done: state === "closed",
    details: url === null || !/^https?:\/\/[\w./:-]+$/.test(url) ? [] : [url],
  };
}

/**
 * An issue as a document, for an import of this issue alone. It counts as open even if it is closed, because the user
 * named it.
 * @param repository of the issue if it is not the project's own, whose numbers differ; else null
 */
export function documentFromIssue(issue: Issue, repository: { owner: string; repo: string } | null): SourceDocument {
  const { number } = issue;
  const own = { ...taskFromIssue(issue), done: false };
  const [name, about] =
    repository === null
      ? [`issue-${number}`, own]
      : [
          `${repository.repo}-issue-${number}`,
          { ...own, id: `${repository.owner}/${repository.repo}#${number}`.toLowerCase() },
        ];
  return { name: `${name}.md`, text: issueText(issue), about };
}

function issueText({ number, title, body, url }: Issue): string {
  const heading = title.trim() === "" ? `Issue #${number}` : sanitizeLine(title, MAX_TITLE);
  const source =
    url === null ? `> GitHub issue #${number}` : `> GitHub issue #${number} | ${sanitizeLine(url, MAX_TITLE)}`;
  return `# ${heading}\n\n${source}\n${body.trim() === "" ? "" : `\n${body.trim()}\n`}`;
}

/** Parses the name of an issue on the command line: `42`, `#42`, `owner/repo#42`, its URL; null for anything else. */
export function issueReference(text: string): { number: number; owner: string | null; repo: string | null } | null {
  const match =
    /^(?:#?(\d{1,9})|([\w.-]+)\/([\w.-]+)#(\d{1,9})|https?:\/\/[\w.-]+\/([\w.-]+)\/([\w.-]+)\/issues\/(\d{1,9})(?:[#?].*)?)$/.exec(
      text,
    );
  if (match === null) return null;
  const number = Number(match[1] ?? match[4] ?? match[7]);
  return number === 0 ? null : { number, owner: match[2] ?? match[5] ?? null, repo: match[3] ?? match[6] ?? null };
}
