/**
 * Splits a list of tools at its commas. A comma inside brackets belongs to the tool: `Bash(git add, commit),Read` are two
 * (product.md, `--allowed-tools`). Blanks around tools and empty places are dropped.
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
 * Whether a word can name a tool of some agent: it is no flag, holds no control characters and closes its brackets.
 * Which tools exist is the driver's business: MCP tools and new ones must pass here; bmalph refused them.
 */
export function isToolPattern(tool: string): boolean {
  if (tool === "" || tool.startsWith("-") || /\p{Cc}/u.test(tool)) return false;
  const open = tool.indexOf("(");
  return open === -1 ? !tool.includes(")") : open > 0 && tool.endsWith(")");
}
