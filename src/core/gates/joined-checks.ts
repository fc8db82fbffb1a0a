import { type CommandPart, commandParts } from "../text/command-parts.ts";

/** What prepares, prints or looks away, and so decides nothing; `[ $? … ]` only looks at what another command found. */
const NO_CHECK =
  /^(?:cd|pushd|popd|export|set|unset|source|\.|:|true|exit|echo|printf|mkdir|sleep|tee|cat|head|tail|umask|ulimit)(?:\s|$)|^(?:\[|test)\s.*\$\?|^(?:npm|pnpm|yarn|bun|pip3?|uv pip|poetry|bundle|composer) (?:ci|i|install)\b|^uv sync\b|^go mod download\b/;
const ASSIGNMENTS = /^(?:[A-Za-z_]\w*=(?:'[^']*'|"[^"]*"|[^\s'"]*)(?:\s+|$))+/;
const SHELL = /^(?:ba|z|da|k)?sh\s+(?:-\w+\s+){0,3}-\w*c\s+(['"])(.*)\1\s*$/s;
/** What starts a script that is named in the output as well, by what it runs. */
const SCRIPT_CALL = /^(?:npm|pnpm|yarn|bun) run\b|^(?:npm|pnpm|yarn) (?:test|t)\b/;

/** So npm and pnpm name the script that they run, below its name; yarn and bun do it on one line. */
const NAMED_SCRIPT = /^(?:> .*\n> |\$ )(.+)$/gm;

/**
 * Whether a gate's command, or a script that it runs, checks several things: one of them may decide, whatever the others found.
 * @param output of the gate, where managers of packages name the scripts that they run
 */
export function checksMore(command: string, output: string): boolean {
  if (checksOf(command).length > 1) return true;
  const scripts = [...output.matchAll(NAMED_SCRIPT)].flatMap(([, script = ""]) => checksOf(script));
  return new Set(scripts.filter((part) => !SCRIPT_CALL.test(part))).size > 1;
}

function checksOf(command: string): string[] {
  return partsOf(command).flatMap(({ text }) => {
    const part = text.replace(ASSIGNMENTS, "");
    const inner = SHELL.exec(part)?.[2];
    if (inner !== undefined) return checksOf(inner);
    return part === "" || NO_CHECK.test(part) ? [] : [part];
  });
}

/** Roughly, where a command is too involved to be sure of its parts. */
function partsOf(command: string): Pick<CommandPart, "text">[] {
  return commandParts(command) ?? command.split(/&&|\|\||[;\n]/).map((text) => ({ text: text.trim() }));
}
