import { isRecord, str } from "../core/json-value.ts";
import type { AgentEvent, ToolCall } from "../driver.ts";
import { parseJsonLine } from "./json-line.ts";
import { patchCalls } from "./patch-calls.ts";

type Arguments = Record<string, unknown>;
type Build = (input: Arguments) => ToolCall | null;

const FILE = ["file_path", "filePath", "path", "target_file", "targetFile", "notebook_path", "file", "filename"];
const OLD = ["old_string", "oldString", "old_str", "oldStr", "oldText"];
const NEW = ["new_string", "newString", "new_str", "newStr", "newText", "new_source", "streamContent"];
const CONTENT = ["content", "contents", "file_text", "fileText", "streamContent", "text"];
const COMMAND = ["command", "cmd", "script", "code"];
const PATTERN = ["pattern", "globPattern", "glob_pattern", "glob", "query", "searchQuery", "regex"];
const FOLDER = ["path", "targetDirectory", "target_directory", "directory", "cwd"];
const INCLUDE = ["include", "glob", "include_pattern", "includePattern"];
const PATCH = ["patch", "patchText", "patch_text", "input", "diff"];

/** The CLIs' names for the six canonical tools, lower case and without separators. */
const BUILD: ReadonlyMap<string, Build> = new Map([
  ...named(read, "read", "view", "readfile", "fileread"),
  ...named(edit, "edit", "multiedit", "editfile", "fileedit", "notebookedit", "strreplace", "searchreplace", "update"),
  ...named(edit, "applypatch", "patch", "filechange"),
  ...named(write, "write", "create", "writefile", "createfile", "filewrite"),
  ...named(bash, "bash", "shell", "exec", "execcommand", "commandexecution", "localshell", "localshellcall"),
  ...named(bash, "powershell", "runcommand", "runterminalcmd", "runshellcommand", "terminal"),
  ...named(glob, "glob", "globfilesearch", "filesearch", "find"),
  ...named(grep, "grep", "rg", "ripgrep", "search", "codebasesearch"),
  ...named(editor, "strreplaceeditor", "strreplacebasededittool"),
]);

/**
 * A CLI's tool call in canonical form. An unknown tool, or a call without its main argument, becomes `Other` with all its
 * original arguments.
 */
export function toolCall(name: string, input: unknown): ToolCall {
  const args = argumentsOf(input);
  return builderOf(name)?.(args) ?? { tool: "Other", name, input: args };
}

/** The same, but one call for each file of a patch. */
export function toolCalls(name: string, input: unknown): ToolCall[] {
  const calls = builderOf(name) === edit ? patched(argumentsOf(input)) : [];
  return calls.length > 1 ? calls : [toolCall(name, input)];
}

/** The event of a call that was refused. */
export function denied(call: ToolCall, tool_use_id: string): AgentEvent {
  const tool = call.tool === "Other" ? call.name : call.tool;
  return { type: "denied", tool, command: call.tool === "Bash" ? call.input.command : null, tool_use_id };
}

function builderOf(name: string): Build | undefined {
  return BUILD.get(name.toLowerCase().replaceAll(/[^a-z0-9]|toolcall$/g, ""));
}

function named(build: Build, ...names: string[]): [string, Build][] {
  return names.map((name) => [name, build]);
}

/** Arguments come as an object, as JSON text or (custom tools) as plain text. */
function argumentsOf(input: unknown): Arguments {
  if (isRecord(input)) return input;
  if (typeof input !== "string") return input === undefined || input === null ? {} : { input };
  const parsed = parseJsonLine(input);
  return isRecord(parsed) ? parsed : { input };
}

function read(input: Arguments): ToolCall | null {
  const file_path = first(input, FILE);
  return file_path === null ? null : { tool: "Read", input: { file_path } };
}

function edit(input: Arguments): ToolCall | null {
  const [call] = patched(input);
  if (call !== undefined) return call;
  const file_path = first(input, FILE) ?? changedFile(input.changes);
  if (file_path === null) return null;
  const old_string = first(input, OLD) ?? joined(input.edits, OLD) ?? "";
  const new_string = first(input, NEW) ?? joined(input.edits, NEW) ?? first(input, PATCH) ?? "";
  return { tool: "Edit", input: { file_path, old_string, new_string } };
}

function write(input: Arguments): ToolCall | null {
  const file_path = first(input, FILE);
  return file_path === null ? null : { tool: "Write", input: { file_path, content: first(input, CONTENT) ?? "" } };
}

function bash(input: Arguments): ToolCall | null {
  const words = Array.isArray(input.command) ? input.command.map(String).join(" ") : null;
  const command = words ?? first(input, COMMAND);
  return command === null ? null : { tool: "Bash", input: { command, description: str(input.description) } };
}

function glob(input: Arguments): ToolCall | null {
  const pattern = first(input, PATTERN);
  return pattern === null ? null : { tool: "Glob", input: { pattern, path: first(input, FOLDER) } };
}

function grep(input: Arguments): ToolCall | null {
  const pattern = first(input, PATTERN);
  if (pattern === null) return null;
  return { tool: "Grep", input: { pattern, path: first(input, FOLDER), include: first(input, INCLUDE) } };
}

/** One tool with several verbs: `command` selects one. */
function editor(input: Arguments): ToolCall | null {
  if (input.command === "view") return read(input);
  return input.command === "create" ? write(input) : edit(input);
}

function first(input: Arguments, names: readonly string[]): string | null {
  for (const name of names) {
    const value = str(input[name]);
    if (value !== null) return value;
  }
  return null;
}

/** Joins the strings of a call that makes several edits. */
function joined(edits: unknown, names: readonly string[]): string | null {
  if (!Array.isArray(edits)) return null;
  return edits.map((one) => (isRecord(one) ? (first(one, names) ?? "") : "")).join("\n");
}

/** The calls of a patch that names its files itself. */
function patched(input: Arguments): ToolCall[] {
  return first(input, FILE) === null ? patchCalls(first(input, PATCH) ?? "") : [];
}

function changedFile(changes: unknown): string | null {
  const change: unknown = Array.isArray(changes) ? changes[0] : null;
  return isRecord(change) ? first(change, FILE) : null;
}
