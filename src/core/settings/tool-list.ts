/**
 * Splits a list of tools at its commas. A comma inside brackets belongs to the tool: `Bash(git add, commit),Read` are
 * two (product.md "`ralph run` flags", `--allowed-tools`). Drops blanks around tools and empty entries.
 */
export function splitTools(list: string): string[] {
  const tools: string[] = [];
  let depth = 0;
  let tool = "";
  for (const character of list) {
    if (character === "(") depth++;
    if (character === ")") depth = Math.max(0, depth - 1);
    if (character === "," && depth === 0) {
      tools.push(tool);
      tool = "";
    } else {
      tool += character;
    }
  }
  return [...tools, tool].map((part) => part.trim()).filter((part) => part !== "");
}

/**
 * Whether a word can name an agent's tool: no flag, no control characters, brackets closed. Only the driver knows the
 * existing tools: MCP tools and new ones must pass here; bmalph refused them.
 */
export function isToolPattern(tool: string): boolean {
  if (tool === "" || tool.startsWith("-") || /\p{Cc}/u.test(tool)) return false;
  const open = tool.indexOf("(");
  return open === -1 ? !tool.includes(")") : open > 0 && tool.endsWith(")");
}
