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
  for (const head of [first + gap, gap])
    for (let at = 1; at < rest.length; at += 1) {
      const shown = head + rest.slice(at).join("");
      if (columns(shown) <= width) return shown;
    }
  return fit(rest.length === 0 ? path : gap + rest.at(-1), width);
}
