import { readdirSync } from "node:fs";

/** The names in a folder; none where it is gone or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
