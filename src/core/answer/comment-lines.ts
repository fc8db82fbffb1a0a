/**
 * Finds the lines (from 0) inside HTML comments, even in code fences: commented text is no statement of the agent. An
 * unclosed comment hides nothing, nor does one in inline code. Linear.
 */
export function commentedLines(lines: readonly string[]): ReadonlySet<number> {
  const hidden = new Set<number>();
  let from: number | null = null;
  for (const [index, line] of lines.entries()) {
    if (from !== null && line.includes("-->")) {
      for (let inside = from; inside <= index; inside += 1) hidden.add(inside);
      from = null;
    }
    if (from === null && opensComment(line)) from = index;
  }
  return hidden;
}

/** Whether the last comment of a line continues below it. */
function opensComment(line: string): boolean {
  const start = line.lastIndexOf("<!--");
  if (start === -1 || line.includes("-->", start)) return false;
  return line.slice(0, start).split("`").length % 2 === 1;
}
