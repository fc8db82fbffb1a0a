import type { EventOf } from "../journal/event.ts";
import type { WeakerReason } from "./compare.ts";

/** What a judgement of the gates found, in a sentence. */
export function weakenedText({ commands, evidence }: Pick<EventOf<"gate_weakened">, "commands" | "evidence">): string {
  const named = commands.map((command) => `\`${command}\``).join(", ");
  const why = {
    frozen_gate_is_red: `with the gates as they were at the start ${commands.length === 1 ? "it is" : "they are"} red`,
    words: "the change to the gates takes something away",
    fewer_tests: "fewer tests run than before",
  }[evidence];
  return `${named} ${commands.length === 1 ? "is" : "are"} green, but the gates got weaker: ${why}. That does not count for "done".`;
}

/** `tests/a.test.js:12: a test is skipped`. */
export function reasonText({ path, line, what }: WeakerReason): string {
  return `${path}${line === null ? "" : `:${line}`}: ${what}`;
}
