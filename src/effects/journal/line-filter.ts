/** Whether a line of a journal is left out, by its bytes from `start` to before `end`. */
export type LineFilter = (bytes: Buffer, start: number, end: number) => boolean;

const TYPE = Buffer.from('"type":"');
/** In a text the quotes would be escaped, so this matches only the field itself. */
const FAILED = Buffer.from('"is_error":true');
/** An event's type follows its envelope, within this many bytes of the line's start. */
const HEAD_BYTES = 240;
const TYPE_CHARS = 24;

/** Whether a line is an agent's text or a successful result: most of a long journal. */
export function isWords(): LineFilter {
  const isOf = isOfTypes(["agent_text", "agent_tool_finished", "agent_retry"]);
  const failure = finder(FAILED);
  return (bytes, start, end) => isOf(bytes, start, end) && failure(bytes, start) >= end;
}

/** Whether a line is an agent's text, or a tool or its result. */
export function isBulky(): LineFilter {
  return isOfTypes(["agent_text", "agent_tool_started", "agent_tool_finished", "agent_retry"]);
}

function isOfTypes(names: readonly string[]): LineFilter {
  const types = names.map((name) => `${name}"`);
  const type = finder(TYPE);
  return (bytes, start, end) => {
    const at = type(bytes, start) + TYPE.length;
    if (at > Math.min(end, start + HEAD_BYTES)) return false;
    const word = bytes.toString("latin1", at, Math.min(end, at + TYPE_CHARS));
    return types.some((known) => word.startsWith(known));
  };
}

/** Finds the first place at or after another; what was found is remembered, so that many lines are searched once together. */
function finder(wanted: Buffer): (bytes: Buffer, from: number) => number {
  let searched: Buffer | null = null;
  let since = 0;
  let found = 0;
  return (bytes, from) => {
    if (bytes === searched && from >= since && from <= found) return found;
    const at = bytes.indexOf(wanted, from);
    searched = bytes;
    since = from;
    found = at === -1 ? Number.POSITIVE_INFINITY : at;
    return found;
  };
}
