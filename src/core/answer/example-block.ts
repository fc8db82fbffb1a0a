/**
 * Distinguishes an answer's own status block from an example: a block in documentation, or a preview of the end. The
 * line above a block and its indentation decide.
 */

/** Above a code block: conditions, promises, forms. "In the required form" may introduce the answer's own block. */
const ABOVE_CODE =
  /\b(?:when|once|if|will|would|should|examples?|(?<!\bin (?:the|your|this) (?:\w{1,20} )?)formats?|templates?|likes?)\b.{0,200}:\W{0,5}$/i;
/** Above a block in running text: only unambiguous words. */
const ABOVE_TEXT = [
  /\b(?:for (?:example|instance)\b|e\.g\.|(?:looks?|something|anything|like) (?:like|this)\b|(?:an|as|another|following|this|the) (?:example|template|sample)\b)[^.!?;]{0,200}:\W{0,5}$/i,
  /\b(?:when|once|if|until)\b[^.!?;]{0,120}\b(?:will|would|should|can|must)\b[^.!?;]{0,120}:\W{0,5}$/i,
  /^\W{0,6}(?:for )?(?:examples?|instance)\W{0,6}$/i,
];
/** Only the end of a longer line is read. */
const INTRO_CHARS = 400;
const LIST_ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
/** Markdown takes this indentation for code. */
const CODE_COLUMNS = 4;

/**
 * Whether the line above a block makes it an example.
 * @param asCode the block is in a fence, or indented as code
 */
export function introducesExample(intro: string, { asCode }: { asCode: boolean }): boolean {
  const end = intro.slice(-INTRO_CHARS);
  return (asCode && ABOVE_CODE.test(end)) || ABOVE_TEXT.some((words) => words.test(end));
}

/** Whether a line is indented as code below the line `intro`. Indentation below a list item continues the item. */
export function isCodeBelow(intro: string, line: string): boolean {
  return intro !== "" && !LIST_ITEM.test(intro) && indentOf(line) - indentOf(intro) >= CODE_COLUMNS;
}

function indentOf(line: string): number {
  let columns = 0;
  for (const character of line) {
    if (character === "\t") columns += CODE_COLUMNS - (columns % CODE_COLUMNS);
    else if (character === " ") columns += 1;
    else break;
  }
  return columns;
}
