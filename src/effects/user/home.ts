import { homedir } from "node:os";

/** The user's home folder. HOME goes first on Windows as well, as it does for git; one that is set to nothing names none. */
export function homeFolder({ HOME, USERPROFILE }: Readonly<Record<string, string | undefined>>): string {
  return HOME || USERPROFILE || homedir();
}
