import type { Command } from "../../driver.ts";

const PROMPT = "<prompt>";
/** A shorter prompt is only looked for as a whole word of the line: it may well be a part of another word. */
const LONG = 40;

/** A command line as it is recorded: a driver may pass the prompt as an argument, and the journal is not its place. */
export function redactPrompt({ argv, stdin }: Command, prompt: string): string[] {
  const text = prompt.trimEnd();
  if (stdin !== undefined || text === "") return argv;
  return argv.map((word) => {
    if (word === text || word === prompt) return PROMPT;
    return text.length < LONG ? word : word.replaceAll(text, () => PROMPT);
  });
}
