import { singleLine } from "../text/plain-text.ts";

/**
 * What is told of a repository that an agent made in its checkout: no commit takes its files along.
 * @param path from the root of the checkout, with a slash at its end @param where the checkout, in words
 */
export function nestedWords(path: string, where: string): string {
  return `${singleLine(path)} in ${where} is a repository of its own: its files are in no commit there, and are not handed in.`;
}
