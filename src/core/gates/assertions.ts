/** An assertion in a test, in a form that survives formatting and a change of framework. */
export type Assertion = {
  /** Equal for equal meaning. */
  key: string;
  /** Says little: that something is there, or true. Anything exact about the same value is stronger. */
  weak: boolean;
  /** What it is about. */
  subject: string;
  /** The key with the values in place of the names that the test gave them. */
  inlined: string;
  line: number;
  /** The line in which it ends. */
  last: number;
};

const STARTS: readonly RegExp[] = [
  // JavaScript, and what several share
  /#?\bexpect(?:(?:TypeOf|_that|[A-Z]\w*)?\s*[(!]|\s*\{)/,
  /\b(?:debug_)?assert\w*(?:\.\w+)*!?\s*[( ]/,
  /\b(?:assume|refute|require(?!\(\s*(?:"[^"\n]*"|'[^'\n]*')\s*\))|check|verify)(?:_\w+|\.\w+)?!?\s*\(/,
  /\.should\b|\.must_\w+|\bshould\w*\s*\{/,
  /\bt\.(?:is|deepEqual|true|false|truthy|falsy|like|regex|snapshot|throws\w*|not|notThrows\w*)\(/,
  /\bcy\.(?=.*\.(?:should|and|contains)\()/,
  /\b(?:ok|is|is_deeply|isnt|cmp_ok)\(/,
  // One language each
  /\bt\.(?:Error|Fatal|Fail)\w*\(/,
  /\bXCT\w+\(/,
  /\bself\.(?:assert|fail)\w*\(|\bpytest\.(?:raises|warns|approx|fail)\(|@given\(/,
  /\$this->assert\w+\(|->throws\(/,
  /\bAssert\.\w+|\bThrows<|\bthrown\(|\.andExpect\(|\bexpected\s*=\s*\w+\.class/,
  /\b(?:EXPECT|ASSERT|REQUIRE|CHECK)(?:_[A-Z_]+)?\(/,
  /^\s*\[\[? .* \]\]?\s*$|^\s*run\s+\S|^\s*assert_success\s*$|^\s*(?:test|grep|diff|cmp)\s+(?!["'(].*\bdo\b)\S/,
];
const START = new RegExp(STARTS.map((one) => `(?:${one.source})`).join("|"));
/** Before the name of a function that states something: where it is defined, it states nothing yet. */
const DEFINES = /\b(?:function|def|fn|func|fun)\s+$/;
/** Parameters with values of their own, which calls may rest on. */
const HAS_VALUES = /\(.*=.*\)/;
/** What Go tests do where others assert. */
const GO_CONDITION = /^\s*if (.+) \{\s*$/;
const GO_FAILURE = /^\s*t\.(?:Error|Fatal|Fail)\w*\(/;
/** A value that gets a name, on one line. */
const LOCAL =
  /^\s*(?:(?:const|let|var|val|auto|mut|my|final)\s+)*\$?(\w+)(?:, (?:err|_|ok))?(?:\s*:[^=]{1,40})?\s*:?=\s*([^=>].*?);?\s*$/;
const LOCAL_ERROR = /^\s*(?:\w+, )*err :?= (.+?)\s*$/;

/** Longer statements are cut: no assertion is that long, and the search for its end must not be. */
const MOST_LINES = 40;

/** The assertions in the code of a test file, comments removed beforehand. */
export function assertionsIn(code: string): Assertion[] {
  const lines = code.split("\n");
  const found: Assertion[] = [];
  const locals = new Map<string, string>();
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const local = LOCAL.exec(line);
    if (local !== null) locals.set(local[1] ?? "", normalise(local[2] ?? ""));
    const error = LOCAL_ERROR.exec(line)?.[1];
    if (error !== undefined) locals.set("err", normalise(error));
    const condition = GO_FAILURE.test(lines[at + 1] ?? "") ? GO_CONDITION.exec(line)?.[1] : undefined;
    if (condition !== undefined) {
      const stated = goAssertion(condition, locals, at + 1);
      if (stated !== null) found.push(stated);
      at += 1;
      continue;
    }
    const start = startIn(line);
    if (start === null || /^\s*(?:import|from|use|using|require_relative|#include|package)\b/.test(line)) continue;
    // An import of an assertion library by call is none.
    if (/(?:^|=)\s*require\(\s*["'][^"']*["']\)(?:\.\w+)?;?\s*$/.test(line)) continue;
    const [text, next] = statementFrom(lines, at, start.index);
    found.push(assertionOf(text, [at + 1, next + 1], locals));
    at = next;
  }
  return found;
}

/** Where an assertion begins; the name of one that is defined there is none, unless it has values of its own. */
function startIn(line: string): { index: number } | null {
  const start = START.exec(line);
  if (start === null || !DEFINES.test(line.slice(0, start.index)) || HAS_VALUES.test(line)) return start;
  const from = start.index + start[0].length;
  const next = START.exec(line.slice(from));
  return next === null ? null : { index: from + next.index };
}

/** The statement from a column on, up to the line where its brackets are closed and no call follows. */
export function statementFrom(lines: readonly string[], from: number, column: number): [text: string, last: number] {
  let text = (lines[from] ?? "").slice(column);
  let at = from;
  while (at + 1 < lines.length && at - from < MOST_LINES) {
    const next = lines[at + 1] ?? "";
    const isOpen = depthOf(text) > 0;
    if (!isOpen && !/^\s*(?:\.|\?\.|->|&&|\|\|)/.test(next)) break;
    // A body that opens at the end of the line is not part of the assertion; that of Elixir stands in its brackets.
    if (isOpen && /\bfn\b[^\n]*->\s*$/.test(text)) break;
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
  /^(?:not\.)?(?:toBe|toEqual|toStrictEqual|to\.equal|to\.eql|to\.eq|to\.be|to\.deep\.equal|to\.strictEqual|toHaveLength|toHaveText|toHaveCount|toHaveValue|eq|eql|is_expected\.to eq)$/;
const EQUAL_CALLS =
  /^(?:t\.)?(?:self\.|\$this->|Assert\.|assert\.|require\.|Assertions\.)?(?:equal|equals|strictEqual|deepEqual|deepStrictEqual|is|assertEqual|assertEquals|assertSame|assertStrictEquals|assertListEqual|assertDictEqual|assertCountEqual|assert_equal|assert_eq!?|Equal|AreEqual|Same|is_deeply|areEqual|EXPECT_EQ|ASSERT_EQ|EXPECT_STREQ|XCTAssertEqual)$/;
/** Calls that compare their only argument with a value that their name says. */
const NAMED_VALUES: Readonly<Record<string, string>> = {
  assertIsNone: "None",
  assertNull: "null",
  assertNil: "nil",
  assert_nil: "nil",
  Zero: "0",
  toBeUndefined: "undefined",
  toBeNull: "null",
  true: "true",
  false: "false",
};
const TRUE_CALLS =
  /^#?(?:(?:self\.|\$this->|Assert\.|assert\.|require\.|Assertions\.)?(?:assertTrue|True|IsTrue|ok|isTrue)|assert!?|expect|EXPECT_TRUE|ASSERT_TRUE|REQUIRE|CHECK|XCTAssert(?:True)?)$/;
const WEAK =
  /\.(?:toBeTruthy|toBeDefined|toBeFalsy|not\.toBeNull|not\.toBeUndefined|not\.toThrow|to\.exist|to\.be\.ok|to\.not\.be\.null|toBeInstanceOf|toContain|toMatch|toHaveProperty|toBeGreaterThan\w*|toBeLessThan\w*|to\.be\.an?|to\.be\.true|resolves|rejects)\b|^(?:self\.|\$this->|Assert\.|assert\.|Assertions\.)?(?:assertFalse|assertIsNotNone|assertNotNull|assertIn|truthy|NotNil|NotNull|False|assert_not_nil|assert_predicate)\(|^assert [^=<>]*$/;

function assertionOf(
  text: string,
  [line, last]: readonly [number, number],
  locals: ReadonlyMap<string, string>,
): Assertion {
  const compact = withoutWording(normalise(text));
  const stated = statementOf(compact) ?? { key: compact, weak: WEAK.test(compact), subject: subjectOf(compact) };
  const inlined = withLocals(compact, locals);
  return { ...stated, inlined: statementOf(inlined)?.key ?? inlined, line, last };
}

type Statement = Pick<Assertion, "key" | "weak" | "subject">;

/** What an assertion states, whatever framework it is written for; null for what no two of them share. */
function statementOf(text: string): Statement | null {
  const equality = equalityOf(text);
  if (equality !== null) return equal(...equality);
  const thrown = throwsOf(text);
  if (thrown !== null) {
    const [what, subject] = thrown;
    return { key: `throws ${what}${subject === "" ? "" : ` ~ ${subject}`}`, weak: what === "", subject };
  }
  const noError = /^(?:assert|require)\.NoError(?:f)?\(t,(.*)\)$/.exec(text)?.[1];
  if (noError !== undefined) return { key: `no error ${noError}`, weak: false, subject: noError };
  const call = callOf(text);
  const within = call !== null && /(?:^|\.)assertIn$/.test(call[0]) ? splitTop(call[1]) : [];
  if (within.length > 1) return { key: `true ${within[0]} in ${within[1]}`, weak: true, subject: within[0] ?? "" };
  const value =
    (text.startsWith("assert ") ? splitTop(text.slice("assert ".length))[0] : undefined) ??
    /^Assert\.That\((.+),Is\.True\)$/.exec(text)?.[1] ??
    (call !== null && TRUE_CALLS.test(call[0]) ? splitTop(call[1])[0] : "");
  if (value === undefined || value === "") return null;
  const sides = comparisonOf(value);
  return sides === null ? { key: `true ${value}`, weak: true, subject: value } : equal(...sides);
}

function equal(a: string, b: string): Statement {
  const sides = a === "true" ? comparisonOf(b) : b === "true" ? comparisonOf(a) : null;
  const [left, right] = sides ?? [a, b];
  return { key: `eq ${[left, right].sort().join(" ~ ")}`, weak: false, subject: subjectOf(left) };
}

function withLocals(text: string, locals: ReadonlyMap<string, string>): string {
  return text.replace(/"(?:\\.|[^"\\])*"|(?<![\w.])[a-z_]\w*(?![\w:(]|=(?!=))/gi, (word) =>
    word.startsWith('"') ? word : (locals.get(word) ?? word),
  );
}

/** A call by its name and its arguments; null for any other text. */
function callOf(text: string): [name: string, args: string] | null {
  const name = /^[#\w.$>!-]+(?=\()/.exec(text)?.[0];
  const end = name === undefined ? null : closing(text, name.length);
  return name === undefined || end !== text.length - 1 ? null : [name, text.slice(name.length + 1, end)];
}

/** Both sides of a comparison that stands in no bracket. */
function comparisonOf(text: string): [string, string] | null {
  const sides = splitTop(text.replace(/(?<![=!<>])={2,3}(?!=)| is (?!not\b)/g, ","));
  return sides.length !== 2 || splitTop(text).length !== 1 ? null : [sides[0] ?? "", sides[1] ?? ""];
}

/** What is thrown, and by what; null if nothing is said about it. */
function throwsOf(text: string): [what: string, subject: string] | null {
  const plain = (what: string) =>
    what
      .replace(/^"(.*)"$|^\/(.*)\/$/, "$1$2")
      .replace(/(?:\.class|::class|\.self)$/, "")
      .replace(/^\\+/, "");
  const expectation = /^expect\(/.test(text) ? closing(text, "expect".length) : null;
  if (expectation !== null) {
    const matcher = /^\.(?:rejects\.\w+|to\.throws?|toThrow(?:Error)?)\((.*)\)$/.exec(text.slice(expectation + 1));
    return matcher === null ? null : [plain(matcher[1] ?? ""), text.slice("expect(".length, expectation)];
  }
  const swift = /^#expect\(throws:(.*?)\)\{(.*)\}$/.exec(text) ?? /^XCTAssertThrowsError(\()(.*)\)$/.exec(text);
  if (swift !== null) return [plain((swift[1] ?? "").replace("(any Error)", "").replace("(", "")), swift[2] ?? ""];
  const node = /^assert\.(?:throws|rejects)\((.*)\)$/.exec(text);
  if (node !== null) {
    const [subject = "", what = ""] = splitTop(node[1] ?? "");
    return [plain(what), subject];
  }
  const typed = /^(?:Assert\.|Assertions\.)?(?:assertThrows|Throws|assertFailsWith)<(.+?)>\W*(.*)$/.exec(text);
  if (typed !== null) return [plain(typed[1] ?? ""), typed[2] ?? ""];
  const first =
    /^(?:pytest\.raises|self\.assertRaises|(?:Assertions\.)?assertThrows|\$this->expectException|expectException|->throws|thrown)\((.*?)\)?(?::|\{)?$/.exec(
      text,
    )?.[1] ?? /^expected=(\w+)\.class/.exec(text)?.[1];
  if (first === undefined) return null;
  const [what = "", ...rest] = splitTop(first);
  return [plain(what), rest.join(",").replace(/^match=/, "")];
}

/** Calls of the standard library that prepare a test: that they succeed is not what is tested. */
const GO_SETUP = /^(?:os|ioutil|filepath|io|exec|net|http|json)\./;

/** The condition under which a Go test fails, as what it demands; null where it only prepares. */
function goAssertion(condition: string, locals: ReadonlyMap<string, string>, line: number): Assertion | null {
  const [init, test] = condition.includes("; ") ? condition.split(/; (?=[^;]*$)/) : ["", condition];
  const [names = "", values = ""] = (init ?? "").split(/ :?= /);
  const own = new Map<string, string>();
  const parts = splitTop(normalise(values));
  names.split(",").forEach((name, at) => {
    own.set(name.trim(), parts[at] ?? normalise(values));
  });
  const text = withLocals(normalise(test ?? ""), own);
  const inlined = withLocals(text, locals);
  if (/!=nil$/.test(inlined) && GO_SETUP.test(inlined)) return null;
  return { ...goStatement(text), inlined: goStatement(inlined).key, line, last: line };
}

function goStatement(text: string): Statement {
  const same =
    /^!(?:(?:reflect|slices|maps|bytes)\.\w*Equal|errors\.Is)\((.*)\)$/.exec(text) ??
    /^cmp\.Diff\((.*)\)!=""$/.exec(text);
  const error = /^(.*)!=nil$/.exec(text)?.[1];
  if (error !== undefined) return { key: `no error ${error}`, weak: false, subject: error };
  const [a = "", b = ""] = same === null ? text.split(/!=(?=[^!]*$)/) : splitTop(same[1] ?? "");
  return b === "" ? { key: `not ${text}`, weak: false, subject: text } : equal(a, b);
}

/** Without blanks that mean nothing, with one kind of quotes, without a trailing comma or semicolon. */
function normalise(text: string): string {
  return (
    text
      .replace(/\s+/g, " ")
      .replace(/ ?([()[\]{}.,:;=<>!+\-*/|&?]) ?/g, "$1")
      .replace(/'([^'"]*)'|`([^`"$]*)`/g, (_, single, template) => `"${single ?? template}"`)
      .replace(/,(?=[)\]}])/g, "")
      .replace(/\b(?:await|try) /g, "")
      .replace(/\bcontext\.(?:Background|TODO)\(\)|\bt\.Context\(\)/g, "ctx")
      // How often random inputs are tried is compared as a number.
      .replace(/\b(numRuns|max_examples|cases|tries|iterations)([:=])[\d_]+/g, "$1$2N")
      .replace(/\b(?:self|this)\.(?!assert|fail|skip)/g, "")
      .replace(/\btoBeCalled/g, "toHaveBeenCalled")
      .replace(/\bBoolean\.(TRUE|FALSE)\b/g, (_, value) => value.toLowerCase())
      .replace(/\bXCTUnwrap\(([^()]*)\)/g, "$1")
      // Names of modules before a class, and what only pleases the type checker.
      .replace(/(?<![\w"])(?:[A-Z]\w*::)+(?=[A-Z])/g, "")
      .replace(/[!?](?=\.\w)/g, "")
      .replace(/[;,\s]+$/, "")
      .trim()
  );
}

/** Without what only says where to look or what went wrong: a locator of an end-to-end test, the message of a failure. */
function withoutWording(text: string): string {
  if (/^t\.(?:Error|Fatal|Fail)/.test(text)) return text.replace(/"(?:\\.|[^"\\])*"/g, '""');
  if (text.startsWith("cy.")) return `cy${text.slice(text.search(/\.(?:should|and|contains)\(/))}`;
  const bats = batsAssertion(text);
  if (bats !== null) return bats;
  // Python: a message behind the brackets.
  if (text.startsWith("assert(")) {
    const end = closing(text, "assert".length);
    if (end !== null && text[end + 1] === ",") return text.slice(0, end + 1);
  }
  const locator = /^expect\((?:page|screen|within|wrapper|frame)\b/.test(text) ? closing(text, "expect".length) : null;
  return locator === null || text.startsWith("expect(page)") ? text : `expect(locator)${text.slice(locator + 1)}`;
}

/** An assertion of the library of bats, as the test that it stands for. */
function batsAssertion(text: string): string | null {
  if (text === "assert_success") return '["$status"-eq 0]';
  const [, name, index, value] = /^assert_(failure|output|line)(?: ?-+index (\d+))? (.+)$/.exec(text) ?? [];
  if (name === "failure") return `["$status"-eq ${value}]`;
  if (name === "output") return `["$output"=${value}]`;
  return index === undefined ? null : `["\${lines[${index}]}"=${value}]`;
}

/** Both sides of an equality, whatever framework states it; null for any other assertion. */
function equalityOf(text: string): [string, string] | null {
  const expectation = /^expect\(/.test(text) ? closing(text, "expect".length) : null;
  if (expectation !== null) {
    const subject = text.slice("expect(".length, expectation);
    const rest = text.slice(expectation + 1).replace(/^(?:\.|->)/, "");
    const matcher =
      /^((?:not\.)?[\w.]+?)\((.*)\)$/.exec(rest) ?? /^((?:not_)?to (?:eq|eql|equal|be))[( ](.*?)\)?$/.exec(rest);
    const name = (matcher?.[1] ?? "").replace(/^to /, "");
    const value = NAMED_VALUES[name];
    if (value !== undefined) return [subject, value];
    const predicate = /^(not_)?to be_(?!truthy|falsey|falsy|an?\b|kind|instance|within|between)(\w+)$/.exec(rest);
    if (predicate !== null) return rubyPredicate(subject, predicate[2] ?? "", predicate[1] === undefined);
    if (matcher === null || !EQUAL_MATCHERS.test(name)) return null;
    if (name.startsWith("not.")) return [`not ${subject}`, matcher[2] ?? ""];
    return name === "toHaveLength" ? [`${subject}.length`, matcher[2] ?? ""] : [subject, matcher[2] ?? ""];
  }
  const ruby = /^assert_(equal|nil) (.+)$/.exec(text);
  if (ruby !== null) {
    const [a = "", b = "nil"] = splitTop(ruby[2] ?? "");
    return [a, b];
  }
  const that =
    /^Assert\.That\((.*),Is\.EqualTo\((.*)\)\)$/.exec(text) ??
    /^assertThat\((.*)\)\.is(?:EqualTo\((.*)\)|(Null|True|False)\(\))$/.exec(text);
  if (that !== null) return [that[1] ?? "", that[2] ?? that[3]?.toLowerCase() ?? ""];
  const call = callOf(text);
  if (call === null) {
    const [stated] = text.startsWith("assert ") ? splitTop(text.slice("assert ".length)) : [];
    return stated === undefined ? null : comparisonOf(stated);
  }
  const [name, rest] = call;
  const all = splitTop(rest);
  const args = /^(?:assert|require)\.\w+$/.test(name) && all[0] === "t" ? all.slice(1) : all;
  const value = NAMED_VALUES[name.split(/[.>]/).at(-1) ?? ""];
  if (value !== undefined && args.length === 1) return [args[0] ?? "", value];
  return EQUAL_CALLS.test(name) && args.length >= 2 ? [args[0] ?? "", args[1] ?? ""] : null;
}

/** What a predicate of RSpec says, without it. */
function rubyPredicate(subject: string, name: string, holds: boolean): [string, string] {
  if (name === "nil") return [holds ? subject : `not ${subject}`, "nil"];
  if (name === "empty") return [holds ? `${subject}.size` : `not ${subject}.size`, "0"];
  return [`${subject}.${name}?`, String(holds)];
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
