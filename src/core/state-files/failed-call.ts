import type { EventOf } from "../journal/event.ts";

/** The cause of a failed call: its error, else its signal or exit code. */
export function describeCallEnd({ error, exit_code, signal }: EventOf<"agent_finished">): string {
  if (error !== null) return error.message;
  if (signal !== null) return `ended by ${signal}`;
  return exit_code === null ? "no exit code" : `exit code ${exit_code}`;
}
