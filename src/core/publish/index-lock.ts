/** The lock file that a git which was killed leaves: until somebody removes it, no commit can be made. */
import { typedWord } from "../text/shell-words.ts";

/** ms for which a git that is at work may have it: then nothing is said. */
const AT_WORK_MS = 10_000;

/** Whether nobody is at work with it any more. @param since epoch ms of its last change */
export function isLeftLock({ since }: { since: number }, now: number): boolean {
  return now - since >= AT_WORK_MS;
}

/** What a person is told of it, at once and at the end. */
export function describeIndexLock(path: string): string {
  return `A lock file of git keeps everybody from committing: ${path}. Remove it, unless a git is at work in the repository.`;
}

/** The lock file that was in git's way, by its own words; null if none was. */
export function lockInTheWay(said: string): string | null {
  return /Unable to create '([^'\n]*[/\\]index\.lock)': File exists/.exec(said)?.[1] ?? null;
}

/** What a person types, once no git is at work. */
export function removesLock(path: string): string {
  return `rm ${typedWord(path)}`;
}
