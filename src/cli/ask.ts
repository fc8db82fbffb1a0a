import { RalphError } from "../core/errors.ts";

/**
 * Asks yes or no on the terminal. Pressing Enter alone means no.
 * @throws RalphError `usage` if the user cancels (Ctrl+C)
 */
export async function confirm(message: string): Promise<boolean> {
  const clack = await import("@clack/prompts");
  const answer = await clack.confirm({ message, initialValue: false });
  if (clack.isCancel(answer)) throw new RalphError("usage", "Nothing was done.");
  return answer;
}
