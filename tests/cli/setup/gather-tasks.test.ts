import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beadsTasks, githubIssue, githubIssues } from "../../../src/cli/setup/gather-tasks.ts";
import { createHost } from "../../../src/effects/host.ts";
import { issueReference, taskFromIssue } from "../../../src/setup/tasks/from-github.ts";
import { EVERY_ISSUE, filterIssues } from "../../../src/setup/tasks/issue-filter.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";

const top = mkdtempSync(join(tmpdir(), "ralph-tasks-"));
const requests: { path: string; auth: string | null }[] = [];
let answer: (url: URL) => Response = () => Response.json([]);
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const url = new URL(request.url);
    requests.push({ path: url.pathname + url.search, auth: request.headers.get("authorization") });
    return answer(url);
  },
});
afterAll(async () => {
  await server.stop(true);
  rmSync(top, { recursive: true, force: true });
});

const api = `http://127.0.0.1:${server.port}`;
const issue = (number: number, more: Record<string, unknown> = {}) => ({
  number,
  title: `Issue ${number}`,
  body: null,
  state: "open",
  labels: [],
  created_at: `2026-01-0${(number % 9) + 1}`,
  html_url: `https://github.com/o/r/issues/${number}`,
  ...more,
});
const site = (env: Record<string, string> = {}) => ({
  dir: top,
  host: createHost(top, { HOME: top, PATH: "", GITHUB_API_URL: api, ...env }),
  findings: { github: { owner: "o", repo: "r" } } as Parameters<typeof githubIssues>[0]["findings"],
});

describe("issues of the public API", () => {
  test("are fetched page by page, pull requests left out, oldest first", async () => {
    answer = (url) => {
      const page = Number(url.searchParams.get("page"));
      return Response.json(
        page === 1
          ? Array.from({ length: 100 }, (_, n) => issue(n + 1, { created_at: "2026-02-01" }))
          : [issue(101, { created_at: "2026-01-01" }), issue(102, { pull_request: {} })],
      );
    };
    requests.length = 0;
    const issues = await githubIssues(site({ GITHUB_TOKEN: "t0ken" }), { ...EVERY_ISSUE, labels: ["bug"] }).catch(
      () => [],
    );
    expect(issues).toEqual([]);
    const all = await githubIssues(site({ GITHUB_TOKEN: "t0ken" }));
    expect([all.length, all[0]?.number]).toEqual([101, 101]);
    expect(requests[0]).toEqual({
      path: "/repos/o/r/issues?state=open&per_page=100&page=1&labels=bug",
      auth: "Bearer t0ken",
    });
  });

  test("use a token from GITHUB_TOKEN or GH_TOKEN, and from nowhere else", async () => {
    answer = () => Response.json([issue(1)]);
    requests.length = 0;
    await githubIssues(site({ GITHUB_PAT: "no", GH_TOKEN: "yes" }));
    await githubIssues(site({ GITHUB_PAT: "no" }));
    expect(requests.map(({ auth }) => auth)).toEqual(["Bearer yes", null]);
  });

  test.each([
    [404, "GitHub has no such repository"],
    [401, "GitHub refused the token"],
    [429, "limit for requests"],
    [500, "status 500"],
  ])("that fail with %d are explained in words", async (status, words) => {
    answer = () => Response.json({ message: "x" }, { status });
    await expect(githubIssues(site())).rejects.toThrow(words);
  });

  test("include a single one by its reference, in another repository too", async () => {
    answer = (url) => Response.json(issue(7, { title: url.pathname }));
    const reference = issueReference("a/b#7");
    if (reference === null) throw new Error("no reference");
    expect((await githubIssue(site(), reference)).title).toBe("/repos/a/b/issues/7");
  });
});

describe.skipIf(process.platform === "win32")("tasks read through a program", () => {
  const program = (name: string, text: string) => {
    writeFileSync(join(top, name), `#!/bin/sh\necho "$@" >> ${join(top, `${name}.log`)}\n${text}\n`);
    chmodSync(join(top, name), 0o755);
  };
  const path = `${top}:/usr/bin:/bin`;

  test("come from gh if no API is named", async () => {
    program("gh", `cat <<'E'\n${JSON.stringify([issue(3, { labels: [{ name: "P0" }] })])}\nE`);
    const issues = await githubIssues(site({ PATH: path, GITHUB_API_URL: "" }), { ...EVERY_ISSUE, labels: ["P0"] });
    expect(issues.map(taskFromIssue)).toMatchObject([{ id: "#3", priority: "high" }]);
    expect(readFileSync(join(top, "gh.log"), "utf8")).toStartWith(
      "issue list --state open --limit 501 --label P0 --repo o/r --json",
    );
  });

  test("come from bd for beads, without the closed ones", () => {
    program(
      "bd",
      `cat <<'E'\n${JSON.stringify([{ id: "a-1", title: "T\nU", status: "in_progress", priority: 0 }, { id: "a-2", title: "X", status: "closed" }, { title: "no id" }])}\nE`,
    );
    expect(beadsTasks(site({ PATH: path }), "open")).toEqual([
      { id: "a-1", title: "T U", priority: "high", done: false, details: [] },
    ]);
    expect(readFileSync(join(top, "bd.log"), "utf8").trim()).toBe("list --json --limit 0 --status open");
  });

  test.each([["open"], ["status:open"], ["--status open"]])("come from bd in the state of the filter %p", (filter) => {
    program("bd", "echo '[]'");
    expect(beadsTasks(site({ PATH: path }), filter)).toEqual([]);
    expect(readFileSync(join(top, "bd.log"), "utf8").trim().split("\n").at(-1)).toBe(
      "list --json --limit 0 --status open",
    );
  });

  test("fail with bd's own message if bd fails", () => {
    program("bd", "echo no database >&2; exit 1");
    expect(() => beadsTasks(site({ PATH: path }), null)).toThrow("bd did not list its tasks: no database");
    expect(() => beadsTasks(site(), null)).toThrow("not on the PATH");
  });
});

describe("filtering issues", () => {
  const issues = [
    {
      number: 1,
      title: "Fix login",
      labels: ["Bug", "P1"],
      assignees: ["ada"],
      milestone: "v1",
      state: "open" as const,
      created: "2",
    },
    {
      number: 2,
      title: "Add export",
      labels: [],
      assignees: [],
      milestone: null,
      state: "closed" as const,
      created: "1",
    },
  ].map((one) => ({ ...one, body: "", url: null }));
  test.each([
    [{}, [1]],
    [{ state: "all" as const }, [2, 1]],
    [{ labels: ["bug"] }, [1]],
    [{ labels: ["bug", "x"] }, []],
    [{ excludeLabels: ["p1"] }, []],
    [{ title: "fix*" }, [1]],
    [{ title: "fix" }, []],
    [{ title: "*LOG*" }, [1]],
    [{ assignee: "ADA" }, [1]],
    [{ assignee: "none", state: "all" as const }, [2]],
    [{ milestone: "V1" }, [1]],
  ])("%p", (filter, numbers) =>
    expect(filterIssues(issues, { ...EVERY_ISSUE, ...filter }).map(({ number }) => number)).toEqual(numbers),
  );
});

test("matching a title pattern of many stars takes time in proportion to both lengths", async () => {
  const issue = { number: 1, body: "", labels: [], assignees: [], milestone: null, url: null, created: "" };
  const found = ({ title, pattern }: { title: string; pattern: string }) =>
    filterIssues([{ ...issue, title, state: "open" }], { ...EVERY_ISSUE, title: pattern });
  // The title ends like the pattern, and holds that end only once.
  const long = (size: number) => ({ title: `${"a".repeat(size)}b`, pattern: `${"*a".repeat(size / 2)}*b*b` });
  expect(found(long(5000))).toEqual([]);
  expect(await growth(long, found, 100_000)).toBeLessThan(IN_PROPORTION);
});

test.each([
  ["42", 42, null],
  ["#42", 42, null],
  ["owner/repo#42", 42, "owner"],
  ["https://github.com/o/r/issues/42#issuecomment-1", 42, "o"],
])("%s names an issue", (text, number, owner) => expect(issueReference(text)).toMatchObject({ number, owner }));
test.each(["https://github.com/o/r/pull/42", "abc", "", "0", "-1", "#", "a/b#c"])("%p names no issue", (text) =>
  expect(issueReference(text)).toBeNull(),
);
