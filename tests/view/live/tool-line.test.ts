import { describe, expect, test } from "bun:test";
import type { OpenTool } from "../../../src/core/journal/open-tools.ts";
import { toolLine } from "../../../src/view/live/tool-line.ts";
import { fitPath } from "../../../src/view/text/path.ts";
import { style } from "../../../src/view/text/style.ts";
import { columns } from "../../../src/view/text/text.ts";

const LONG = "src/features/parser/grammar/tokenize.test.ts";
const frame = { v: 1, run: "0001", seq: 1, at: "2026-03-04T12:00:00.000Z" } as const;

function line(tool: Record<string, unknown>, width: number, after = ""): string {
  const started = { ...frame, type: "agent_tool_started", call: 1, tool_id: "t", ...tool } as unknown as OpenTool;
  return toolLine(started, { width, style: style(false), shorten: (text) => text }, after);
}

describe("a tool's line", () => {
  const other = (name: string, input: Record<string, unknown>) => ({ tool: "Other", name, input });
  const todos = [
    { content: "Read", status: "completed" },
    { content: "Mend it", status: "in_progress" },
  ];
  test.each([
    ["keeps a path's file name", { tool: "Read", input: { file_path: LONG } }, 34, "    Read src/…/tokenize.test.ts"],
    ["shows the task in progress", other("TodoWrite", { todos }), 60, "    TodoWrite Mend it"],
    ["shows no task of an empty list", other("TodoWrite", { todos: [] }), 60, "    TodoWrite"],
    [
      "names an MCP tool by server and tool",
      other("mcp__github__get_issue", { id: "7" }),
      60,
      "    github get_issue 7",
    ],
    ["counts lines", { tool: "Write", input: { file_path: "a.txt", content: "x\n" } }, 60, "    Write a.txt +1"],
    // As of Codex, which names the files alone.
    [
      "counts no lines it is not told",
      { tool: "Write", input: { file_path: "a.txt", content: "" } },
      60,
      "    Write a.txt",
    ],
    [
      "counts no lines of an edit it is not told",
      { tool: "Edit", input: { file_path: "a.txt", old_string: "", new_string: "" } },
      60,
      "    Edit a.txt",
    ],
  ])("%s", (_, tool, width, shown) => {
    expect(line(tool, width)).toBe(shown);
  });

  test("gives its argument all the remaining room", () => {
    const command = "x".repeat(100);
    for (const width of [20, 40, 80])
      expect(columns(line({ tool: "Bash", input: { command } }, width, " ✓ 3.2 s"))).toBe(width);
  });
});

describe("a path wider than its room", () => {
  test.each([
    [LONG, 50, LONG],
    [LONG, 36, "src/…/grammar/tokenize.test.ts"],
    [LONG, 22, "src/…/tokenize.test.ts"],
    [LONG, 18, "…/tokenize.test.ts"],
    [LONG, 10, "…/tokeniz…"],
    ["C:\\work\\a\\b\\name.ts", 13, "C:\\…\\name.ts"],
    ["averylongnamewithoutfolder", 8, "averylo…"],
  ])("shortens %s to %d columns", (path, width, shown) => {
    expect(fitPath(path, width)).toBe(shown);
  });
});
