import * as v from "valibot";
import type { StopHow } from "./journal/event.ts";
import { jsonIn } from "./json-value.ts";
import { ANSWER_MAX_CHARS } from "./needs/questions.ts";
import { USER_MESSAGE_MAX_CHARS } from "./prompt/user-messages.ts";

/** The commands that a user can send to a live run. */
export type ControlCommand =
  | { command: "say"; text: string }
  | { command: "answer"; number: number; text: string }
  | { command: "stop"; how: StopHow }
  | { command: "withdraw" }
  | { command: "pause" }
  | { command: "resume" }
  | { command: "extend"; iterations: number }
  | { command: "accept_gates" };

const words = (most: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(most));

const command = v.variant("command", [
  v.object({ command: v.literal("say"), text: words(USER_MESSAGE_MAX_CHARS) }),
  v.object({
    command: v.literal("answer"),
    number: v.pipe(v.number(), v.integer(), v.minValue(1)),
    text: words(ANSWER_MAX_CHARS),
  }),
  v.object({ command: v.literal("stop"), how: v.picklist(["after_iteration", "now"]) }),
  v.object({ command: v.literal("withdraw") }),
  v.object({ command: v.literal("pause") }),
  v.object({ command: v.literal("resume") }),
  v.object({
    command: v.literal("extend"),
    iterations: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
  }),
  v.object({ command: v.literal("accept_gates") }),
]);

const addressed = v.object({ run: v.string(), pid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), command });

/** A command with the run that it is for, and the process that sends it. */
export type SentCommand = { run: string; pid: number; command: ControlCommand };

/** The command in a value of unknown origin; null if it is none. */
export function controlCommandIn(value: unknown): ControlCommand | null {
  const found = v.safeParse(command, value);
  return found.success ? found.output : null;
}

/** A command as the one line that is sent. */
export function formatControl(sent: SentCommand): string {
  return `${JSON.stringify(sent)}\n`;
}

/** The command in a line; null for any other text, and for a command to another run. */
export function parseControl(text: string, run: string): SentCommand | null {
  const found = v.safeParse(addressed, jsonIn(text));
  return found.success && found.output.run === run ? found.output : null;
}
