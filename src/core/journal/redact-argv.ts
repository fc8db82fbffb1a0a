import type { Command } from "../../driver.ts";

const PROMPT = "<prompt>";
/** Below this length, a prompt could be part of an unrelated word, so only whole words are replaced. */
const LONG = 40;

/** The command line to record. A driver may pass the prompt as an argument, and prompts stay out of the journal. */
export function redactPrompt({ argv, stdin }: Command, prompt: string): string[] {
  const text = prompt.trimEnd();
  if (stdin !== undefined || text === "") return argv;
  return argv.map((word) => {
    if (word === text || word === prompt) return PROMPT;
    return text.length < LONG ? word : word.replaceAll(text, () => PROMPT);
  });
}
