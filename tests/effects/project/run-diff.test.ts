import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import type { RunDiff } from "../../../src/core/diff/run-diff.ts";
import type { EventBody, RalphEvent } from "../../../src/core/journal/event.ts";
import { readRunDiff } from "../../../src/effects/project/run-diff.ts";
import { seed } from "../../seed.ts";
import { createSandbox, type Sandbox } from "../git/git-sandbox.ts";

/** The events of a journal as far as a diff reads them. */
function journal(project: string) {
  const events: object[] = [{ type: "run_started", project, iteration: 0 }];
  return {
    events: events as RalphEvent[],
    begin(number: number, head: string | null) {
      events.push({ type: "iteration_started", number, iteration: number, call: number, head });
    },
    tool(iteration: number, tool: Partial<EventBody> | Record<string, unknown>) {
      events.push({ type: "agent_tool_started", iteration, call: iteration, tool_id: `t${events.length}`, ...tool });
    },
    failed(iteration: number) {
      const id = `t${events.length - 1}`;
      events.push({ type: "agent_tool_finished", iteration, call: iteration, tool_use_id: id, is_error: true });
    },
    end(iteration: number, head: string | null, commits: string[], files_changed: string[]) {
      const evidence = { head, commits, files_changed, files_changed_count: files_changed.length };
      events.push({ type: "iteration_finished", iteration, evidence });
    },
  };
}

async function look(
  at: Sandbox,
  events: RalphEvent[],
  { iteration = null, isNewest = true }: { iteration?: number | null; isNewest?: boolean } = {},
): Promise<RunDiff> {
  const range = iteration === null ? null : { first: iteration, last: iteration };
  const diff = await readRunDiff({ run: "1", events, range, isNewest, projectDir: at.project, env: at.env });
  if (diff === null) throw new Error("no such iteration");
  return diff;
}

const summary = ({ parts }: RunDiff) =>
  parts.map(({ source, files }) => `${source}: ${files.map(({ path, change }) => `${path} ${change}`).join(", ")}`);
const write = (file_path: string, text: string) => ({ tool: "Write", input: { file_path, content: text } });
const edit = (file_path: string, old_string: string, new_string: string) => ({
  tool: "Edit",
  input: { file_path, old_string, new_string },
});

describe("what a run changed", () => {
  test("is read from its commits, newest first, and from the work tree", async () => {
    using at = createSandbox();
    at.write({ "a.txt": "1\n", "b.txt": "1\n", ".ralph/PROMPT.md": "x\n" });
    const base = at.commit();
    const log = journal(at.project);
    log.begin(1, base);
    at.write({ "a.txt": "2\n" });
    const one = at.commit("feat: two");
    log.end(1, one, [one], ["a.txt"]);
    log.begin(2, one);
    at.write({ "a.txt": "3\n" });
    const two = at.commit("fix: three");
    at.write({ "new.txt": "n\n", ".ralph/PROMPT.md": "y\n" });
    rmSync(at.path("b.txt"));
    log.end(2, two, [two], ["a.txt", "b.txt", "new.txt"]);

    const diff = await look(at, log.events);
    expect(summary(diff)).toEqual(["commits: a.txt changed", "work_tree: b.txt deleted, new.txt added"]);
    expect(diff.parts[0]?.commits).toEqual([
      { id: two, subject: "fix: three" },
      { id: one, subject: "feat: two" },
    ]);
    expect(diff.parts[0]?.files[0]?.lines).toContain("+3");
    expect(summary(await look(at, log.events, { iteration: 1 }))).toEqual(["commits: a.txt changed"]);
    const second = await look(at, log.events, { iteration: 2 });
    expect(second.parts[0]?.files[0]?.lines).toContain("-2");
    expect(second.parts).toHaveLength(2);
  });

  test("is what the tools reported, where work was not committed and later work may lie over it", async () => {
    using at = createSandbox();
    at.write({ "a.txt": "1\n" });
    const base = at.commit();
    const log = journal(at.project);
    log.begin(1, base);
    log.tool(1, edit(at.path("a.txt"), "1\n", "2\n"));
    log.tool(1, edit("a.txt", "9\n", "8\n"));
    log.failed(1);
    log.tool(1, write("reverted.txt", "x\n"));
    log.tool(1, write("/elsewhere/x.txt", "x\n"));
    log.tool(1, write("n.txt", "x\n"));
    log.tool(1, edit("n.txt", "x", "y"));
    log.end(1, base, [], ["a.txt", "n.txt"]);
    const diff = await look(at, log.events, { isNewest: false });
    expect(summary(diff)).toEqual(["tools: a.txt changed, n.txt added"]);
    const [a, n] = diff.parts[0]?.files ?? [];
    expect(a).toMatchObject({ added: 1, removed: 1 });
    expect(a?.lines.slice(3)).toEqual(["@@ edit 1 @@", "-1", "+2"].slice(0));
    expect(n?.lines).toContain("@@ written 1 @@");
  });

  test("of a run whose commits are gone says so, and tells what the tools reported", async () => {
    using at = createSandbox();
    at.write({ "a.txt": "1\n" });
    const base = at.commit();
    const log = journal(at.project);
    log.begin(1, base);
    log.tool(1, write("a.txt", "2\n"));
    log.end(1, "0123456789012345678901234567890123456789", ["0123456789012345678901234567890123456789"], ["a.txt"]);
    const diff = await look(at, log.events);
    expect(diff.commits_unreadable).toBeTrue();
    expect(summary(diff)).toEqual(["tools: a.txt added"]);
  });

  test("outside a repository is what the tools reported", async () => {
    using at = createSandbox("plain");
    const log = journal(at.project);
    log.begin(1, null);
    log.tool(1, write("a.txt", "2\n"));
    log.end(1, null, [], ["a.txt"]);
    expect(summary(await look(at, log.events))).toEqual(["tools: a.txt added"]);
  });

  test("is found for a live run, whose iteration has no end yet", async () => {
    using at = createSandbox();
    at.write({ "a.txt": "1\n" });
    const base = at.commit();
    const log = journal(at.project);
    log.begin(1, base);
    at.write({ "a.txt": "2\n" });
    at.commit();
    at.write({ "a.txt": "3\n" });
    expect(summary(await look(at, log.events))).toEqual(["commits: a.txt changed", "work_tree: a.txt changed"]);
  });

  test("that a person committed after its end is still told", async () => {
    using at = createSandbox();
    at.write({ "a.txt": "1\n" });
    const base = at.commit();
    const log = journal(at.project);
    log.begin(1, base);
    log.tool(1, write("a.txt", "2\n"));
    at.write({ "a.txt": "2\n" });
    log.end(1, base, [], ["a.txt"]);
    expect(summary(await look(at, log.events))).toEqual(["work_tree: a.txt changed"]);
    at.commit();
    expect(summary(await look(at, log.events))).toEqual(["tools: a.txt added"]);
  });

  test("in a project below its repository's root is that project's, in packs too", async () => {
    using at = createSandbox();
    at.write({ "pkg/a.txt": "1\n", "other.txt": "1\n" });
    const base = at.commit();
    at.write({ "pkg/a.txt": "2\n", "other.txt": "2\n" });
    const end = at.commit();
    at.git("gc", "--quiet", "--prune=now");
    at.write({ "other.txt": "3\n", "pkg/b.txt": "\r\n" });
    const log = journal(at.path("pkg"));
    log.begin(1, base);
    log.end(1, end, [end], ["a.txt"]);
    const diff = await readRunDiff({
      ...{ run: "1", events: log.events, range: null, isNewest: true, env: at.env },
      projectDir: at.path("pkg"),
    });
    expect(diff === null ? [] : summary(diff)).toEqual(["commits: a.txt changed", "work_tree: b.txt added"]);
  });

  test("has no iteration that the journal lacks", async () => {
    using at = createSandbox();
    const options = { run: "1", events: journal(at.project).events, range: { first: 3, last: 3 }, isNewest: true };
    expect(await readRunDiff({ ...options, projectDir: at.project, env: at.env })).toBeNull();
  });
});

test("git applies the diff of any commits and of the work tree, and has the same files", async () => {
  const line = fc.constantFrom("a\n", "b\n", "c\n", "\n", "-- x\n", "@@ y\n", "end");
  const text = fc.array(line, { maxLength: 6 }).map((lines) => lines.join(""));
  const name = fc.constantFrom("a.txt", "b b.txt", "src/c.txt", "src/deep/d.txt", "ä.txt");
  const tree = fc.dictionary(name, text, { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(tree, tree, tree, async (first, second, third) => {
      using at = createSandbox();
      const put = (files: Record<string, string>) => {
        for (const path of at.git("ls-files", "-z", "-co").split("\0")) if (path !== "") rmSync(at.path(path));
        at.write(files);
      };
      put(first);
      const base = at.commit();
      const log = journal(at.project);
      log.begin(1, base);
      put(second);
      const end = at.commit();
      put(third);
      log.end(1, end, [end], []);
      const { parts } = await look(at, log.events);
      const copy = join(at.folder, "copy");
      at.gitIn(at.folder, "clone", "--quiet", at.project, copy);
      at.gitIn(copy, "checkout", "--quiet", base);
      for (const { files } of parts) {
        const lines = files.flatMap((file) => file.lines);
        if (lines.length === 0) continue;
        writeFileSync(join(at.folder, "patch"), `${lines.join("\n")}\n`);
        at.gitIn(copy, "apply", "--unidiff-zero", join(at.folder, "patch"));
      }
      const paths = at
        .gitIn(copy, "ls-files", "-z", "-co")
        .split("\0")
        .filter((path) => path !== "");
      const there = Object.fromEntries(
        paths.flatMap((path) => {
          try {
            return [[path, readFileSync(join(copy, path), "utf8")]];
          } catch {
            return [];
          }
        }),
      );
      expect(there).toEqual(third);
    }),
    { seed, numRuns: 12 },
  );
}, 60_000);
