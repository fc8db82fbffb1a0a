import type { FileChange, WeakerReason } from "./compare.ts";
import { missingLines } from "./config-changes.ts";
import { withoutLongLines } from "./long-lines.ts";
import { ownLines } from "./own-lines.ts";
import { withoutComments } from "./test-code.ts";

const TEXT_CHARS = 100;
/** What ends a script, wherever it stands. */
const ENDS = /(?:^|[\s;&|({.])(?:exit|_exit|quit|die|return)\b/;

/**
 * Why a file that is nothing but a check may check less: no words tell what a line of a program demands, so any that is gone counts,
 * and any that comes and could end it early. The check as it was decides then, as with tests.
 */
export function weakerCheck({ path, before, after }: FileChange): WeakerReason[] {
  if (before === null || after === null) return [];
  const plain = (text: string) => withoutComments(path, withoutLongLines(text));
  const [was, is] = [plain(before), plain(after)];
  const gone = missingLines(was, is).find(({ text }) => /\w/.test(text));
  const ends = missingLines(is, was).find(({ text }) => ENDS.test(text));
  const [first] = [
    ...(gone === undefined ? [] : [{ ...gone, own: before, what: "a line of the check is gone or changed" }]),
    ...(ends === undefined ? [] : [{ ...ends, own: after, what: "the check may end early" }]),
  ];
  if (first === undefined) return [];
  const { line, own, what } = first;
  return [{ path, line, what: `${what}: ${ownLines(own, line).slice(0, TEXT_CHARS)}` }];
}
