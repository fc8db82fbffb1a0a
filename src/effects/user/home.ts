import { homedir } from "node:os";
import type { EnvVars } from "../../core/env-vars.ts";

/** The user's home folder. HOME comes first on Windows too, as in git; an empty value is ignored. */
export function homeFolder({ HOME, USERPROFILE }: EnvVars): string {
  return HOME || USERPROFILE || homedir();
}
