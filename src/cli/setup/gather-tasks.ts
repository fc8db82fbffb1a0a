import { definedOnly } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { fetchIssues, type IssuesAnswer } from "../../effects/network/github.ts";
import { runSync } from "../../effects/process/run-sync.ts";
import type { Task } from "../../setup/plan/task.ts";
import { tasksFromBeads } from "../../setup/tasks/from-beads.ts";
import { type issueReference, taskFromIssue } from "../../setup/tasks/from-github.ts";
import { type Issue, readIssues } from "../../setup/tasks/github-issue.ts";
import type { Site } from "./inspect-site.ts";

const BEADS_TIMEOUT_MS = 20_000;

/**
 * The open tasks of beads.
 * @param filter a status, or flags of `bd list` as in BEADS_FILTER; null for all that are not closed
 * @throws RalphError `environment` if `bd` is missing or does not answer
 */
export function beadsTasks({ dir, host }: Pick<Site, "dir" | "host">, filter: string | null): Task[] {
  const program = host.which("bd");
  if (program === null) {
    throw new RalphError(
      "environment",
      "ralph reads the tasks of beads through its program bd, which is not on the PATH.",
      {
        hint: "Install beads, or leave it out of --from.",
      },
    );
  }
  // The originals' template has `status:open`.
  const state = /^(?:status:)?(\w+)$/.exec(filter ?? "")?.[1];
  const wanted = state === undefined ? (filter ?? "").split(/\s+/).filter(Boolean) : ["--status", state];
  const { exitCode, stdout, stderr } = runSync([program, "list", "--json", "--limit", "0", ...wanted], {
    cwd: dir,
    env: definedOnly(host.env),
    timeoutMs: BEADS_TIMEOUT_MS,
  });
  const tasks = exitCode === 0 ? tasksFromBeads(stdout) : null;
  if (tasks !== null) return tasks;
  const message = stderr.trim().split("\n").at(-1) ?? "";
  throw new RalphError("environment", `bd did not list its tasks${message === "" ? "." : `: ${message}`}`, {
    hint: "See what `bd list --json` prints here.",
  });
}

/**
 * The open issues of the repository on GitHub that `origin` names, as tasks, oldest first.
 * @param label labels, separated by commas, that an issue must have; null for all issues
 * @throws RalphError `environment` if there is no such repository, or GitHub does not answer
 */
export async function githubTasks(site: Pick<Site, "findings" | "host">, label: string | null): Promise<Task[]> {
  const { github } = site.findings;
  if (github === null) {
    throw new RalphError("environment", "No remote of this folder leads to GitHub.", {
      hint: "Add it: git remote add origin https://github.com/OWNER/REPO",
    });
  }
  const labels = (label ?? "").split(",").flatMap((word) => word.trim() || []);
  const issues = issuesOf(await fetchIssues(site.host, { ...github, number: null, labels }));
  return issues.toSorted((a, b) => a.number - b.number).map(taskFromIssue);
}

/**
 * One issue by its reference.
 * @throws RalphError `environment` if it cannot be fetched
 */
export async function githubIssue(
  site: Pick<Site, "findings" | "host">,
  reference: NonNullable<ReturnType<typeof issueReference>>,
): Promise<Issue> {
  const { number, owner, repo } = reference;
  const repository = owner !== null && repo !== null ? { owner, repo } : site.findings.github;
  if (repository === null) {
    throw new RalphError(
      "environment",
      `Which repository has issue ${number}? No remote of this folder leads to GitHub.`,
      {
        hint: `Write OWNER/REPO#${number}`,
      },
    );
  }
  const [issue] = issuesOf(await fetchIssues(site.host, { ...repository, number, labels: [] }));
  if (issue === undefined)
    throw new RalphError("environment", `${number} is no issue of ${repository.owner}/${repository.repo}.`);
  return issue;
}

function issuesOf(answer: IssuesAnswer): Issue[] {
  if ("problem" in answer) throw new RalphError("environment", answer.problem, { hint: answer.hint });
  const issues = readIssues(answer.json);
  if (issues === null) throw new RalphError("environment", "GitHub did not answer with a list of issues.");
  return issues;
}
