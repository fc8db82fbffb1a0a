/** Shortens absolute paths below the project to `⌂/…` (product.md, "Paths"). */
export type Shorten = (text: string) => string;

/**
 * @param project canonical folder of the project
 * @param foldCase compare without regard to case, as macOS and Windows do
 */
export function shortener(project: string, foldCase: boolean): Shorten {
  const variants = [...new Set([project, project.replaceAll("\\", "/")])].map(escapeRegExp).join("|");
  const pattern = new RegExp(`(?:${variants})(?=[\\\\/"'\`\\s:;,)\\]}]|$)`, foldCase ? "gi" : "g");
  return (text) => text.replace(pattern, "⌂");
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
