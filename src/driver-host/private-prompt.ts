import type { Command, Driver } from "../driver.ts";

/** Below this length a prompt may be part of an unrelated argument. */
const LEAST_CHARS = 20;

/**
 * Keeps what is sent out of the arguments, which every user of the machine can read (`ps`): where a driver passes the prompt as
 * an argument, the agent is told to read it from a file. The project's own prompt, sent unchanged, holds nobody's answers and
 * stays as the driver wants it.
 * @param promptFile writes a text where only this user can read it; returns its path from the project's folder, or null for the
 * project's own prompt
 */
export function withPrivatePrompt(driver: Driver, promptFile: (prompt: string) => string | null): Driver {
  const { forVersion } = driver;
  return {
    ...driver,
    buildCommand: (request) => hidden(driver.buildCommand(request), request.prompt, promptFile),
    ...(forVersion === undefined
      ? {}
      : { forVersion: (version) => withPrivatePrompt(forVersion(version), promptFile) }),
  };
}

function hidden(command: Command, prompt: string, promptFile: (prompt: string) => string | null): Command {
  // A shell drops line ends at the end of what it reads from a file.
  const text = prompt.trimEnd();
  if (text.length < LEAST_CHARS || !command.argv.some((word) => word.includes(text))) return command;
  const path = promptFile(prompt);
  if (path === null) return command;
  const instead = `Read the file ${path} to its end: it is your task and all that you are told. Do what it says.`;
  return { ...command, argv: command.argv.map((word) => word.replaceAll(text, () => instead)) };
}
