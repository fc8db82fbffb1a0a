/** One command of a pipeline or list. */
export type CommandPart = {
  /** The command as written, without the operators around it. */
  text: string;
  /** It writes to a file by `>`; `2>&1` and `/dev/null` are no files. */
  redirects: boolean;
};

/** A longer command is a script, which is never run part by part. */
const LONGEST_COMMAND = 20_000;
const OPERATORS = ["&&", "||", "|&", ";", "|", "&", "\n"] as const;
const REDIRECTION = /^(?:\d?>{1,2}&\d|(?:\d|&)?>{1,2}\|?[ \t]{0,8}[^\s;&|<>"'`()]{1,500})/;

/**
 * Splits a shell command at the operators outside quotes. Null if the parts are not certain: substitutions,
 * here-documents, subshells, groups, unclosed quotes and whole scripts.
 */
export function commandParts(command: string): CommandPart[] | null {
  if (command.length > LONGEST_COMMAND) return null;
  const parts: CommandPart[] = [];
  let text = "";
  let redirects = false;
  const flush = () => {
    if (text.trim() !== "") parts.push({ text: text.trim(), redirects });
    text = "";
    redirects = false;
  };
  let at = 0;
  while (at < command.length) {
    const char = command.charAt(at);
    const quoted = quotedAt(command, at);
    if (quoted === null || isOpaque(command, at)) return null;
    if (quoted !== "") {
      text += quoted;
      at += quoted.length;
      continue;
    }
    const redirection = redirectionAt(command, at);
    if (redirection !== "") {
      redirects ||= !/&\d$|\/dev\/null$/.test(redirection);
      text += redirection;
      at += redirection.length;
      continue;
    }
    const operator = OPERATORS.find((one) => command.startsWith(one, at));
    if (operator === undefined) text += char;
    else flush();
    at += operator?.length ?? 1;
  }
  flush();
  return parts;
}

/**
 * The quoted string or escaped character at this position; "" for none, null if it is unclosed or contains a
 * substitution.
 */
function quotedAt(command: string, at: number): string | null {
  const quote = command.charAt(at);
  if (quote === "\\") return command.slice(at, at + 2);
  if (quote !== "'" && quote !== '"') return "";
  for (let end = at + 1; end < command.length; end++) {
    const char = command.charAt(end);
    if (char === quote) return command.slice(at, end + 1);
    if (quote === "'") continue;
    if (char === "\\") end++;
    else if (char === "`" || command.startsWith("$(", end)) return null;
  }
  return null;
}

/** Substitutions, subshells, groups and here-documents. */
function isOpaque(command: string, at: number): boolean {
  return "`(){}".includes(command.charAt(at)) || command.startsWith("<<", at);
}

/** `> file`, `2>&1`, `&> file`, `>> file` with its target, "" for none. */
function redirectionAt(command: string, at: number): string {
  if (!/[\d&>]/.test(command.charAt(at))) return "";
  return REDIRECTION.exec(command.slice(at, at + 600))?.[0] ?? "";
}
