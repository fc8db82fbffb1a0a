import process from "node:process";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { onSignals } from "../run/signals.ts";
import { type Asker, type AskIo, BACK, type Gone, LEFT } from "./asker.ts";

/** Questions as numbered lines: nothing is drawn twice, nothing has a colour, and the terminal itself edits the answer. */
export function plainAsker({ input = process.stdin, output = process.stdout, signal }: AskIo): Asker {
  const print = (text: string) => void output.write(stripVTControlCharacters(text));
  const decoder = new StringDecoder("utf8");
  let typed = "";
  const nextLine = () =>
    new Promise<string | typeof LEFT>((resolve) => {
      const finish = (answer: string | typeof LEFT) => {
        input.off("data", onData).off("end", onEnd).pause();
        signal?.removeEventListener("abort", onEnd);
        release();
        resolve(answer);
      };
      // Several lines may come at once: the rest answers the next questions.
      const takeLine = () => {
        const end = typed.search(/[\r\n]/);
        if (end === -1) return;
        const line = typed.slice(0, end);
        typed = typed.slice(end + (typed.startsWith("\r\n", end) ? 2 : 1));
        finish(line.includes("\u001b") ? LEFT : line);
      };
      const onData = (chunk: Buffer) => {
        typed += decoder.write(chunk);
        takeLine();
      };
      const onEnd = () => {
        print("\n");
        finish(LEFT);
      };
      const release = onSignals(onEnd);
      if (signal?.aborted || (input.readableEnded && !/[\r\n]/.test(typed))) return onEnd();
      signal?.addEventListener("abort", onEnd, { once: true });
      input.on("data", onData).on("end", onEnd).resume();
      takeLine();
    });

  /** Asks until an answer can be read. */
  const ask = async <T>(
    prompt: string,
    read: (line: string) => { value: T } | { wrong: string },
  ): Promise<T | Gone> => {
    for (;;) {
      print(`${prompt} `);
      const line = await nextLine();
      if (line === LEFT) return LEFT;
      if (line.trim() === "<") return BACK;
      const answer = read(line.trim());
      if ("value" in answer) return answer.value;
      print(`${answer.wrong}\n`);
    }
  };
  return {
    begin: (title, hasWayBack = false) =>
      print(`${title}: Enter takes the answer in [ ]${hasWayBack ? ", < goes back" : ""}, Ctrl+C leaves.\n\n`),
    note: (title, lines) => print(`${title}:\n${lines.map((line) => `  ${line}\n`).join("")}\n`),
    say: (kind, text) => print(`${kind === "warn" ? "Mind: " : ""}${text}\n`),
    end: (text) => print(`${text}\n`),
    left: (text) => print(`${text}\n`),
    select(question, choices, initial) {
      const first = Math.max(
        0,
        choices.findIndex(({ value }) => value === initial),
      );
      print(`${question}\n${choices.map(({ label }, at) => `  ${at + 1}. ${label}\n`).join("")}`);
      return ask(`Number [${first + 1}]:`, (line) => {
        const chosen = line === "" ? choices[first] : choices[/^\d+$/.test(line) ? Number(line) - 1 : -1];
        return chosen ?? { wrong: `Please give a number from 1 to ${choices.length}.` };
      });
    },
    text: (question, { initial = "", check } = {}) =>
      ask(initial === "" ? question : `${question} [${initial}]`, (line) => {
        const value = line === "" ? initial : line;
        const wrong = check?.(value);
        return wrong === undefined ? { value } : { wrong };
      }),
    confirm: (question, initial) =>
      ask(`${question} [${initial ? "yes" : "no"}]`, (line) => {
        if (line === "") return { value: initial };
        const word = /^(?:(y)(?:es)?|no?)$/i.exec(line);
        return word === null ? { wrong: "Please answer yes or no." } : { value: word[1] !== undefined };
      }),
  };
}
