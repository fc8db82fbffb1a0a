// biome-ignore-all lint/suspicious/noTemplateCurlyInString: messages name the syntax of the shell
/** Looks up a variable for `$NAME`; undefined if it is not set. */
export type Lookup = (name: string) => string | undefined;

/** A value from the start of a text and its end position, or why it cannot be read. */
export type ShellValue = { value: string; end: number } | { reason: string };

/** Of a line and of a value, its variables included. */
export const MAX_VALUE_CHARS = 16_384;
export const TOO_LONG = `it is longer than ${MAX_VALUE_CHARS} characters`;

const NAME = /^[A-Za-z_]\w*/;
const BRACED = /^\{([A-Za-z_]\w*)(:-)?/;

/** Unquoted characters with a special meaning to a shell. */
const OPERATORS: Readonly<Record<string, string>> = {
  ";": "';' begins another command",
  "&": "'&' begins another command",
  "|": "'|' begins another command",
  "<": "'<' reads a file",
  ">": "'>' writes a file",
  "(": "brackets are shell code outside quotes",
  ")": "brackets are shell code outside quotes",
  "\\": "a backslash outside quotes is dropped by a shell",
};

/**
 * Reads one value of the shell's assignment subset: adjacent unquoted, single and double quoted parts, with `$NAME`,
 * `${NAME}` and `${NAME:-default}`. It ends at a blank, at the end of the text, or at an unquoted `}` when `nested`.
 * Nothing is ever run: syntax that only a shell could evaluate is refused with the reason (product.md "Configuration").
 */
export function readShellValue(text: string, lookup: Lookup, nested = false): ShellValue {
  let value = "";
  let at = 0;
  if (/^~(?=\/|\s|$)/.test(text)) {
    value = lookup("HOME") ?? lookup("USERPROFILE") ?? "~";
    at = 1;
  }
  while (at < text.length) {
    const character = text.charAt(at);
    if ((!nested && /\s/.test(character)) || (nested && character === "}")) break;
    const part = readPart(text.slice(at), lookup);
    if ("reason" in part) return part;
    value += part.value;
    // Each line may use the ones above: sixty lines that double a value are no memory of this world.
    if (value.length > MAX_VALUE_CHARS) return { reason: TOO_LONG };
    at += part.end;
  }
  return { value, end: at };
}

function readPart(text: string, lookup: Lookup): ShellValue {
  const character = text.charAt(0);
  if (character === "'") return readSingleQuoted(text);
  if (character === '"') return readDoubleQuoted(text, lookup);
  if (character === "$" || character === "`") return readExpansion(text, lookup, /^['"0-9@*#?!$-]/);
  const reason = OPERATORS[character];
  return reason === undefined ? { value: character, end: 1 } : { reason };
}

function readSingleQuoted(text: string): ShellValue {
  const close = text.indexOf("'", 1);
  if (close === -1) return { reason: "the quote ' is not closed on this line" };
  return { value: text.slice(1, close), end: close + 1 };
}

function readDoubleQuoted(text: string, lookup: Lookup): ShellValue {
  let value = "";
  let at = 1;
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') return { value, end: at + 1 };
    if (character === "\\" && /["\\$`]/.test(text.charAt(at + 1))) {
      value += text.charAt(at + 1);
      at += 2;
    } else if (character === "$" || character === "`") {
      const part = readExpansion(text.slice(at), lookup, /^[0-9@*#?!$-]/);
      if ("reason" in part) return part;
      value += part.value;
      at += part.end;
    } else {
      value += character;
      at++;
    }
  }
  return { reason: 'the quote " is not closed on this line' };
}

/**
 * @param special characters after `$` with a meaning to a shell, apart from names; quotes are among them only outside
 *   quotes
 */
function readExpansion(text: string, lookup: Lookup, special: RegExp): ShellValue {
  if (text.startsWith("`")) return { reason: "`...` would run a command" };
  if (text.startsWith("$(")) return { reason: "$(...) would run a command" };
  const rest = text.slice(1);
  const name = NAME.exec(rest)?.[0];
  if (name !== undefined) return { value: lookup(name) ?? "", end: 1 + name.length };
  if (rest.startsWith("{")) return readBraced(rest, lookup);
  if (special.test(rest)) return { reason: `$${rest.charAt(0)} means something only to a shell` };
  return { value: "$", end: 1 };
}

function readBraced(rest: string, lookup: Lookup): ShellValue {
  const [head, name, hasDefault] = BRACED.exec(rest) ?? [];
  const unknown = { reason: "of ${...} only ${NAME} and ${NAME:-default} are understood" };
  if (head === undefined || name === undefined) return unknown;
  const set = lookup(name) ?? "";
  if (hasDefault === undefined) {
    return rest.charAt(head.length) === "}" ? { value: set, end: head.length + 2 } : unknown;
  }
  const fallback = readShellValue(rest.slice(head.length), lookup, true);
  if ("reason" in fallback) return fallback;
  const close = head.length + fallback.end;
  if (rest.charAt(close) !== "}") return { reason: "${ is not closed on this line" };
  return { value: set === "" ? fallback.value : set, end: close + 2 };
}
