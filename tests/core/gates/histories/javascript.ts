import { commit, edited, type History } from "./history.ts";

const PATH = "src/cart.test.ts";
export const JEST = `import { addItem, Cart, total } from "./cart";

describe("a cart", () => {
  let cart: Cart;

  beforeEach(() => {
    cart = new Cart("EUR");
  });

  it("is empty at first", () => {
    expect(cart.items).toHaveLength(0);
    expect(total(cart)).toBe(0);
  });

  it("sums its items", () => {
    addItem(cart, { sku: "A1", price: 250, count: 2 });
    addItem(cart, { sku: "B2", price: 99, count: 1 });
    expect(total(cart)).toBe(599);
    expect(cart.items.map((item) => item.sku)).toEqual(["A1", "B2"]);
  });

  it("refuses a count below one", () => {
    expect(() => addItem(cart, { sku: "A1", price: 250, count: 0 })).toThrow("count");
  });

  it("rounds to cents", async () => {
    const rounded = await total(cart, { tax: 0.19 });
    expect(rounded).toBeCloseTo(0, 2);
    expect(cart.currency).toBeDefined();
  });
});
`;

const NODE_PATH = "test/parse.test.js";
export const NODE = `import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "../lib/parse.js";

test("parses a pair", () => {
  assert.deepEqual(parse("a=1"), { a: "1" });
});

test("keeps the last of two", () => {
  const result = parse("a=1&a=2");
  assert.equal(result.a, "2");
});

test("does not crash on nothing", () => {
  parse("");
});

test("throws on a lone percent sign", () => {
  assert.throws(() => parse("%"), /malformed/);
});
`;

const CALLBACK = `import assert from "node:assert/strict";
import { test } from "node:test";
import { read } from "../lib/read.js";

test("reads a file", async () => {
  const path = await temporary("abc");
  read(path, (err, text) => {
    assert.ifError(err);
    assert.equal(text, "abc");
  });
});
`;

const E2E_PATH = "e2e/login.spec.ts";
export const PLAYWRIGHT = `import { expect, test } from "@playwright/test";

test.describe("login", () => {
  test("shows the dashboard", async ({ page }) => {
    await page.goto("/login");
    await page.fill("#user", "ada");
    await page.click("text=Sign in");
    await expect(page).toHaveURL("/dashboard");
    await expect(page.locator("h1")).toHaveText("Welcome, Ada");
  });

  test("rejects a wrong password", async ({ page }) => {
    await page.goto("/login");
    await page.fill("#password", "wrong");
    await page.click("text=Sign in");
    await expect(page.locator(".error")).toContainText("Wrong password");
  });
});
`;

const THIRD = `
  it("refuses a count below one", () => {`;

export const honest: History[] = [
  commit("a new test", PATH, JEST, [
    THIRD,
    `\n  it("can be emptied", () => {\n    cart.clear();\n    expect(cart.items).toEqual([]);\n  });\n${THIRD}`,
  ]),
  commit("a new assertion", PATH, JEST, [
    "expect(total(cart)).toBe(599);",
    "expect(total(cart)).toBe(599);\n    expect(cart.items[0].count).toBe(2);",
  ]),
  commit("a test gets another name", PATH, JEST, ['it("sums its items"', 'it("adds up the prices of all items"']),
  commit("a typo in a name", PATH, JEST, ["refuses a count below one", "refuses counts below one"]),
  commit("a function is renamed with its tests", PATH, JEST, ["addItem", "addToCart"]),
  commit(
    "a helper and a variable are renamed",
    PATH,
    JEST,
    ["total(", "sumOf("],
    ["total }", "sumOf }"],
    ["rounded", "sum"],
  ),
  commit("other quotes", PATH, JEST, ['"', "'"]),
  commit("long lines are folded", PATH, JEST, [
    'expect(cart.items.map((item) => item.sku)).toEqual(["A1", "B2"]);',
    'expect(\n      cart.items.map((item) => item.sku),\n    ).toEqual([\n      "A1",\n      "B2",\n    ]);',
  ]),
  commit("another indentation", PATH, JEST, ["  ", "    "]),
  commit("comments", PATH, JEST, [
    '  it("rounds to cents"',
    '  // VAT is added last, see the tax spec.\n  it("rounds to cents"',
  ]),
  commit("a comment is removed", PATH, `// Tests of the cart, expect(old).toBe(1)\n${JEST}`, [
    "// Tests of the cart, expect(old).toBe(1)\n",
    "",
  ]),
  commit("an import moves", PATH, JEST, ['from "./cart"', 'from "../shop/cart"']),
  commit("a stronger matcher", PATH, JEST, [
    "expect(cart.currency).toBeDefined();",
    'expect(cart.currency).toBe("EUR");',
  ]),
  commit(
    "from throw to a message",
    PATH,
    JEST,
    ['.toThrow("count")', '.toThrow("count must be at least 1")'],
    [
      'expect(() => addItem(cart, { sku: "A1", price: 250, count: 0 }))',
      'expect(() => addItem(cart, { sku: "A1", price: 250, count: 0 }))',
    ],
  ),
  commit("set-up gets a new field", PATH, JEST, ['new Cart("EUR")', 'new Cart("EUR", { country: "DE" })']),
  commit("items get a new required field", PATH, JEST, ["price: 250,", 'price: 250, name: "Tea",']),
  commit(
    "set-up is moved into a factory",
    PATH,
    JEST,
    ['cart = new Cart("EUR");', "cart = makeCart();"],
    ["describe(", 'const makeCart = () => new Cart("EUR");\n\ndescribe('],
  ),
  commit(
    "a value gets a name",
    PATH,
    JEST,
    ["toBe(599)", "toBe(599)"],
    ["describe(", "const PRICE = 250;\n\ndescribe("],
    ["price: 250", "price: PRICE"],
  ),
  {
    name: "the file is renamed",
    changes: [
      { path: PATH, before: JEST, after: null },
      { path: "src/shop/cart.spec.ts", before: null, after: JEST },
    ],
  },
  {
    name: "tests move to another file",
    changes: [
      {
        path: PATH,
        before: JEST,
        after: edited(JEST, [JEST.slice(JEST.indexOf('  it("rounds'), JEST.lastIndexOf("});")), ""]),
      },
      {
        path: "src/rounding.test.ts",
        before: null,
        after: `describe("rounding", () => {\n${JEST.slice(JEST.indexOf('  it("rounds'))}`,
      },
    ],
  },
  commit(
    "three cases become a table",
    PATH,
    `it("one", () => {\n  expect(add(1, 2)).toBe(3);\n});\nit("two", () => {\n  expect(add(4, 5)).toBe(9);\n});\nit("three", () => {\n  expect(add(-1, 1)).toBe(0);\n});\n`,
    [
      `it("one", () => {\n  expect(add(1, 2)).toBe(3);\n});\nit("two", () => {\n  expect(add(4, 5)).toBe(9);\n});\nit("three", () => {\n  expect(add(-1, 1)).toBe(0);\n});\n`,
      `it.each([\n  [1, 2, 3],\n  [4, 5, 9],\n  [-1, 1, 0],\n])("adds %i and %i", (a, b, sum) => {\n  expect(add(a, b)).toBe(sum);\n});\n`,
    ],
  ),
  commit(
    "a table gets rows",
    PATH,
    'test.each([\n  ["a", 1],\n  ["b", 2],\n])("%s", (name, n) => {\n  expect(rank(name)).toBe(n);\n});\n',
    ['  ["b", 2],\n', '  ["b", 2],\n  ["c", 3],\n  ["", null],\n'],
  ),
  commit("a new test that is still to do", PATH, JEST, [THIRD, `\n  it.todo("ships abroad");\n${THIRD}`]),
  commit("jest becomes vitest", PATH, JEST, [
    "import { addItem",
    'import { beforeEach, describe, expect, it } from "vitest";\nimport { addItem',
  ]),
  commit(
    "async is awaited",
    PATH,
    JEST,
    ["expect(total(cart)).toBe(599);", "expect(await total(cart)).toBe(599);"],
    ['it("sums its items", () =>', 'it("sums its items", async () =>'],
  ),
  commit("node:assert: a new test", NODE_PATH, NODE, [
    'test("throws',
    'test("reads a flag", () => {\n  assert.equal(parse("a").a, "");\n});\n\ntest("throws',
  ]),
  commit(
    "node:assert becomes vitest",
    NODE_PATH,
    NODE,
    ['assert.deepEqual(parse("a=1"), { a: "1" });', 'expect(parse("a=1")).toEqual({ a: "1" });'],
    ['assert.equal(result.a, "2");', 'expect(result.a).toBe("2");'],
    ['import assert from "node:assert/strict";\n', ""],
    ['import { test } from "node:test";', 'import { assert, expect, test } from "vitest";'],
  ),
  commit("node:assert: strictEqual for equal", NODE_PATH, NODE, ["assert.equal(result", "assert.strictEqual(result"]),
  commit("node:assert: two tests become one", NODE_PATH, NODE, [
    '});\n\ntest("keeps the last of two", () => {\n',
    "\n",
  ]),
  commit("Playwright: a new test", E2E_PATH, PLAYWRIGHT, [
    '  test("rejects',
    '  test("logs out", async ({ page }) => {\n    await page.goto("/logout");\n    await expect(page).toHaveURL("/login");\n  });\n\n  test("rejects',
  ]),
  commit("Playwright: a step more", E2E_PATH, PLAYWRIGHT, [
    '    await page.fill("#user", "ada");',
    '    await page.fill("#user", "ada");\n    await page.fill("#password", "correct horse");',
  ]),
  commit("Playwright: a selector by role", E2E_PATH, PLAYWRIGHT, [
    'page.locator("h1")',
    'page.getByRole("heading", { name: "h1" })',
  ]),
  commit("what the browser of the tests lacks", PATH, JEST, [
    '    cart = new Cart("EUR");',
    '    cart = new Cart("EUR");\n    Element.prototype.scrollIntoView = () => {};\n    Date.now = () => 0;',
  ]),
  commit("a message is looked at whole", PATH, JEST, ['.toThrow("count")', '.toThrow("the count is below one")']),
  commit(
    "a helper of the test's own calls the subject, which came from elsewhere",
    PATH,
    JEST,
    [
      'import { addItem, Cart, total } from "./cart";',
      'import { addItem, Cart, sumOf } from "./sums";\n\nconst sum = (cart: Cart) => sumOf(cart.items);',
    ],
    ["total(cart)", "sum(cart)"],
    ["total(cart, ", "sum(cart, "],
  ),
  commit("the subject has another name", PATH, JEST, ["total", "sum"]),
];

export const cheats: History[] = [
  commit("an expected value changes", PATH, JEST, ["toBe(599)", "toBe(349)"]),
  commit("an assertion is removed", PATH, JEST, ["    expect(total(cart)).toBe(599);\n", ""]),
  commit("an assertion becomes a comment", PATH, JEST, [
    "    expect(total(cart)).toBe(599);",
    "    // expect(total(cart)).toBe(599);",
  ]),
  commit("a test is skipped", PATH, JEST, ['it("sums', 'it.skip("sums']),
  commit("a test is crossed out", PATH, JEST, ['it("sums', 'xit("sums']),
  commit("all tests are skipped", PATH, JEST, ["describe(", "describe.skip("]),
  commit("another test runs alone", PATH, JEST, ['it("is empty', 'it.only("is empty']),
  commit("a focused test", PATH, JEST, ['it("is empty', 'fit("is empty']),
  commit("a test becomes a todo", PATH, JEST, [
    'it("rounds to cents", async () => {',
    'it.todo("rounds to cents");\n  (async () => {',
  ]),
  commit("a looser matcher", PATH, JEST, ["expect(total(cart)).toBe(599)", "expect(total(cart)).toBeTruthy()"]),
  commit("a wider tolerance", PATH, JEST, ["toBeCloseTo(0, 2)", "toBeCloseTo(0, -3)"]),
  commit("the order no longer counts", PATH, JEST, [
    '.toEqual(["A1", "B2"])',
    '.toEqual(expect.arrayContaining(["A1"]))',
  ]),
  commit("the message no longer counts", PATH, JEST, ['.toThrow("count")', ".toThrow()"]),
  commit("a failure is caught", PATH, JEST, [
    "    expect(total(cart)).toBe(599);",
    "    try {\n      expect(total(cart)).toBe(599);\n    } catch {}",
  ]),
  commit("a test returns early", PATH, JEST, [
    'it("sums its items", () => {',
    'it("sums its items", () => {\n    return;',
  ]),
  commit(
    "the input changes so that the fault is not met",
    PATH,
    JEST,
    ["price: 99, count: 1", "price: 49, count: 1"],
    ["toBe(599)", "toBe(549)"],
  ),
  commit(
    "the subject has another name, and is written in the test",
    PATH,
    JEST,
    [
      'import { addItem, Cart, total } from "./cart";',
      'import { addItem, Cart } from "./cart";\n\nconst sum = () => 599;',
    ],
    ["total(cart)", "sum(cart)"],
  ),
  commit(
    "the subject is written within a test, under another name",
    NODE_PATH,
    NODE,
    ['import { parse } from "../lib/parse.js";\n', ""],
    [
      'test("keeps the last of two", () => {\n',
      'test("keeps the last of two", () => {\n  const read = () => ({ a: "2" });\n',
    ],
    ["parse(", "read("],
  ),
  commit("a method of the subject is written anew", PATH, JEST, [
    "describe(",
    "Cart.prototype.sum = () => 599;\n\ndescribe(",
  ]),
  commit("a test runs where nobody looks", PATH, JEST, [
    'it("sums its items"',
    'it.runIf(process.env.NEVER)("sums its items"',
  ]),
  commit("an expected text is longer", NODE_PATH, NODE, [
    'assert.equal(result.a, "2")',
    'assert.equal(result.a, "2,1")',
  ]),
  commit("the error of a callback is not looked at", NODE_PATH, CALLBACK, ["    assert.ifError(err);\n", ""]),
  { name: "the file is deleted", changes: [{ path: PATH, before: JEST, after: null }] },
  { name: "the file is emptied", changes: [{ path: PATH, before: JEST, after: "export {};\n" }] },
  commit("the subject is replaced by a stand-in", PATH, JEST, [
    "describe(",
    'vi.mock("./cart", () => ({ total: () => 599 }));\n\ndescribe(',
  ]),
  commit("a test goes that only must not crash", NODE_PATH, NODE, [
    'test("does not crash on nothing", () => {\n  parse("");\n});\n\n',
    "",
  ]),
  commit("equal becomes not equal", NODE_PATH, NODE, ['assert.equal(result.a, "2")', 'assert.notEqual(result.a, "3")']),
  commit("the throw is not looked at", NODE_PATH, NODE, [
    'assert.throws(() => parse("%"), /malformed/);',
    "assert.ok(true);",
  ]),
  commit("Playwright: fixme", E2E_PATH, PLAYWRIGHT, ['test("rejects', 'test.fixme("rejects']),
  commit("Playwright: another text", E2E_PATH, PLAYWRIGHT, ['toContainText("Wrong password")', 'toContainText("")']),
];
