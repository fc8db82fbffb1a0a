import { RalphError } from "../core/errors.ts";

/** The plan's text for what goes on without it, such as the end of a run or a screen; null also for one that cannot be read. */
export function planIfReadable(read: () => string | null): string | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RalphError) return null;
    throw error;
  }
}
