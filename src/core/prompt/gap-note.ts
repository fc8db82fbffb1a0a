import { describeGateExit, type GateRecord } from "../decide/gate-rules.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

const COMMAND_CHARS = 500;
const LEAST_OUTPUT_CHARS = 80;

/** The gaps that a look named and that are still there, for the next prompt, in at most `max` characters; "" for none. */
export function gapNote(gates: readonly GateRecord[], max: number): string {
  const open = gates.filter(({ gap, ok }) => gap !== undefined && !ok);
  if (open.length === 0) return "";
  const head = "Somebody who had not seen the project before looked at the result and found that something is missing:";
  const end = "Mend the work itself. The command is run again each time you say done, and must end with exit code 0.";
  const share = Math.floor((max - head.length - end.length) / open.length);
  return truncate([head, ...open.map((gate) => gapText(gate, share)), end].join("\n"), max);
}

function gapText(gate: GateRecord, max: number): string {
  const text = `- ${singleLine(gate.gap ?? "")}\n  \`${truncate(singleLine(gate.command), COMMAND_CHARS)}\` ${describeGateExit(gate)}.`;
  const room = max - text.length;
  const output = singleLine(gate.tail.slice(-2 * max));
  if (output === "" || room < LEAST_OUTPUT_CHARS) return text;
  return `${text} The end of its output: ${output.slice(-(room - LEAST_OUTPUT_CHARS / 2))}`;
}
