/** Scripts that stand for "no tests yet", as npm writes one: as a gate they would prove nothing, or never be green. */
const PLACEHOLDER =
  /no test specified|^\s*(?:(?:echo\b(?:"[^"]*"|'[^']*'|[^&|;"'])*|true|:|exit \d+)\s*(?:&&|;|$)\s*)+$/;
/** Scripts that never end by themselves, and so are no gate. */
const ENDLESS =
  /--watch(?:All)?(?!=false)\b|\bvitest (?:watch|dev)\b|\b(?:vitest|playwright)\b.* --ui\b|\bcypress open\b|\bnodemon\b|\b(?:mocha|ava|vitest)\b[^&|;]* -w\b|\btsx watch\b|\brun \S*watch\b/;

/** Whether a script tests something, and ends. */
export function isTest(script: string): boolean {
  // A placeholder is short; the pattern takes its time on what is long.
  return !(script.length < 500 && PLACEHOLDER.test(script)) && !ENDLESS.test(script);
}
