import { expect, test } from "bun:test";
import { RalphError } from "../../src/core/errors.ts";
import { isDiskFull, reasonOf, toUserError, UnfitFile, writeHint } from "../../src/core/system-error.ts";

const refused = (code: string, more: object = {}) =>
  Object.assign(new Error(`${code}: no, open '/a/b'`), { code }, more);

test("a refusal of the system becomes an error with its path and a hint", () => {
  const { code, message, hint } = toUserError(refused("EACCES", { path: "/a/b" })) ?? {};
  expect({ code, message }).toEqual({ code: "environment", message: "Permission is denied: /a/b" });
  expect(hint).toContain("this user");
});

test("what to do about a failed write depends on why it failed", () => {
  const otherwise = "Make it writable.";
  expect(writeHint(refused("ENOSPC"), otherwise)).toContain("Free some space");
  expect(writeHint(refused("EROFS"), otherwise)).toBe("Work in a writable folder.");
  for (const cause of [refused("EACCES"), refused("ENOENT"), new Error("x")])
    expect(writeHint(cause, otherwise)).toBe(otherwise);
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

test("a file that is none, or too large, is named with the reason", () => {
  const unfit = new UnfitFile("ETOOLARGE", "/a/b", "it has 2 MB, and ralph reads at most 1 MB");
  const { message, hint } = toUserError(new Error("No.", { cause: unfit })) ?? {};
  expect(message).toBe("/a/b cannot be read: it has 2 MB, and ralph reads at most 1 MB.");
  expect(hint).toContain("shorter");
});

test.each<[unknown, string]>([
  [refused("EROFS"), "the file system is read-only (EROFS)"],
  [refused("ENOSPC"), "the disk is full (ENOSPC)"],
  [refused("EACCES"), "permission is denied (EACCES)"],
  [refused("EMFILE"), "too many files are open (EMFILE)"],
  [new Error("The journal broke.", { cause: refused("EROFS") }), "the file system is read-only (EROFS)"],
  [new UnfitFile("ENOTREGULAR", "/a", "it is a socket, not a file"), "it is a socket, not a file"],
  [refused("ENOENT"), "there is no such file or folder (ENOENT)"],
  [refused("EODD"), "EODD: no, open '/a/b'"],
  ["odd", "odd"],
])("the reason of %p is told in words", (error, words) => expect(reasonOf(error)).toBe(words));

test("a refusal is looked for in an error and four causes below it", () => {
  const below = (depth: number): Error =>
    depth === 0 ? refused("EACCES", { path: "/a" }) : new Error("It failed.", { cause: below(depth - 1) });
  expect([toUserError(below(4)) === null, toUserError(below(5)) === null]).toEqual([false, true]);
});
