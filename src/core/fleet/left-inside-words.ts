import { singleLine } from "../text/plain-text.ts";

/**
 * What is told of a repository in a checkout whose files no commit of it takes along.
 * @param path from the root of the checkout: with a slash at its end for one that an agent made, without for a submodule
 * @param where the checkout, in words
 */
export function leftInsideWords(path: string, where: string): string {
  const place = `${singleLine(path)} in ${where}`;
  return path.endsWith("/")
    ? `${place} is a repository of its own: its files are in no commit there, and are not handed in.`
    : `${place} is a submodule with changes that no commit there has: they are not handed in.`;
}
