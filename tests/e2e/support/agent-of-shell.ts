/** Lines for the option `plays` of a project: an agent that is one process of the shell. */
import { singleQuoted } from "../../../src/core/text/shell-words.ts";

/** Reads what it is told to its end. */
export const listens = "while read -r line; do :; done";

/** Appends to the log of calls, as the scripted agent does; what it was told stays out. */
export const tellsOfCall = `printf '{"pid":%d,"argv":[],"stdin":"","marker":"%s","cwd":"%s","child":null}\\n' $$ "$RALPH_RUN" "$PWD" > "$agent/$$.json"; echo $$ >> "$agent/calls"`;

/** Prints a text as it is. */
export const prints = (text: string): string => `printf %s ${singleQuoted(text)}`;
