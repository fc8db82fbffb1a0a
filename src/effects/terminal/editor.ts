import type { EnvVars } from "../../core/env-vars.ts";
import { splitShellWords } from "../../core/text/shell-words.ts";

/** The words that start the user's editor: VISUAL, EDITOR, else the one that the system always has. */
export function editorCommand({ VISUAL, EDITOR }: EnvVars, platform: NodeJS.Platform): string[] {
  const words = splitShellWords(VISUAL?.trim() || EDITOR?.trim() || "") ?? [];
  return words.length > 0 ? words : [platform === "win32" ? "notepad" : "vi"];
}
