/**
 * Compares an `expect` of the conformance data with the outcome, by the rules of its README: `expected` is a subset of
 * `actual`, null equals a missing key, arrays are compared whole, `{"$name": …}` is a matcher.
 */

type Matcher = (argument: unknown, actual: unknown, path: string) => string[];

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const matchers: Readonly<Record<string, Matcher>> = {
  $in: oneOf,
  $any: (argument, actual, path) => (Array.isArray(argument) ? oneOf(argument, actual, path) : []),
  $ge: (argument, actual, path) =>
    typeof actual === "number" && actual >= Number(argument) ? [] : differs(path, `at least ${argument}`, actual),
  $len_ge: (argument, actual, path) =>
    lengthOf(actual) >= Number(argument) ? [] : differs(path, `length of at least ${argument}`, actual),
  $nonempty: (_, actual, path) => (lengthOf(actual) > 0 ? [] : differs(path, "something", actual)),
  $empty: (_, actual, path) => (lengthOf(actual) === 0 ? [] : differs(path, "nothing", actual)),
  $endswith: (argument, actual, path) =>
    String(actual).endsWith(String(argument)) ? [] : differs(path, `ending ${argument}`, actual),
  $prefix: (argument, actual, path) =>
    String(actual).startsWith(String(argument)) ? [] : differs(path, `beginning ${argument}`, actual),
  $first: (argument, actual, path) => mismatches(argument, Array.isArray(actual) ? actual[0] : undefined, `${path}[0]`),
  $time: (argument, actual, path) =>
    Date.parse(String(actual)) === Date.parse(String(argument)) ? [] : differs(path, `the time ${argument}`, actual),
  $bool: (_, actual, path) => (typeof actual === "boolean" ? [] : differs(path, "a boolean", actual)),
  $uuid: (_, actual, path) => (UUID.test(String(actual)) ? [] : differs(path, "a UUID", actual)),
};

/** The mismatches of `actual` with `expected`, one sentence each; empty if it matches. */
export function mismatches(expected: unknown, actual: unknown, path = ""): string[] {
  if (expected === null || expected === undefined) {
    return actual === null || actual === undefined ? [] : differs(path, "null", actual);
  }
  if (Array.isArray(expected)) return arrayMismatches(expected, actual, path);
  if (!isRecord(expected)) return Object.is(expected, actual) ? [] : differs(path, JSON.stringify(expected), actual);
  const name = Object.keys(expected).find((key) => key.startsWith("$"));
  if (name !== undefined) {
    const matcher = matchers[name];
    if (matcher === undefined) throw new Error(`unknown matcher ${name} at ${path}`);
    return matcher(expected[name], actual, path);
  }
  if (!isRecord(actual)) return differs(path, "an object", actual);
  return Object.entries(expected).flatMap(([key, value]) =>
    mismatches(value, actual[key], path === "" ? key : `${path}.${key}`),
  );
}

function arrayMismatches(expected: readonly unknown[], actual: unknown, path: string): string[] {
  if (!Array.isArray(actual)) return differs(path, "a list", actual);
  if (actual.length !== expected.length) {
    return differs(path, `${expected.length} elements: ${JSON.stringify(expected)}`, actual);
  }
  return expected.flatMap((value, index) => mismatches(value, actual[index], `${path}[${index}]`));
}

function oneOf(argument: unknown, actual: unknown, path: string): string[] {
  const choices: unknown[] = Array.isArray(argument) ? argument : [argument];
  const fits = choices.some((choice) => mismatches(choice, actual, path).length === 0);
  return fits ? [] : differs(path, `one of ${JSON.stringify(choices)}`, actual);
}

function differs(path: string, wanted: string, actual: unknown): string[] {
  return [`${path === "" ? "value" : path}: expected ${wanted}, got ${JSON.stringify(actual) ?? "nothing"}`];
}

function lengthOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 0;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
