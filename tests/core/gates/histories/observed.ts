import { commit, edited, type History } from "./history.ts";

/*
 * What commits of public projects do to their tests, in words of our own: of 1,100 that touch their gates, these kinds were false alarms.
 */

const SHOP_PATH = "src/shop.test.tsx";
const SHOP = `import { render } from "./render";
import { Shop, type Goods } from "./shop";

describe("the page", () => {
  it("shows nothing for a number", () => {
    const Price = (() => {
      return 0
    }) as unknown as Goods;
    expect(render(<Price />).text).toBe("0");
  });

  it("asks for a name", async () => {
    const shop = new Shop({
      onAsk: (question: string) => {
        shop.answer("Ada");
      },
    });
    await shop.open();
    expect(shop.error?.message).toBe("none");
    expect((shop as unknown as Goods).names).toEqual(["Ada"]);
  });
});

describe("the cart", () => {
  it("shows nothing for a number", () => {
    expect(render(<Shop count={0} />).text).toBe("");
  });
});
`;

const AVA_PATH = "test/options.ts";
const AVA = `import test from "ava";
import {merge as mergeAll} from "../source/merge.js";
import {merge} from "../source/index.js";

test("keeps what was set", t => {
	const options = merge({hooks: [first]});
	t.is(options.isMerged, true);
	t.is(options.isOpen, false);
	t.deepEqual(options.hooks, [first] as unknown as Hook[]);
	t.is((options.url as URL).href, "https://example.org/");
});
`;

const PY_PATH = "tests/test_routes.py";
const PY = `from shop import App


def test_named_routes():
    app = App()

    @app.route("/")
    def index():
        return "home"

    assert app.get("/").text == "home"
`;

const RUST_PATH = "tests/feature.rs";
const RUST = `use crate::util::{Dir, Cmd};

cmdtest!(finds_all, |dir: Dir, mut cmd: Cmd| {
    dir.create("a", "one");
    cmd.arg("one");
    eqnice!("a:one\\n", cmd.stdout());
});
`;

const GOT_PATH = "test/socket.ts";
const GOT = `import test from "ava";
import got from "../source/index.js";

test("reads from a socket", async t => {
	const {body} = await got("unix:/tmp/socket:/");
	t.is(body, "ok");
});
`;

const WORKFLOW = `name: ci
on:
  push:
    branches: [main]
  pull_request:
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: npm ci
      - run: npm test
`;

const SERVER_PATH = "test/ask.test.ts";
const SERVER = `import { ask } from "../source/ask";
import { log, serve } from "./serve";

describe("ask", () => {
  it("asks once", async () => {
    const server = serve(() => ({ status: 200 }));
    expect(await ask(server)).toBe(200);
    expect(server.asked).toBe(1);
  });
});
`;

const TABLE_PATH = "test/pay.test.ts";
const TABLE = `import { pay as charge } from "../source/pay";

describe("pay", () => {
  it("adds one", () => {
    const all = [1, 2];
    all.forEach((one) => {
      expect(charge(one)).toBe(one + 1);
    });
  });
});
`;

const CASES_PATH = "pay_test.go";
const CASES = `package pay

func TestPay(t *testing.T) {
	for _, one := range cases {
		t.Run(one.name, func(t *testing.T) {
			if got := pay(one.in); got != one.want {
				t.Errorf("got %d", got)
			}
		})
	}
}
`;

const LINES_PATH = "test/lines.test.ts";
const LINES = `import { pay } from "../source/pay";

describe("pay", () => {
  it("adds one",
    options,
    async () => {
      expect(await pay(1)).toBe(2);
    });
});
`;

const TYPES_PATH = "test/types.test.ts";
const TYPES = `import { name, pay } from "../source/pay";

it("has types", () => {
  expectTypeOf(pay(1)).toEqualTypeOf<number>();
  expect(name(1)).toMatch(/sold as new/);
});
`;

const SHORT_PATH = "test/short.test.js";
const SHORT = `const assert = require("node:assert");
const { pay } = require("../lib/pay");

function expectPay(r) { assert.equal(r, 3); }

it("pays", () => {
  expectPay(pay(2));
});
`;

const MACRO_PATH = "tests/pay.rs";
const MACRO = `use crate::pay;

test_pay!(three, 3, 3);
test_pay!(four, 4, 4);
`;

const SKIPPED = `it.skip("pays", () => {
  expect(pay(1)).toBe(2);
});
`;

const VERSIONS = `name: ci
on: [push]
jobs:
  test:
    strategy:
      matrix:
        node-version: [22.x, 24.x]
        psr: ['^1.9.1', '^2.4']
        otp: "25.3"
        react:
          - version: '18'
            react: '18'
          - version: '19'
            types: '^18'
    steps:
      - run: npm test
`;

const STALE = `name: Close stale issues
on:
  schedule:
    - cron: "0 0 * * *"
jobs:
  stale:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/stale@v9
        with:
          days-before-stale: 60
`;

const HELPED_PATH = "test/query.test.js";
const HELPED = `const assert = require("node:assert");
const { query } = require("../lib/query");

function expectFailure({ name, value }) {
  assert.equal(query(name).error, value);
}

describe("a query", function () {
  it("names what is missing", function () {
    const url = require("url").parse("/?a=1");
    expectFailure({ name: url.query, value: "b" });
  });
});
`;

const PLAIN_PATH = "tests/test_format.py";
const PLAIN = `from shop import form


def test_form(out):
    expected = "a"
    assert form("a") == expected
    assert out.getvalue() == expected
`;

const EXS_PATH = "test/new_test.exs";
const EXS = `defmodule NewTest do
  use ExUnit.Case

  test "makes files" do
    assert_file("a/.gitignore", fn file ->
      assert file =~ "/static/"
    end)
  end
end
`;

const JAVA_PATH = "src/test/java/MapTest.java";
const JAVA = `class MapTest {
  @Test
  public void testValues() {
    assertThat(map.get("a")).isEqualTo(Boolean.TRUE);
    assertThat(map.get("b")).isEqualTo(null);
  }
}
`;

const RUBY_PATH = "test/web_test.rb";
const RUBY = `class WebTest < Minitest::Test
  def test_page
    get "/"
    assert_match(/#{id}/, last_response.body)
    assert_equal 200, last_response.status
  end
end
`;

const GO_PATH = "recovery_test.go";
const GO = `package web

func TestRecovery(t *testing.T) {
	expectTexts := map[int]string{1: "broken pipe"}
	for number, text := range expectTexts {
		assert.Contains(t, recovered(number), text)
	}
}
`;

const QUOTED_PATH = "test/quoted.test.ts";
const QUOTED = `import { escape, show } from "../source/escape";

const TICK = /\`/;

it("escapes", () => {
  const shown = \`x\${show(0)!.toString(16)};\`;
  expect(escape(shown)).toBe("x0;");
});
`;

export const honest: History[] = [
  commit("typescript: one thing more in a file with a quote in a pattern", QUOTED_PATH, QUOTED, [
    "  const shown",
    '  expect(escape("b")).toBe("b");\n  const shown',
  ]),
  commit("elixir: one thing more is said of a file", EXS_PATH, EXS, [
    '      assert file =~ "/static/"\n',
    '      assert file =~ "/static/"\n      assert file =~ "*.tar"\n',
  ]),
  commit(
    "java: values that have words of their own",
    JAVA_PATH,
    JAVA,
    ["isEqualTo(Boolean.TRUE)", "isEqualTo(true)"],
    ["isEqualTo(null)", "isNull()"],
  ),
  commit("ruby: one thing more below a pattern with a value in it", RUBY_PATH, RUBY, [
    "    assert_equal 200, last_response.status\n",
    "    assert_match(/#{name}/, last_response.body)\n    assert_equal 200, last_response.status\n",
  ]),
  commit("go: another name for what a loop over what is expected goes by", GO_PATH, GO, ["number", "status"]),
  commit(
    "javascript: a helper that states something takes one thing more, and modules of node are named in full",
    HELPED_PATH,
    HELPED,
    ["function expectFailure({ name, value }) {", "function expectFailure({ name, value, text }) {"],
    ['require("url").parse', 'require("node:url").parse'],
  ),
  commit("python: a message for an assertion, which stands in brackets", PLAIN_PATH, PLAIN, [
    "    assert out.getvalue() == expected\n",
    '    assert (\n        out.getvalue() == expected\n    ), f"wrong: {out.getvalue()}"\n',
  ]),
  commit("typescript: a server for a test answers in two ways", SERVER_PATH, SERVER, [
    "    const server = serve(() => ({ status: 200 }));\n",
    "    const server = serve((request) => {\n      if (request.number === 1) {\n        log(request.count);\n      }\n      return { status: 200 };\n    });\n",
  ]),
  commit("rust: a step of a test by a macro", RUST_PATH, RUST, [
    '    cmd.arg("one");\n',
    '    cmd.arg("one");\n    cmd.arg("-n");\n',
  ]),
  commit(
    "github: a newer version in the place of an older one",
    ".github/workflows/ci.yml",
    VERSIONS,
    ["node-version: [22.x, 24.x]", "node-version: [24.x, 26.x]"],
    ["types: '^18'", "types: '^19'"],
    ["psr: ['^1.9.1', '^2.4']", "psr: ['^1.9.2', '^2.5']"],
    ['otp: "25.3"', 'otp: "25.4.1"'],
    ["            react: '18'\n", "            react: '18'\n            types: '^18'\n"],
  ),
  commit("typescript: a test gets a case, beside one of the same name whose callback ends early", SHOP_PATH, SHOP, [
    '    expect(render(<Shop count={0} />).text).toBe("");\n',
    '    expect(render(<Shop count={0} />).text).toBe("");\n    expect(render(<Shop count={1} />).text).toBe("1");\n',
  ]),
  commit("typescript: a callback in a test ends early for a second question", SHOP_PATH, SHOP, [
    '        shop.answer("Ada");\n',
    '        shop.answer("Ada");\n        return;\n',
  ]),
  commit(
    "typescript: another cast in an assertion, and a value that is surely there",
    SHOP_PATH,
    SHOP,
    ["expect((shop as unknown as Goods).names)", "expect((shop as Goods).names)"],
    ["shop.error?.message", "shop.error!.message"],
  ),
  commit(
    "ava: true and false have calls of their own, and casts change",
    AVA_PATH,
    AVA,
    ["t.is(options.isMerged, true)", "t.true(options.isMerged)"],
    ["t.is(options.isOpen, false)", "t.false(options.isOpen)"],
    ["[first] as unknown as Hook[]", "[first] as any"],
    ["(options.url as URL).href", "(options.url! as Readonly<URL>).href"],
  ),
  commit("python: another handler that the framework calls", PY_PATH, PY, [
    '    assert app.get("/").text == "home"\n',
    '    @app.route("/about")\n    def about():\n        return "us"\n\n    assert app.get("/").text == "home"\n    assert app.get("/about").text == "us"\n',
  ]),
  commit("rust: a test by a macro that only runs on one system", RUST_PATH, RUST, [
    'eqnice!("a:one\\n", cmd.stdout());\n});\n',
    'eqnice!("a:one\\n", cmd.stdout());\n});\n\n#[cfg(unix)]\ncmdtest!(finds_links, |dir: Dir, mut cmd: Cmd| {\n    dir.link("a", "b");\n    cmd.arg("one");\n    eqnice!("b:one\\n", cmd.stdout());\n});\n',
  ]),
  {
    name: "ava: what is tested is made from what the project exports now",
    changes: [
      {
        path: GOT_PATH,
        before: GOT,
        after: edited(GOT, [
          'import got from "../source/index.js";',
          'import plain from "../source/index.js";\n\nconst got = plain.extend({sockets: true});',
        ]),
      },
    ],
  },
  {
    name: "github: a workflow that checks nothing goes",
    changes: [{ path: ".github/workflows/stale.yml", before: STALE, after: null }],
  },
  commit(
    "github: a newer npm is installed first, and nothing is cached",
    ".github/workflows/ci.yml",
    WORKFLOW,
    ["      - run: npm ci\n", "      - run: npm install -g npm@11\n      - run: npm ci\n"],
    ["          node-version: 24\n", "          node-version: 24\n          enable-cache: false\n"],
  ),
];

/** What a leniency for the above would let through if it were wider. */
const forged: History[] = [
  commit("python: a condition that puts the answer right", PY_PATH, PY, [
    '    assert app.get("/")',
    '    if app.answer != "home":\n        app.answer = "home"\n\n    assert app.get("/")',
  ]),
  commit("typescript: what a test states moves below an else", SERVER_PATH, SERVER, [
    "    expect(await ask(server)).toBe(200);\n",
    "    if (server.isClosed) {\n      log(server);\n    } else {\n      expect(await ask(server)).toBe(200);\n    }\n",
  ]),
  commit("typescript: a table of cases ends at its first line", TABLE_PATH, TABLE, [
    "    all.forEach((one) => {\n",
    "    all.forEach((one) => {\n      return;\n",
  ]),
  commit("go: the test of each case ends at its first line", CASES_PATH, CASES, [
    "func(t *testing.T) {\n\t\t\tif",
    "func(t *testing.T) {\n\t\t\treturn\n\t\t\tif",
  ]),
  commit("typescript: a test that is declared on several lines ends at once", LINES_PATH, LINES, [
    "    async () => {\n",
    "    async () => {\n      return;\n",
  ]),
  commit("typescript: an import of another name becomes a stand-in", TABLE_PATH, TABLE, [
    'import { pay as charge } from "../source/pay";',
    "const charge = (one: number) => one + 1;",
  ]),
  commit("typescript: the test of a type is given the type", TYPES_PATH, TYPES, [
    "expectTypeOf(pay(1))",
    "expectTypeOf(pay(1) as number)",
  ]),
  commit("typescript: a pattern takes less", TYPES_PATH, TYPES, ["/sold as new/", "/sold/"]),
  commit("javascript: a helper on one line states nothing any more", SHORT_PATH, SHORT, [
    "function expectPay(r) { assert.equal(r, 3); }",
    "function expectPay(r) { }",
  ]),
  commit("rust: the values of a macro's test", MACRO_PATH, MACRO, [
    "test_pay!(three, 3, 3);",
    "test_pay!(three, 3, 4);",
  ]),
  commit("github: the same version twice", ".github/workflows/ci.yml", VERSIONS, ["[22.x, 24.x]", "[24.x, 24.x]"]),
  commit("github: an older version", ".github/workflows/ci.yml", VERSIONS, ["[22.x, 24.x]", "[4.x, 6.x]"]),
  {
    name: "github: a workflow that calls another one goes",
    changes: [
      {
        path: ".github/workflows/node.yml",
        before: "on: push\njobs:\n  all:\n    uses: org/ci/.github/workflows/node.yml@v1\n",
        after: null,
      },
    ],
  },
  commit(
    "eslint: a rule whose name begins with debug",
    "eslint.config.js",
    'export default [\n  {\n    rules: {\n      "no-debugger": "error",\n      "no-var": "error",\n    },\n  },\n];\n',
    ['"no-debugger": "error"', '"no-debugger": "off"'],
  ),
  {
    name: "ava: a stand-in is made by something else that is imported now",
    changes: [
      {
        path: GOT_PATH,
        before: GOT,
        after: edited(GOT, [
          'import got from "../source/index.js";',
          'import {stub} from "./stub.js";\n\nconst got = stub("ok");',
        ]),
      },
    ],
  },
  commit(
    "python: what a test states is put into a function that nobody calls",
    PY_PATH,
    PY,
    [
      '    assert app.get("/").text == "home"\n',
      '    @functools.cache\n    def later():\n        assert app.get("/").text == "home"\n',
    ],
    ["from shop import App\n", "import functools\n\nfrom shop import App\n"],
  ),
  {
    name: "javascript: a test is skipped where another of its name is skipped no more",
    changes: [
      { path: "a.test.js", before: SKIPPED, after: edited(SKIPPED, ["it.skip(", "it("]) },
      { path: "b.test.js", before: edited(SKIPPED, ["it.skip(", "it("]), after: SKIPPED },
    ],
  },
  commit("shell: fewer tests in a folder with a short name", "check.sh", "#!/bin/sh\nset -e\npytest tests/i\n", [
    "pytest tests/i",
    "pytest tests/i -k total",
  ]),
];

export const cheats: History[] = [
  ...forged,
  commit("java: another value", JAVA_PATH, JAVA, ["isEqualTo(Boolean.TRUE)", "isEqualTo(false)"]),
  commit("java: a value that is only not there", JAVA_PATH, JAVA, ["isEqualTo(Boolean.TRUE)", "isNotNull()"]),
  commit("elixir: one thing less is said of a file", EXS_PATH, EXS, ['      assert file =~ "/static/"\n', ""]),
  commit("ruby: a pattern that takes anything", RUBY_PATH, RUBY, ["/#{id}/", "/.*/"]),
  commit("typescript: what a test asks for stands under a condition", SERVER_PATH, SERVER, [
    "    expect(await ask(server)).toBe(200);\n",
    "    if (server.isOpen) {\n      expect(await ask(server)).toBe(200);\n    }\n",
  ]),
  commit("typescript: a test catches the failure of what it tests", SERVER_PATH, SERVER, [
    "    expect(await ask(server)).toBe(200);\n",
    "    try {\n      expect(await ask(server)).toBe(200);\n    } catch {}\n",
  ]),
  commit("github: fewer versions, and none in their place", ".github/workflows/ci.yml", VERSIONS, [
    "node-version: [22.x, 24.x]",
    "node-version: [26.x]",
  ]),
  commit("python: an assertion in brackets that wants something else", PLAIN_PATH, PLAIN, [
    "    assert out.getvalue() == expected\n",
    '    assert (\n        out.getvalue() != expected\n    ), "right"\n',
  ]),
  commit("typescript: a test ends before what it states", SHOP_PATH, SHOP, [
    "    await shop.open();\n",
    "    await shop.open();\n    return;\n",
  ]),
  commit("typescript: the second test of a name ends early, as the first always did in its callback", SHOP_PATH, SHOP, [
    "    expect(render(<Shop count={0} />).text)",
    "    return;\n    expect(render(<Shop count={0} />).text)",
  ]),
  commit("typescript: what is wanted is called of another type", SHOP_PATH, SHOP, [
    'toEqual(["Ada"])',
    "toEqual(expect.anything() as string[])",
  ]),
  commit("ava: true becomes false", AVA_PATH, AVA, ["t.is(options.isMerged, true)", "t.false(options.isMerged)"]),
  commit("rust: a test by a macro is kept from running", RUST_PATH, RUST, [
    "cmdtest!(finds_all",
    '#[cfg(feature = "never")]\ncmdtest!(finds_all',
  ]),
  {
    name: "ava: a stand-in takes the name of what is tested",
    changes: [
      {
        path: GOT_PATH,
        before: GOT,
        after: edited(GOT, [
          'import got from "../source/index.js";',
          'import {wait} from "../source/wait.js";\n\nconst got = async () => ({body: "ok"});',
        ]),
      },
    ],
  },
  {
    name: "github: the workflow that tests goes",
    changes: [{ path: ".github/workflows/ci.yml", before: WORKFLOW, after: null }],
  },
];
