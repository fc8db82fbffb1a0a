import { expect, test } from "bun:test";
import { toolEntry } from "../../../src/view/report/tool-entry.ts";

const HEAD = { v: 1, seq: 1, at: "2026-03-04T12:00:00Z", run: "0001-20260304-120000", iteration: 1, call: 1 } as const;
const started = { ...HEAD, type: "agent_tool_started", tool_id: "t" } as const;
const finished = { ...HEAD, type: "agent_tool_finished", tool_use_id: "t" } as const;

const bash = (command: string, content: string, is_error = false) =>
  toolEntry(
    { ...started, tool: "Bash", input: { command, description: null } },
    { ...finished, content, is_error },
    (text) => text.replaceAll("/p/shop", "⌂"),
  );

test("a folded command tells the first two lines that say something, in an attribute, never as markup", () => {
  const html = bash("npm test", `\n12 pass at /p/shop\n  \n"><b>1</b> fail\nmore\n`, true);
  expect(html).toContain(`<summary data-preview="12 pass at ⌂\n&quot;&gt;&lt;b&gt;1&lt;/b&gt; fail">`);
  expect(bash("true", "")).not.toContain("data-preview");
});

test("what a file said is not previewed unless it could not be read", () => {
  const read = (is_error: boolean) =>
    toolEntry(
      { ...started, tool: "Read", input: { file_path: "/a" } },
      { ...finished, content: "no such file", is_error },
      (text) => text,
    );
  expect([read(false).includes("data-preview"), read(true).includes("data-preview")]).toEqual([false, true]);
});

test("a result that is a patch has its lines in colour, a list with dashes has not", () => {
  expect(bash("git diff", "@@ -1 +1 @@\n-<a>\n+b\n c")).toContain(
    `<pre class="diff">@@ -1 +1 @@\n<del>-&lt;a&gt;</del>\n<ins>+b</ins>\n c\n</pre>`,
  );
  expect(bash("ls", "- a\n+ b")).toContain("<pre>- a\n+ b</pre>");
});
