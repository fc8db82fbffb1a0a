import process from "node:process";
import * as clack from "@clack/prompts";
import { type Asker, type AskIo, BACK, type Gone, LEFT } from "./asker.ts";

/** Questions as lists and fields that are drawn anew with each key. Shift+Tab goes back, Esc and Ctrl+C leave. */
export function clackAsker(io: AskIo): Asker {
  /** clack knows no way back: the key leaves the question as Esc does, and the caller asks the one before. */
  const asked = async <T>(prompt: Promise<T | typeof clack.CANCEL_SYMBOL>): Promise<T | Gone> => {
    const input = io.input ?? process.stdin;
    let goesBack = false;
    const onKey = (_: unknown, key?: { name?: string; shift?: boolean }) => {
      if (goesBack || key?.name !== "tab" || key.shift !== true) return;
      goesBack = true;
      queueMicrotask(() => input.emit("keypress", "\u001b", { name: "escape", sequence: "\u001b" }));
    };
    input.on("keypress", onKey);
    try {
      const answer = await prompt;
      if (!clack.isCancel(answer)) return answer;
      return goesBack ? BACK : LEFT;
    } finally {
      input.off("keypress", onKey);
    }
  };
  return {
    begin: (title, hasWayBack = false) =>
      clack.intro(hasWayBack ? `${title}: Enter goes on, Shift+Tab goes back, Esc leaves` : title, io),
    note: (title, lines) => clack.note(lines.join("\n"), title, { ...io, format: (line) => line }),
    say: (kind, text) => clack.log[kind](text, io),
    end: (text) => clack.outro(text, io),
    left: (text) => clack.cancel(text, io),
    select: <T>(message: string, choices: readonly { value: T; label: string }[], initial?: T) => {
      // A choice's value may be anything, and clack's types ask for a primitive: its place in the list is one.
      const options = choices.map(({ label }, value) => ({ value, label }));
      const at = choices.findIndex(({ value }) => value === initial);
      const shown = { message, options, initialValue: Math.max(0, at), maxItems: 16, showInstructions: false };
      return asked(
        clack
          .select<number>({ ...io, ...shown })
          .then((place) => (clack.isCancel(place) ? place : (choices[place]?.value as T))),
      );
    },
    text: (message, { placeholder, initial, check } = {}) =>
      asked(
        clack
          .text({
            ...io,
            message,
            ...(placeholder === undefined ? {} : { placeholder }),
            ...(initial === undefined ? {} : { initialValue: initial }),
            validate: (value) => check?.(value ?? ""),
          })
          .then((answer) => answer ?? ""),
      ),
    confirm: (message, initialValue) => asked(clack.confirm({ ...io, message, initialValue })),
  };
}
