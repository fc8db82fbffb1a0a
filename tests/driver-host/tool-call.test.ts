import { describe, expect, test } from "bun:test";
import { denied, toolCall, toolCalls } from "../../src/driver-host/tool-call.ts";

const patch = "*** Begin Patch\n*** Add File: src/a.ts\n+x\n*** End Patch\n";

describe("a tool call in canonical form", () => {
  test.each<[string, string, unknown, string, object]>([
    ["Claude Code", "Read", { file_path: "a" }, "Read", { file_path: "a" }],
    [
      "Claude Code",
      "Edit",
      { file_path: "a", old_string: "x", new_string: "y" },
      "Edit",
      { file_path: "a", old_string: "x", new_string: "y" },
    ],
    [
      "Claude Code",
      "MultiEdit",
      {
        file_path: "a",
        edits: [
          { old_string: "x", new_string: "y" },
          { old_string: "u", new_string: "v" },
        ],
      },
      "Edit",
      { file_path: "a", old_string: "x\nu", new_string: "y\nv" },
    ],
    [
      "Claude Code",
      "NotebookEdit",
      { notebook_path: "n", new_source: "s" },
      "Edit",
      { file_path: "n", old_string: "", new_string: "s" },
    ],
    ["Claude Code", "Bash", { command: "ls", description: "list" }, "Bash", { command: "ls", description: "list" }],
    [
      "Claude Code",
      "Grep",
      { pattern: "x", path: "p", glob: "*.ts" },
      "Grep",
      { pattern: "x", path: "p", include: "*.ts" },
    ],
    ["Claude Code", "Glob", { pattern: "*" }, "Glob", { pattern: "*", path: null }],
    [
      "Codex",
      "command_execution",
      { command: ["bash", "-lc", "ls"] },
      "Bash",
      { command: "bash -lc ls", description: null },
    ],
    ["Codex", "exec_command", { cmd: "ls" }, "Bash", { command: "ls", description: null }],
    [
      "Codex",
      "file_change",
      { changes: [{ path: "a.ts", kind: "update" }] },
      "Edit",
      { file_path: "a.ts", old_string: "", new_string: "" },
    ],
    ["Claude Code", "Read", { file_path: "/p/src/../a b" }, "Read", { file_path: "/p/src/../a b" }],
    ["Claude Code", "Write", { file_path: "a", content: "c" }, "Write", { file_path: "a", content: "c" }],
    ["OpenCode", "write", { filePath: "a", content: "c" }, "Write", { file_path: "a", content: "c" }],
    [
      "OpenCode",
      "edit",
      { filePath: "a", oldString: "x", newString: "y" },
      "Edit",
      { file_path: "a", old_string: "x", new_string: "y" },
    ],
    ["Copilot", "create", { path: "a", file_text: "c" }, "Write", { file_path: "a", content: "c" }],
    ["Copilot", "view", { path: "a" }, "Read", { file_path: "a" }],
    [
      "Copilot",
      "edit",
      { path: "a", old_str: "x", new_str: "y" },
      "Edit",
      { file_path: "a", old_string: "x", new_string: "y" },
    ],
    ["Copilot", "terminal", { command: "ls" }, "Bash", { command: "ls", description: null }],
    ["Copilot", "find", { pattern: "*.ts" }, "Glob", { pattern: "*.ts", path: null }],
    ["Copilot", "search", { query: "x", path: "p" }, "Grep", { pattern: "x", path: "p", include: null }],
    [
      "Cursor",
      "codebaseSearchToolCall",
      { searchQuery: "x", targetDirectory: "p" },
      "Grep",
      { pattern: "x", path: "p", include: null },
    ],
    ["Copilot", "apply_patch", patch, "Write", { file_path: "src/a.ts", content: "x\n" }],
    ["Copilot", "apply_patch", { patch_text: patch }, "Write", { file_path: "src/a.ts", content: "x\n" }],
    [
      "Copilot",
      "apply_patch",
      { path: "a", diff: "-x\n+y" },
      "Edit",
      { file_path: "a", old_string: "", new_string: "-x\n+y" },
    ],
    [
      "Copilot",
      "str_replace_editor",
      { command: "create", path: "a", file_text: "c" },
      "Write",
      { file_path: "a", content: "c" },
    ],
    ["Copilot", "bash", '{"command":"ls"}', "Bash", { command: "ls", description: null }],
    ["Cursor", "shellToolCall", { command: "ls" }, "Bash", { command: "ls", description: null }],
    ["Cursor", "globToolCall", { globPattern: "*", targetDirectory: "/p" }, "Glob", { pattern: "*", path: "/p" }],
    [
      "Cursor",
      "editToolCall",
      { path: "a", streamContent: "c" },
      "Edit",
      { file_path: "a", old_string: "", new_string: "c" },
    ],
    ["Cursor", "writeToolCall", { path: "a", fileText: "c" }, "Write", { file_path: "a", content: "c" }],
  ])("is made from %s's %s", (_, name, input, tool, canonical) => {
    expect(toolCall(name, input)).toEqual({ tool, input: canonical } as never);
  });

  test.each<[string, unknown, object]>([
    ["mcp__files__read", { path: "a" }, { path: "a" }],
    ["TodoWrite", { todos: [] }, { todos: [] }],
    ["Read", {}, {}],
    ["Bash", null, {}],
    ["Read", { file_path: 5 }, { file_path: 5 }],
    ["constructor", {}, {}],
    ["", "free text", { input: "free text" }],
  ])("is Other for %p with %p, which stays unchanged", (name, input, kept) => {
    expect(toolCall(name, input)).toEqual({ tool: "Other", name, input: kept } as never);
  });
});

describe("a patch", () => {
  const several = [
    "*** Begin Patch",
    "*** Update File: a b.ts",
    "@@ function f() {",
    " same",
    "-old",
    "+new",
    "+*** Update File: no file",
    "@@",
    "",
    "-last",
    "*** Delete File: c.ts",
    "*** Add File: d.ts",
    "+one",
    "+",
    "+two",
    "*** End Patch",
    "",
  ];

  test.each(["\n", "\r\n"])("of several files is a call for each, with line ends %j", (end) => {
    expect(toolCalls("apply_patch", { input: several.join(end) })).toEqual([
      {
        tool: "Edit",
        input: {
          file_path: "a b.ts",
          old_string: "same\nold\n\nlast\n",
          new_string: "same\nnew\n*** Update File: no file\n\n",
        },
      },
      { tool: "Other", name: "delete_file", input: { file_path: "c.ts" } },
      { tool: "Write", input: { file_path: "d.ts", content: "one\n\ntwo\n" } },
    ]);
  });

  test("in the arguments of another tool is none", () => {
    expect(toolCalls("bash", { command: "ls", input: several.join("\n") })).toEqual([
      { tool: "Bash", input: { command: "ls", description: null } },
    ]);
    expect(toolCalls("apply_patch", "no patch")).toEqual([
      { tool: "Other", name: "apply_patch", input: { input: "no patch" } },
    ]);
  });
});

describe("a refused call", () => {
  test("has its command, or the agent's own name of its tool", () => {
    expect(["bash", "deploy"].map((name) => denied(toolCall(name, { command: "make" }), "t1"))).toEqual([
      { type: "denied", tool: "Bash", command: "make", tool_use_id: "t1" },
      { type: "denied", tool: "deploy", command: null, tool_use_id: "t1" },
    ]);
  });
});
