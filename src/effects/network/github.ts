/** Fetches issues of a GitHub repository: with `gh` if it is installed, otherwise from the public API. */
import { definedOnly } from "../../core/env-vars.ts";
import { jsonIn } from "../../core/json-value.ts";
import type { Host } from "../../driver.ts";
import { runSync } from "../process/run-sync.ts";

export type IssuesRequest = {
  owner: string;
  repo: string;
  /** One issue; null for all. */
  number: number | null;
  /** An issue of a list has all of these. */
  labels: readonly string[];
};

/** The JSON list, or why there is none. */
export type IssuesAnswer = { json: unknown } | { problem: string; hint: string };

const PUBLIC_API = "https://api.github.com";
const MAX_ISSUES = 500;
const PAGE_SIZE = 100;
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 32 << 20;
const FIELDS = "number,title,body,labels,state,url";

/** Fetches one issue, or the open ones, newest first. Never throws: a network error is an answer. */
export async function fetchIssues(host: Host, request: IssuesRequest): Promise<IssuesAnswer> {
  const base = host.env.GITHUB_API_URL ?? "";
  if (base === "" && host.which("gh") !== null) {
    const answer = byProgram(host, request);
    if (answer !== null) return answer;
  }
  return byApi(
    base === "" ? PUBLIC_API : base.replace(/\/+$/, ""),
    host.env.GITHUB_TOKEN || host.env.GH_TOKEN || null,
    request,
  );
}

/** Null if `gh` has no login or fails in another way: the API may still answer. */
function byProgram(host: Host, { owner, repo, number, labels }: IssuesRequest): IssuesAnswer | null {
  const what =
    number === null
      ? [
          "issue",
          "list",
          "--state",
          "open",
          "--limit",
          String(MAX_ISSUES),
          ...labels.flatMap((label) => ["--label", label]),
        ]
      : ["issue", "view", String(number)];
  const program = host.which("gh") ?? "gh";
  // Not in the project's folder: `gh` should use only these arguments.
  const { exitCode, stdout } = runSync([program, ...what, "--repo", `${owner}/${repo}`, "--json", FIELDS], {
    cwd: host.home,
    env: definedOnly(host.env),
    timeoutMs: TIMEOUT_MS,
  });
  if (exitCode !== 0) return null;
  const json = jsonIn(stdout);
  // Cut output, or another program with that name.
  if (json === undefined) return null;
  return { json: Array.isArray(json) ? json : [json] };
}

async function byApi(base: string, token: string | null, request: IssuesRequest): Promise<IssuesAnswer> {
  const { owner, repo, number, labels } = request;
  const path = `${base}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(repo)}/issues`;
  const found: unknown[] = [];
  for (let page = 1; found.length < MAX_ISSUES; page += 1) {
    const wanted = labels.length === 0 ? {} : { labels: labels.join(",") };
    const query = new URLSearchParams({
      state: "open",
      per_page: String(PAGE_SIZE),
      page: String(page),
      ...wanted,
    }).toString();
    const answer = await getJson(number === null ? `${path}?${query}` : `${path}/${number}`, token);
    if ("problem" in answer) return answer;
    if (number !== null) return { json: [answer.json] };
    if (!Array.isArray(answer.json))
      return { problem: `${base} did not answer with a list of issues.`, hint: "Check GITHUB_API_URL." };
    found.push(...answer.json);
    if (answer.json.length < PAGE_SIZE) break;
  }
  return { json: found };
}

async function getJson(
  url: string,
  token: string | null,
): Promise<{ json: unknown } | { problem: string; hint: string }> {
  const headers: Record<string, string> = { accept: "application/vnd.github+json", "user-agent": "ralph" };
  if (token !== null) headers.authorization = `Bearer ${token}`;
  const retryHint = "Try again, or import a file: ralph import FILE";
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) });
    const text = await response.text();
    if (response.ok && text.length <= MAX_BYTES) return { json: JSON.parse(text) };
    if (response.status === 404)
      return {
        problem: "GitHub has no such repository or issue, or does not show it to you.",
        hint:
          token === null
            ? "For a private repository set GITHUB_TOKEN, or sign in with: gh auth login"
            : "Check its name, and what your token may read.",
      };
    if (response.status === 401)
      return { problem: "GitHub refused the token.", hint: "Check GITHUB_TOKEN (or GH_TOKEN)." };
    const limited = response.status === 429 || response.headers.get("x-ratelimit-remaining") === "0";
    if (limited)
      return {
        problem: "GitHub's limit for requests is reached.",
        hint: token === null ? "Set GITHUB_TOKEN: with a token the limit is much higher." : retryHint,
      };
    return { problem: `GitHub answered with status ${response.status}.`, hint: retryHint };
  } catch (error) {
    return { problem: `GitHub could not be reached: ${(error as Error).message}`, hint: retryHint };
  }
}
