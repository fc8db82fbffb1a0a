import { escapedPattern } from "../../core/text/escape-pattern.ts";
import { columns, fit } from "./text.ts";

/** Shortens absolute paths below the project to `⌂/…` (product.md "Paths"). */
export type Shorten = (text: string) => string;

/**
 * @param project canonical folder of the project
 * @param foldCase ignore case in the comparison, as macOS and Windows do
 */
export function shortener(project: string, foldCase: boolean): Shorten {
  const variants = [...new Set([project, project.replaceAll("\\", "/")])].map(escapedPattern).join("|");
  const pattern = new RegExp(`(?:${variants})(?=[\\\\/"'\`\\s:;,)\\]}]|$)`, foldCase ? "gi" : "g");
  return (text) => text.replace(pattern, "⌂");
}

/** A path cut to `width` columns in the middle, since its end is the most telling part: `src/…/name.test.ts`. */
export function fitPath(path: string, width: number): string {
  if (columns(path) <= width) return path;
  const gap = path.includes("/") ? "…/" : "…\\";
  const [first = "", ...rest] = path.split(/(?<=[\\/])/);
  for (const head of [first + gap, gap]) {
    const end = endOf(rest.slice(1), width - columns(head));
    if (end !== "") return head + end;
  }
  return fit(rest.length === 0 ? path : gap + rest.at(-1), width);
}

/** The last of the parts that fit together: from the end, since an agent may name a path of any length. */
function endOf(parts: readonly string[], width: number): string {
  let end = "";
  let room = width;
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const part = parts[at] ?? "";
    room -= columns(part);
    if (room < 0) break;
    end = part + end;
  }
  return end;
}
