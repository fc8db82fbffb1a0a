import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { RALPH_DIR, readOptional } from "./project-paths.ts";

const USUAL = [`${RALPH_DIR}/PROMPT.md`, "PROMPT.md"];
const SENT = `${RALPH_DIR}/.prompt_sent.md`;

/** The same for a prompt that must not be an argument; null for the project's own, which anyone may read. */
export function privatePromptIn(project: string): (prompt: string) => string | null {
  const promptFile = promptFileIn(project);
  return (prompt) => {
    const path = promptFile(prompt);
    return path === SENT ? path : null;
  };
}

/**
 * Where a driver that needs a file finds the prompt, relative to the project folder: the project's own prompt if it is sent
 * unchanged, else a file with the text to send.
 */
export function promptFileIn(project: string): (prompt: string) => string {
  return (prompt) => {
    const same = USUAL.find((path) => readOptional(join(project, path)) === prompt);
    if (same !== undefined) return same;
    mkdirSync(join(project, RALPH_DIR), { recursive: true });
    writeFileAtomic(join(project, SENT), prompt);
    return SENT;
  };
}
