/** Words that mean something to a test framework, or to the language: they are no names to be renamed. */
const FIXED =
  /^(?:expect\w*|assert\w*|to[A-Z]\w*|to|be|not|equal|eql|eq|deep|strictEqual|deepEqual|toBe|is\w*|has\w*|true|false|null|undefined|None|nil|True|False|resolves|rejects|should|must\w*|raises|throws\w*|length|in|and|or|typeof|instanceof|new|await|self|this|t|Assert|ok|greater\w*|less\w*|exist\w*|(?:Base|Runtime|Illegal\w+|Argument|Standard|Value|Type|Key|Range|OS|IO)?(?:Error|Exception)|Throwable|EXPECT_\w+|ASSERT_\w+|any\w*|_)$/;
/** So many assertions of the same shape are tried for each: a file with thousands of them must not take minutes. */
const MOST_TRIES = 100;
const TOKEN = /"(?:\\.|[^"\\])*"|[A-Za-z_$][\w$]*|\d[\w.]*|\S/g;

/**
 * Which of the assertions that are gone came back with other names: one name for another throughout, as when a function is renamed
 * with its tests.
 * @returns indices into `gone`
 */
export function renamedKeys(gone: readonly string[], come: readonly string[]): Set<number> {
  const found = new Set<number>();
  const names = new Map<string, string>();
  const free = Map.groupBy(come.map(tokensOf), shapeOf);
  // The longest first: they name the most, and the short ones then follow.
  const order = gone
    .map((key, at) => ({ at, tokens: tokensOf(key) }))
    .sort((a, b) => b.tokens.length - a.tokens.length);
  for (const { at, tokens } of order) {
    const alike = free.get(shapeOf(tokens)) ?? [];
    for (const [index, others] of alike.slice(0, MOST_TRIES).entries()) {
      const mapped = mapping(tokens, others, names);
      if (mapped === null) continue;
      for (const [from, to] of mapped) names.set(from, to);
      alike.splice(index, 1);
      found.add(at);
      break;
    }
  }
  return found;
}

/** The names that would make one text the other; null if more than names differ, or a name is already another. */
function mapping(
  from: readonly string[],
  to: readonly string[],
  names: ReadonlyMap<string, string>,
): Map<string, string> | null {
  if (from.length !== to.length) return null;
  const mapped = new Map<string, string>();
  for (const [at, token] of from.entries()) {
    const other = to[at] ?? "";
    if (!isName(token) || !isName(other)) {
      if (token !== other) return null;
      continue;
    }
    const known = mapped.get(token) ?? names.get(token);
    if (known !== undefined && known !== other) return null;
    mapped.set(token, other);
  }
  // Two names that become one would hide what was compared.
  const changed = [...mapped].filter(([a, b]) => a !== b);
  const targets = new Set(mapped.values());
  return targets.size === mapped.size && changed.length <= 4 ? mapped : null;
}

function isName(token: string): boolean {
  return /^[A-Za-z_$]/.test(token) && !FIXED.test(token);
}

/** What must be equal for names alone to differ. */
function shapeOf(tokens: readonly string[]): string {
  return tokens.map((token) => (isName(token) ? "\0" : token)).join(" ");
}

function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}
