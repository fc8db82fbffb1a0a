import { expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import { isDiskFull, toUserError } from "../../src/core/system-error.ts";

const refused = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: no, open '/a/b'`), { code }, more);

test("a refusal of the system becomes an error with its path and a hint", () => {
  const { code, message, hint } = toUserError(refused("EACCES", { path: "/a/b" })) ?? {};
  expect({ code, message }).toEqual({ code: "environment", message: "Permission is denied: /a/b" });
  expect(hint).toContain("this user");
});

test("a refusal without a path keeps the system's own words", () => {
  expect(toUserError(refused("EMFILE"))?.message).toBe("Too many files are open: EMFILE: no, open '/a/b'");
});

test("a refusal is found as the cause of another error", () => {
  const cause = new Error("The journal broke.", { cause: refused("EROFS", { path: "/a/b" }) });
  expect(toUserError(cause)?.message).toBe("The file system is read-only: /a/b");
});

test("an error of ralph stays unchanged, whatever its cause", () => {
  const own = new RalphError("usage", "No.", { cause: refused("EACCES") });
  expect(toUserError(own)).toBe(own);
});

test.each<[string, unknown]>([
  ["a mistake of ralph", new TypeError("x is no function")],
  ["a file that is not there", refused("ENOENT")],
  ["a code that every object has", refused("toString")],
  ["a code that is a number", Object.assign(new Error("odd"), { code: 13 })],
  ["a text", "EACCES"],
  ["nothing", null],
])("no user error is made of %s", (_name, error) => {
  expect(toUserError(error)).toBeNull();
});

test.each([
  ["ENOSPC", true],
  ["EDQUOT", true],
  ["EACCES", false],
])("the code %s means a full disk: %p", (code, full) => {
  expect(isDiskFull(new RalphError("environment", "It failed.", { cause: refused(code) }))).toBe(full);
});

test("a refusal is looked for in an error and four causes below it", () => {
  const below = (depth: number): Error =>
    depth === 0 ? refused("EACCES", { path: "/a" }) : new Error("It failed.", { cause: below(depth - 1) });
  expect([toUserError(below(4)) === null, toUserError(below(5)) === null]).toEqual([false, true]);
});
