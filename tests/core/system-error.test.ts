import { expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import { isDiskFull, toUserError } from "../../src/core/system-error.ts";

const refused = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: no, open '/a/b'`), { code }, more);

test("what the system refuses is told with its path, and with what to do", () => {
  const { code, message, hint } = toUserError(refused("EACCES", { path: "/a/b" })) ?? {};
  expect({ code, message }).toEqual({ code: "environment", message: "Permission is denied: /a/b" });
  expect(hint).toContain("this user");
});

test("where the system names no path its own words are told", () => {
  expect(toUserError(refused("EMFILE"))?.message).toBe("Too many files are open: EMFILE: no, open '/a/b'");
});

test("a refusal behind another error is found", () => {
  const cause = new Error("The journal broke.", { cause: refused("EROFS", { path: "/a/b" }) });
  expect(toUserError(cause)?.message).toBe("The file system is read-only: /a/b");
});

test("an error of ralph stays what it is, whatever caused it", () => {
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
])("nobody foresaw %s", (_name, error) => {
  expect(toUserError(error)).toBeNull();
});

test.each([
  ["ENOSPC", true],
  ["EDQUOT", true],
  ["EACCES", false],
])("%s is a full disk: %p", (code, full) => {
  expect(isDiskFull(new RalphError("environment", "It failed.", { cause: refused(code) }))).toBe(full);
});
