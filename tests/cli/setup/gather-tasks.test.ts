import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beadsTasks, githubIssue, githubTasks } from "../../../src/cli/setup/gather-tasks.ts";
import { createHost } from "../../../src/effects/host.ts";
import { issueReference } from "../../../src/setup/tasks/from-github.ts";
import { testFolder } from "../../folders.ts";

const top = testFolder("tasks");
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
afterAll(() => server.stop(true));

const api = `http://127.0.0.1:${server.port}`;
const issue = (number: number, more: Record<string, unknown> = {}) => ({
  number,
  title: `Issue ${number}`,
  body: null,
  state: "open",
  labels: [],
  html_url: `https://github.com/o/r/issues/${number}`,
  ...more,
});
const site = (env: Record<string, string> = {}) => ({
  dir: top,
  host: createHost(top, { HOME: top, PATH: "", GITHUB_API_URL: api, ...env }),
  findings: { github: { owner: "o", repo: "r" } } as Parameters<typeof githubTasks>[0]["findings"],
});

describe("issues of the public API", () => {
  test("are fetched page by page, pull requests left out, oldest first", async () => {
    answer = (url) => {
      const page = Number(url.searchParams.get("page"));
      return Response.json(
        page === 1 ? Array.from({ length: 100 }, (_, n) => issue(102 - n)) : [issue(2, { pull_request: {} }), issue(1)],
      );
    };
    requests.length = 0;
    const all = await githubTasks(site({ GITHUB_TOKEN: "t0ken" }), "bug, ui");
    expect([all.length, all[0]?.id]).toEqual([101, "#1"]);
    expect(requests[0]).toEqual({
      path: "/repos/o/r/issues?state=open&per_page=100&page=1&labels=bug%2Cui",
      auth: "Bearer t0ken",
    });
  });

  test("use a token from GITHUB_TOKEN or GH_TOKEN, and from nowhere else", async () => {
    answer = () => Response.json([issue(1)]);
    requests.length = 0;
    await githubTasks(site({ GITHUB_PAT: "no", GH_TOKEN: "yes" }), null);
    await githubTasks(site({ GITHUB_PAT: "no" }), null);
    expect(requests.map(({ auth }) => auth)).toEqual(["Bearer yes", null]);
  });

  test.each([
    [404, "GitHub has no such repository"],
    [401, "GitHub refused the token"],
    [429, "limit for requests"],
    [500, "status 500"],
  ])("that fail with %d are explained in words", async (status, words) => {
    answer = () => Response.json({ message: "x" }, { status });
    await expect(githubTasks(site(), null)).rejects.toThrow(words);
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
    const tasks = await githubTasks(site({ PATH: path, GITHUB_API_URL: "" }), "P0");
    expect(tasks).toMatchObject([{ id: "#3", priority: "high" }]);
    expect(readFileSync(join(top, "gh.log"), "utf8")).toStartWith(
      "issue list --state open --limit 500 --label P0 --repo o/r --json",
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

test.each([
  ["42", 42, null],
  ["#42", 42, null],
  ["owner/repo#42", 42, "owner"],
  ["https://github.com/o/r/issues/42#issuecomment-1", 42, "o"],
])("%s names an issue", (text, number, owner) => expect(issueReference(text)).toMatchObject({ number, owner }));
test.each(["https://github.com/o/r/pull/42", "abc", "", "0", "-1", "#", "a/b#c"])("%p names no issue", (text) =>
  expect(issueReference(text)).toBeNull(),
);
