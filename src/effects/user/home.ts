import { homedir } from "node:os";

/** The user's home folder. HOME comes first on Windows too, as in git; an empty value is ignored. */
export function homeFolder({ HOME, USERPROFILE }: Readonly<Record<string, string | undefined>>): string {
  return HOME || USERPROFILE || homedir();
}
