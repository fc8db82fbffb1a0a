import type { ToolCall } from "../driver.ts";

/**
 * The calls that a patch in the form `*** Update File: PATH` stands for: one for each file, in its order; none for any
 * other text. Lines of context stand on both sides of an edit.
 */
export function patchCalls(patch: string): ToolCall[] {
  return patch.split(/^(?=\*\*\* (?:Add|Update|Delete) File: )/m).flatMap((section) => {
    const [, verb, file_path] = /^\*\*\* (Add|Update|Delete) File: (.+)/.exec(section) ?? [];
    if (file_path === undefined) return [];
    const lines = section.trimEnd().split(/\r?\n/).slice(1);
    const body = lines.filter((line) => !line.startsWith("***") && !line.startsWith("@@"));
    return [fileCall(verb, file_path.trim(), body)];
  });
}

function fileCall(verb: string | undefined, file_path: string, body: readonly string[]): ToolCall {
  const side = (marks: string) =>
    body
      .filter((line) => marks.includes(line.charAt(0)))
      .map((line) => `${line.slice(1)}\n`)
      .join("");
  switch (verb) {
    case "Add":
      return { tool: "Write", input: { file_path, content: side("+") } };
    case "Delete":
      return { tool: "Other", name: "delete_file", input: { file_path } };
    default:
      return { tool: "Edit", input: { file_path, old_string: side(" -"), new_string: side(" +") } };
  }
}
