/** Whether an error, or what caused it, is a write for which there was no room (file system full, or the user's quota). */
export function isDiskFull(error: unknown): boolean {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1)
    if ("code" in at && (at.code === "ENOSPC" || at.code === "EDQUOT")) return true;
  return false;
}
