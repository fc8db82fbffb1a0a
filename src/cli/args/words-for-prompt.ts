import { RalphError } from "../../core/errors.ts";

/**
 * The text that is to stand in the agent's next prompt.
 * @param most how many characters it may have
 * @param none what to say of no words
 * @throws RalphError `usage` for no words or too many
 */
export function wordsForPrompt(
  words: readonly string[],
  most: number,
  none: { message: string; hint: string },
): string {
  const text = words.join(" ").trim();
  if (text === "") throw new RalphError("usage", none.message, { hint: none.hint });
  if (text.length <= most) return text;
  throw new RalphError("usage", `That is too long: ${text.length} characters, and at most ${most} are allowed.`, {
    hint: "Write it into a file of the project, and say where it is.",
  });
}
