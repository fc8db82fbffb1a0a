/** An assertion in a test, in a form that survives formatting and a change of framework. */
export type Assertion = {
  /** Equal for equal meaning. */
  key: string;
  /** Says little: that something is there, or true. Anything exact about the same value is stronger. */
  weak: boolean;
  /** What it is about. */
  subject: string;
  line: number;
};

const START =
  /(?:\bexpect(?:TypeOf|_that)?\s*[(!{]|\bassert\w*(?:\.\w+)*[!]?\s*[( ]|\b(?:assume|refute|require|check|verify)(?:_\w+|\.\w+)?[!]?\s*\(|\.should\b|\.must_\w+|\bt\.(?:Error|Fatal|Fail)\w*\(|\bt\.(?:is|deepEqual|true|false|truthy|falsy|like|regex|snapshot|throws\w*|not|notThrows\w*)\(|\bXCT\w+\(|\bself\.(?:assert|fail)\w*\(|\$this->assert\w+\(|\bAssert\.\w+|\b(?:ok|is|is_deeply|isnt|cmp_ok)\(|\bpytest\.(?:raises|warns|approx|fail)\(|\bcy\.\w+|\bshould\w*\s*\{|\bThrows<|^\s*\[\[? .* \]\]?\s*$|^\s*(?:test|grep|diff|cmp)\s+\S)/;

/** Longer statements are cut: no assertion is that long, and the search for its end must not be. */
const MOST_LINES = 40;

/** The assertions in the code of a test file, comments removed beforehand. */
export function assertionsIn(code: string): Assertion[] {
  const lines = code.split("\n");
  const found: Assertion[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const start = START.exec(line);
    if (start === null || /^\s*(?:import|from|use|using|require_relative|#include|package)\b/.test(line)) continue;
    // An import of an assertion library by call is none.
    if (/\brequire\(\s*["']/.test(line) && !/\bexpect|\bassert\s*\(/.test(line)) continue;
    const [text, next] = statementFrom(lines, at, start.index);
    found.push(assertionOf(text, at + 1));
    at = next;
  }
  return found;
}

/** The statement from a column on, up to the line where its brackets are closed and no call follows. */
function statementFrom(lines: readonly string[], from: number, column: number): [text: string, last: number] {
  let text = (lines[from] ?? "").slice(column);
  let at = from;
  while (at + 1 < lines.length && at - from < MOST_LINES) {
    const next = lines[at + 1] ?? "";
    const isOpen = depthOf(text) > 0;
    if (!isOpen && !/^\s*(?:\.|\?\.|->|&&|\|\|)/.test(next)) break;
    // A body that opens at the end of the line is not part of the assertion.
    if (isOpen && /(?:=>\s*\{|\{|\bdo(?:\s*\|[^|]*\|)?|:)\s*$/.test(text) && depthOf(text.replace(/\{\s*$/, "")) <= 0)
      break;
    text += `\n${next}`;
    at += 1;
  }
  return [text, at];
}

/** Brackets that are open at the end of a text; those in strings do not count. */
function depthOf(text: string): number {
  const bare = text.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/g, '""');
  let depth = 0;
  for (const char of bare) {
    if (char === "(" || char === "[" || char === "{") depth += 1;
    else if (char === ")" || char === "]" || char === "}") depth -= 1;
  }
  return depth;
}

const EQUAL_MATCHERS =
  /^(?:not\.)?(?:toBe|toEqual|toStrictEqual|to\.equal|to\.eql|to\.eq|to\.be|to\.deep\.equal|to\.strictEqual|toHaveLength|eq|eql|is_expected\.to eq)$/;
const EQUAL_CALLS =
  /^(?:t\.)?(?:self\.|\$this->|Assert\.|assert\.|Assertions\.)?(?:equal|equals|strictEqual|deepEqual|deepStrictEqual|is|assertEqual|assertEquals|assertSame|assertStrictEquals|assertListEqual|assertDictEqual|assertCountEqual|assert_equal|assert_eq!?|Equal|AreEqual|Same|is_deeply|areEqual)$/;
const WEAK =
  /\.(?:toBeTruthy|toBeDefined|toBeFalsy|toBeNull|not\.toBeNull|not\.toBeUndefined|not\.toThrow|toThrow|to\.exist|to\.be\.ok|to\.not\.be\.null|toBeInstanceOf|toContain|toMatch|toHaveProperty|toBeGreaterThan\w*|toBeLessThan\w*|to\.be\.an?|to\.be\.true|resolves|rejects)\b|^(?:self\.|\$this->|Assert\.|assert\.|Assertions\.)?(?:assertTrue|assertFalse|assertIsNotNone|assertNotNull|assertIn|ok|truthy|NotNil|NotNull|True|False|assert!?|assert_not_nil|assert_predicate|NoError|Nil)\(|^assert [^=<>]*$/;

function assertionOf(text: string, line: number): Assertion {
  const compact = withoutWording(normalise(text));
  const equality = equalityOf(compact);
  if (equality !== null) {
    const [a, b] = equality;
    return { key: `eq ${[a, b].sort().join(" ~ ")}`, weak: false, subject: subjectOf(a), line };
  }
  return { key: compact, weak: WEAK.test(compact), subject: subjectOf(compact), line };
}

/** Without blanks that mean nothing, with one kind of quotes, without a trailing comma or semicolon. */
function normalise(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/ ?([()[\]{}.,:;=<>!+\-*/|&?]) ?/g, "$1")
    .replace(/'([^'"]*)'|`([^`"$]*)`/g, (_, single, template) => `"${single ?? template}"`)
    .replace(/,(?=[)\]}])/g, "")
    .replace(/\bawait /g, "")
    .replace(/[;,\s]+$/, "")
    .trim();
}

/** Without what only says where to look or what went wrong: a locator of an end-to-end test, the message of a failure. */
function withoutWording(text: string): string {
  if (/^t\.(?:Error|Fatal|Fail)/.test(text)) return text.replace(/"(?:\\.|[^"\\])*"/g, '""');
  const locator = /^expect\((?:page|screen|within|wrapper|frame)\b/.test(text) ? closing(text, "expect".length) : null;
  return locator === null || text.startsWith("expect(page)") ? text : `expect(locator)${text.slice(locator + 1)}`;
}

/** Both sides of an equality, whatever framework states it; null for any other assertion. */
function equalityOf(text: string): [string, string] | null {
  const expectation = /^expect\(/.test(text) ? closing(text, "expect".length) : null;
  if (expectation !== null) {
    const subject = text.slice("expect(".length, expectation);
    const rest = text.slice(expectation + 1).replace(/^\./, "");
    const matcher =
      /^((?:not\.)?[\w.]+?)\((.*)\)$/.exec(rest) ?? /^((?:not_)?to (?:eq|eql|equal|be))[( ](.*?)\)?$/.exec(rest);
    const name = (matcher?.[1] ?? "").replace(/^to /, "");
    if (matcher === null || !EQUAL_MATCHERS.test(name)) return null;
    if (name.startsWith("not.")) return [`not ${subject}`, matcher[2] ?? ""];
    return name === "toHaveLength" ? [`${subject}.length`, matcher[2] ?? ""] : [subject, matcher[2] ?? ""];
  }
  const call = /^([\w.$>!-]+)\((.*)\)$/.exec(text);
  if (call !== null && EQUAL_CALLS.test(call[1] ?? "")) {
    const args = splitTop(call[2] ?? "");
    const sides = /^(?:t|assert|require)\.Equal$/.test(call[1] ?? "") && args[0] === "t" ? args.slice(1) : args;
    return sides.length >= 2 ? [sides[0] ?? "", sides[1] ?? ""] : null;
  }
  const bare = /^assert[ (](.+?)===?(.+?)\)?(?:,"[^"]*")?$/.exec(text);
  return bare === null || /[<>!]$/.test(bare[1] ?? "") ? null : [bare[1] ?? "", bare[2] ?? ""];
}

/** The index of the bracket that closes the one at `open`; null if it stays open. */
function closing(text: string, open: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let at = open; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"' && text[at - 1] !== "\\") quoted = !quoted;
    if (quoted) continue;
    if (char === "(" || char === "[" || char === "{") depth += 1;
    else if (char === ")" || char === "]" || char === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return null;
}

/** Arguments, at the commas that stand in no bracket and no string. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"' && text[at - 1] !== "\\") quoted = !quoted;
    if (quoted) continue;
    if (char === "(" || char === "[" || char === "{") depth += 1;
    else if (char === ")" || char === "]" || char === "}") depth -= 1;
    else if (char === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)].filter((part) => part !== "");
}

/** The value that an assertion looks at: the first argument, or the expectation. */
function subjectOf(text: string): string {
  const open = text.indexOf("(");
  if (open < 0) return text;
  const end = closing(text, open);
  const inside = end === null ? text.slice(open + 1) : text.slice(open + 1, end);
  return /^(?:expect|assert|self|Assert|\$this)/.test(text) ? (splitTop(inside)[0] ?? inside) : text;
}
