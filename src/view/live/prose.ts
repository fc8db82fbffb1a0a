import { readStatus } from "../../core/answer/status-block.ts";
import { plain } from "../text/text.ts";

const BEGIN = "---RALPH_STATUS---";
const END = "---END_RALPH_STATUS---";
/** As much of the marker as is surely one. */
const SURE = 3;

/** An agent's text, safe to print, without its status block. */
export function proseOf(text: string): string {
  return readStatus(plain(text)).prose.join("\n").trim();
}

/** The same of a text that is being written: a status block is hidden from its first dashes on. */
export function proseSoFar(text: string): string {
  const lines = text.split("\n");
  const last = lines.length - 1;
  const begun = lines.findLastIndex((line, at) => {
    const words = line.trim();
    return words.startsWith(BEGIN) || (at === last && words.length >= SURE && BEGIN.startsWith(words));
  });
  const isOpen = begun !== -1 && !lines.slice(begun).some((line) => line.includes(END));
  return proseOf((isOpen ? lines.slice(0, begun) : lines).join("\n"));
}
