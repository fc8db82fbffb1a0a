import type { Readable, Writable } from "node:stream";

/** The answers that are none: the user went back to the question before, or left. */
export const BACK = Symbol("back");
export const LEFT = Symbol("left");
export type Gone = typeof BACK | typeof LEFT;

/** Input and output of the questions: the terminal by default; tests pass their own. A signal withdraws a question. */
export type AskIo = { input?: Readable; output?: Writable; signal?: AbortSignal };

export type Choice<T> = { value: T; label: string };

/** How ralph asks: every question of every command goes through one of these. */
export type Asker = {
  /** The heading, with the keys that the questions understand. */
  begin(title: string, hasWayBack?: boolean): void;
  note(title: string, lines: readonly string[]): void;
  say(kind: "info" | "success" | "warn", text: string): void;
  end(text: string): void;
  /** The last line of questions that the user left. */
  left(text: string): void;
  /** Enter alone takes `initial`, else the first choice. */
  select<T>(question: string, choices: readonly Choice<T>[], initial?: T): Promise<T | Gone>;
  /** @param options `initial` is what Enter alone gives; `check` says what is wrong with an answer */
  text(question: string, options?: TextOptions): Promise<string | Gone>;
  confirm(question: string, initial: boolean): Promise<boolean | Gone>;
};

export type TextOptions = { placeholder?: string; initial?: string; check?: (text: string) => string | undefined };

/** Whether an answer is none. */
export function isGone(answer: unknown): answer is Gone {
  return answer === BACK || answer === LEFT;
}
