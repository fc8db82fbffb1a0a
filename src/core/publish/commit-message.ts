import { singleLine } from "../text/plain-text.ts";

/** Characters of a subject that git's own lists show whole. */
const SUBJECT_CHARS = 72;

/** What a commit of ralph's is about. */
export type CommitAbout = {
  /** What was done, the task at hand first. */
  tasks: readonly string[];
  run: string;
  iteration: number;
};

/** The message of a commit of what an iteration left: the task, all of it where it is too long for a subject, and where it comes from. */
export function commitMessage({ tasks, run, iteration }: CommitAbout): string {
  const [first = "", ...others] = tasks.map(plainWords).filter((task) => task !== "");
  const whole = first === "" ? `Work of iteration ${iteration}` : first;
  const subject = shortened(whole);
  const body = [...(subject === whole ? [] : [whole]), ...others].map((text) => `${text}\n\n`).join("");
  return `${subject}\n\n${body}Ralph-Run: ${run}, iteration ${iteration}\n`;
}

/** A task without the marks of Markdown that mean nothing in a message. */
function plainWords(task: string): string {
  return singleLine(task)
    .replace(/\*\*|__|`/g, "")
    .trim();
}

/** The beginning of a text, up to the end of a word. */
function shortened(text: string): string {
  const characters = [...text];
  if (characters.length <= SUBJECT_CHARS) return text;
  const cut = characters.slice(0, SUBJECT_CHARS - 1).join("");
  const words = cut.replace(/\s+\S*$/, "");
  return `${words === "" ? cut : words}…`;
}
