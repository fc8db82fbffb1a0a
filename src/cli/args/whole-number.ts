import { RalphError } from "../../core/errors.ts";

/**
 * Parses a flag's whole number from 1 up.
 * @throws RalphError `usage` for anything else
 */
export function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new RalphError("usage", `${flag} must be a whole number from 1 up, not ${JSON.stringify(text)}.`);
}
