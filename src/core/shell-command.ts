import type { Command } from "../driver.ts";

/** The variable for a command on Windows, which cmd.exe expands into its own command line. */
const VARIABLE = "RALPH_GATE";

/**
 * A command that a person wrote, for the platform's shell: a gate, what sets a worktree up, what notifies. On Windows it is passed in
 * the environment: cmd.exe undoes every quoting of an argument in a different way, but takes a variable's value literally.
 */
export function shellCommand(command: string, platform: NodeJS.Platform): Command {
  if (platform === "win32")
    return { argv: ["cmd.exe", "/d", "/s", "/c", `%${VARIABLE}%`], env: { [VARIABLE]: withBackslashes(command) } };
  return { argv: ["sh", "-c", command] };
}

/** The path of a program; quoted text is skipped. */
const PROGRAM_PATH = /"[^"]*"|(?:^|[&|(])\s*[\w.-]+(?:\/[\w.-]+)+/g;

/** Converts `./gradlew test` for Windows: cmd.exe takes the text after a slash in a program's path for a flag. */
function withBackslashes(command: string): string {
  return command.replace(PROGRAM_PATH, (found) => (found.startsWith('"') ? found : found.replaceAll("/", "\\")));
}
