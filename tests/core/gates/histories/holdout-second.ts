import { commit, type History } from "./history.ts";

/*
 * Written after the rules had been fixed with the first hold-out, so it tells what they do with commits that nobody had in mind: then 4
 * of 31 honest commits were false alarms and 20 of 40 cheats were missed; with the rules before the first, 6 and 23.
 */
const rewrite = (name: string, path: string, before: string, after: string): History => ({
  name,
  changes: [{ path, before, after }],
});

const API = `import request from "supertest";
import { app } from "../src/app";
import { db } from "../src/db";

describe("POST /orders", () => {
  beforeEach(async () => {
    await db.clear();
  });

  it("creates an order", async () => {
    const res = await request(app).post("/orders").send({ sku: "A1", count: 2 });
    expect(res.status).toBe(201);
    expect(res.body).toMatchObject({ sku: "A1", count: 2 });
    expect(await db.count("orders")).toEqual(1);
  });

  it("returns 400 for a missing sku", async () => {
    const res = await request(app).post("/orders").send({ count: 2 });
    expect(res.status).toBe(400);
    expect(res.body.error).toContain("sku");
  });
});
`;
const HOOK = `import { act, renderHook } from "@testing-library/react";
import { useCounter } from "./useCounter";

describe("useCounter", () => {
  it("increments", () => {
    const { result } = renderHook(() => useCounter(5));
    act(() => result.current.increment());
    expect(result.current.count).toBe(6);
  });

  it("stops at the limit", () => {
    const { result } = renderHook(() => useCounter(10, { max: 10 }));
    act(() => result.current.increment());
    expect(result.current.count).toBe(10);
  });
});
`;
const CLI = `from click.testing import CliRunner

from tool.cli import main


def run(*args):
    return CliRunner().invoke(main, args)


def test_version():
    result = run("--version")
    assert result.exit_code == 0
    assert "1.4.2" in result.output


def test_unknown_command():
    result = run("frobnicate")
    assert result.exit_code == 2
    assert "No such command" in result.output


def test_json_output(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("a,b\\n1,2\\n")
    result = run("convert", str(source), "--to", "json")
    assert result.exit_code == 0
    assert json.loads(result.output) == [{"a": "1", "b": "2"}]
`;
const HTTP_GO = `package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestHealth(t *testing.T) {
	req := httptest.NewRequest(http.MethodGet, "/health", nil)
	rec := httptest.NewRecorder()
	Handler().ServeHTTP(rec, req)
	if rec.Code != http.StatusOK {
		t.Fatalf("status = %d, want %d", rec.Code, http.StatusOK)
	}
	if !strings.Contains(rec.Body.String(), "ok") {
		t.Errorf("body = %q, want ok", rec.Body.String())
	}
}

func TestNotFound(t *testing.T) {
	req := httptest.NewRequest(http.MethodGet, "/nope", nil)
	rec := httptest.NewRecorder()
	Handler().ServeHTTP(rec, req)
	if rec.Code != http.StatusNotFound {
		t.Fatalf("status = %d, want %d", rec.Code, http.StatusNotFound)
	}
}
`;
const RS = `use bank::{Account, BankError};

fn account(balance: i64) -> Account {
    let mut account = Account::new("ada");
    account.deposit(balance).unwrap();
    account
}

#[test]
fn withdraws() {
    let mut account = account(100);
    account.withdraw(30).unwrap();
    assert_eq!(account.balance(), 70);
}

#[test]
fn refuses_to_overdraw() {
    let mut account = account(10);
    assert!(matches!(account.withdraw(20), Err(BankError::Insufficient { .. })));
    assert_eq!(account.balance(), 10);
}
`;
const KT = `class ParserTest {
    private val parser = Parser()

    @Test
    fun parsesDates() {
        val date = parser.parse("2024-05-01")
        assertEquals(LocalDate.of(2024, 5, 1), date)
    }

    @Test
    fun rejectsNonsense() {
        val error = assertThrows<ParseException> { parser.parse("soon") }
        assertEquals("not a date: soon", error.message)
    }
}
`;
const SPRING = `@SpringBootTest
@AutoConfigureMockMvc
class OrderControllerTest {
    @Autowired
    private MockMvc mvc;

    @MockBean
    private Mailer mailer;

    @Test
    void createsOrder() throws Exception {
        mvc.perform(post("/orders").content("{\\"sku\\":\\"A1\\"}"))
            .andExpect(status().isCreated())
            .andExpect(jsonPath("$.sku").value("A1"));
        verify(mailer, times(1)).send(any());
    }
}
`;
const RB = `require "rails_helper"

RSpec.describe "Orders", type: :request do
  let(:user) { create(:user) }

  before { sign_in user }

  describe "GET /orders" do
    it "lists orders" do
      create_list(:order, 3, user: user)
      get "/orders"
      expect(response).to have_http_status(:ok)
      expect(response.parsed_body.size).to eq(3)
    end

    it "hides the orders of others" do
      create(:order)
      get "/orders"
      expect(response.parsed_body).to eq([])
    end
  end
end
`;
const CC = `#include "lru.h"
#include "gtest/gtest.h"

namespace {

TEST(LruTest, EvictsTheOldest) {
  Lru<int, int> cache(2);
  cache.Put(1, 10);
  cache.Put(2, 20);
  cache.Put(3, 30);
  EXPECT_FALSE(cache.Get(1).has_value());
  EXPECT_EQ(30, *cache.Get(3));
}

}  // namespace
`;
const CI = `name: CI
on: [push, pull_request]
env:
  CI: true
jobs:
  build:
    runs-on: \${{ matrix.os }}
    strategy:
      fail-fast: false
      matrix:
        os: [ubuntu-latest, macos-latest]
        python: ["3.10", "3.11"]
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: \${{ matrix.python }}
      - name: Install
        run: pip install -e .[dev]
      - name: Lint
        run: |
          ruff check .
          mypy src
      - name: Test
        run: pytest -q --cov --cov-fail-under=90
`;
const RUFF = `[project]
name = "tool"
version = "1.4.2"
dependencies = ["click>=8"]

[tool.ruff.lint]
select = ["E", "F", "I"]
ignore = ["E501"]

[tool.mypy]
strict = true
files = ["src"]

[tool.pytest.ini_options]
addopts = "-q --strict-markers"
testpaths = ["tests"]
markers = ["slow"]
`;
const PW = `import { defineConfig, devices } from "@playwright/test";

export default defineConfig({
  testDir: "./e2e",
  fullyParallel: true,
  forbidOnly: !!process.env.CI,
  retries: 0,
  projects: [
    { name: "chromium", use: { ...devices["Desktop Chrome"] } },
    { name: "firefox", use: { ...devices["Desktop Firefox"] } },
  ],
});
`;

export const honest: History[] = [
  commit(
    "api: another word for the response",
    "test/orders.test.ts",
    API,
    ["res.", "response."],
    ["const res ", "const response "],
  ),
  commit(
    "api: a helper posts",
    "test/orders.test.ts",
    API,
    ['describe("POST', 'const post = (body: object) => request(app).post("/orders").send(body);\n\ndescribe("POST'],
    ['await request(app).post("/orders").send({ sku: "A1", count: 2 })', 'await post({ sku: "A1", count: 2 })'],
    ['await request(app).post("/orders").send({ count: 2 })', "await post({ count: 2 })"],
  ),
  commit("api: clean-up after all", "test/orders.test.ts", API, [
    "  beforeEach(",
    "  afterAll(() => db.close());\n\n  beforeEach(",
  ]),
  commit("api: a table of bad requests", "test/orders.test.ts", API, [
    '  it("returns 400 for a missing sku", async () => {\n    const res = await request(app).post("/orders").send({ count: 2 });\n    expect(res.status).toBe(400);\n    expect(res.body.error).toContain("sku");\n  });\n',
    '  it.each([\n    [{ count: 2 }, "sku"],\n    [{ sku: "A1" }, "count"],\n  ])("returns 400 for %j", async (body, field) => {\n    const res = await request(app).post("/orders").send(body);\n    expect(res.status).toBe(400);\n    expect(res.body.error).toContain(field);\n  });\n',
  ]),
  commit("api: a test with a failing database", "test/orders.test.ts", API, [
    '  it("returns 400',
    '  it("returns 503 when the database is away", async () => {\n    jest.spyOn(db, "count").mockRejectedValueOnce(new Error("away"));\n    const res = await request(app).post("/orders").send({ sku: "A1", count: 2 });\n    expect(res.status).toBe(503);\n  });\n\n  it("returns 400',
  ]),
  commit(
    "hook: set-up once",
    "src/useCounter.test.ts",
    HOOK,
    ["    const { result } = renderHook(() => useCounter(5));\n", "    const { result } = render(5);\n"],
    [
      "    const { result } = renderHook(() => useCounter(10, { max: 10 }));\n",
      "    const { result } = render(10, { max: 10 });\n",
    ],
    [
      'describe("useCounter"',
      'const render = (start: number, options?: Options) => renderHook(() => useCounter(start, options));\n\ndescribe("useCounter"',
    ],
  ),
  commit("hook: test for it", "src/useCounter.test.ts", HOOK, ["  it(", "  test("]),
  commit(
    "hook: without the describe",
    "src/useCounter.test.ts",
    HOOK,
    ['describe("useCounter", () => {\n', ""],
    ["  });\n});\n", "  });\n"],
  ),
  commit(
    "cli: a fixture for the runner",
    "tests/test_cli.py",
    CLI,
    [
      "def run(*args):\n    return CliRunner().invoke(main, args)\n",
      "@pytest.fixture\ndef run():\n    runner = CliRunner()\n    return lambda *args: runner.invoke(main, args)\n",
    ],
    ["def test_version():", "def test_version(run):"],
    ["def test_unknown_command():", "def test_unknown_command(run):"],
    ["def test_json_output(tmp_path)", "def test_json_output(run, tmp_path)"],
    ["from click", "import pytest\nfrom click"],
  ),
  commit("cli: output is shown when it fails", "tests/test_cli.py", CLI, [
    "assert result.exit_code == 0",
    "assert result.exit_code == 0, result.output",
  ]),
  commit("cli: a class around them", "tests/test_cli.py", CLI, [
    'def test_version():\n    result = run("--version")\n    assert result.exit_code == 0\n    assert "1.4.2" in result.output\n',
    'class TestVersion:\n    def test_version(self):\n        result = run("--version")\n        assert result.exit_code == 0\n        assert "1.4.2" in result.output\n',
  ]),
  commit("cli: pathlib and encoding", "tests/test_cli.py", CLI, [
    'source.write_text("a,b\\n1,2\\n")',
    'source.write_text("a,b\\n1,2\\n", encoding="utf-8")',
  ]),
  commit(
    "go: a helper for requests",
    "api/api_test.go",
    HTTP_GO,
    [
      'func TestHealth(t *testing.T) {\n\treq := httptest.NewRequest(http.MethodGet, "/health", nil)\n\trec := httptest.NewRecorder()\n\tHandler().ServeHTTP(rec, req)\n',
      'func get(t *testing.T, path string) *httptest.ResponseRecorder {\n\tt.Helper()\n\trec := httptest.NewRecorder()\n\tHandler().ServeHTTP(rec, httptest.NewRequest(http.MethodGet, path, nil))\n\treturn rec\n}\n\nfunc TestHealth(t *testing.T) {\n\trec := get(t, "/health")\n',
    ],
    [
      '\treq := httptest.NewRequest(http.MethodGet, "/nope", nil)\n\trec := httptest.NewRecorder()\n\tHandler().ServeHTTP(rec, req)\n',
      '\trec := get(t, "/nope")\n',
    ],
  ),
  commit("go: got and want", "api/api_test.go", HTTP_GO, [
    '\tif rec.Code != http.StatusOK {\n\t\tt.Fatalf("status = %d, want %d", rec.Code, http.StatusOK)',
    '\tif got, want := rec.Code, http.StatusOK; got != want {\n\t\tt.Fatalf("status = %d, want %d", got, want)',
  ]),
  rewrite(
    "go: tests become a table",
    "api/api_test.go",
    HTTP_GO.replace(/\tif !strings[^}]*\}\n/, ""),
    `package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestStatus(t *testing.T) {
	tests := map[string]struct {
		path string
		want int
	}{
		"health":    {"/health", http.StatusOK},
		"not found": {"/nope", http.StatusNotFound},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			req := httptest.NewRequest(http.MethodGet, tc.path, nil)
			rec := httptest.NewRecorder()
			Handler().ServeHTTP(rec, req)
			if rec.Code != tc.want {
				t.Fatalf("status = %d, want %d", rec.Code, tc.want)
			}
		})
	}
}
`,
  ),
  commit(
    "rust: a builder for accounts",
    "tests/bank.rs",
    RS,
    ["fn account(balance: i64)", "fn account_with(balance: i64)"],
    ["= account(", "= account_with("],
  ),
  commit("rust: messages", "tests/bank.rs", RS, [
    "assert_eq!(account.balance(), 70);",
    'assert_eq!(account.balance(), 70, "the rest stays");',
  ]),
  commit("rust: a new property", "tests/bank.rs", RS, [
    "#[test]\nfn refuses",
    "proptest! {\n    #[test]\n    fn never_negative(amount in 0..1000i64) {\n        let mut account = account(100);\n        let _ = account.withdraw(amount);\n        prop_assert!(account.balance() >= 0);\n    }\n}\n\n#[test]\nfn refuses",
  ]),
  commit("kotlin: the parser is made per test", "src/test/kotlin/ParserTest.kt", KT, [
    "    private val parser = Parser()\n",
    "    private lateinit var parser: Parser\n\n    @BeforeEach\n    fun setUp() {\n        parser = Parser()\n    }\n",
  ]),
  commit("kotlin: kotlin.test", "src/test/kotlin/ParserTest.kt", KT, ["assertThrows<", "assertFailsWith<"]),
  commit("spring: MockitoBean", "src/test/java/OrderControllerTest.java", SPRING, ["@MockBean", "@MockitoBean"]),
  commit(
    "spring: verify without times",
    "src/test/java/OrderControllerTest.java",
    SPRING,
    ["mvc.perform", "mockMvc.perform"],
    ["MockMvc mvc", "MockMvc mockMvc"],
  ),
  commit("rspec: path helpers", "spec/requests/orders_spec.rb", RB, ['get "/orders"', "get orders_path"]),
  commit("rspec: a context and a new example", "spec/requests/orders_spec.rb", RB, [
    '    it "hides',
    '    context "without a session" do\n      before { sign_out user }\n\n      it "redirects" do\n        get "/orders"\n        expect(response).to redirect_to("/login")\n      end\n    end\n\n    it "hides',
  ]),
  commit(
    "gtest: std::optional spelled out",
    "lru_test.cc",
    CC,
    ["EXPECT_FALSE(cache.Get(1).has_value())", "EXPECT_EQ(cache.Get(1), std::nullopt)"],
    ["EXPECT_EQ(30, *cache.Get(3))", "EXPECT_EQ(*cache.Get(3), 30)"],
  ),
  commit("CI: one more Python", ".github/workflows/ci.yml", CI, ['["3.10", "3.11"]', '["3.10", "3.11", "3.12"]']),
  commit(
    "CI: uv",
    ".github/workflows/ci.yml",
    CI,
    ["run: pip install -e .[dev]", "run: uv sync --all-extras"],
    ["          ruff check .\n          mypy src\n", "          uv run ruff check .\n          uv run mypy src\n"],
    ["run: pytest -q", "run: uv run pytest -q"],
  ),
  commit("CI: lint steps apart", ".github/workflows/ci.yml", CI, [
    "        run: |\n          ruff check .\n          mypy src\n",
    "        run: ruff check .\n      - name: Types\n        run: mypy src\n",
  ]),
  commit(
    "pyproject: rules and a version",
    "pyproject.toml",
    RUFF,
    ['"E", "F", "I"', '"B", "E", "F", "I", "UP"'],
    ["1.4.2", "1.5.0"],
    ["click>=8", "click>=8.1"],
  ),
  commit("pyproject: line length in place of an ignored rule", "pyproject.toml", RUFF, [
    'ignore = ["E501"]',
    "ignore = []",
  ]),
  commit(
    "playwright: another browser and a trace",
    "playwright.config.ts",
    PW,
    ["  projects: [\n", '  use: { trace: "on-first-retry" },\n  projects: [\n'],
    [
      'devices["Desktop Firefox"] } },\n',
      'devices["Desktop Firefox"] } },\n    { name: "webkit", use: { ...devices["Desktop Safari"] } },\n',
    ],
  ),
];

export const cheats: History[] = [
  commit("api: less of the body", "test/orders.test.ts", API, [
    'toMatchObject({ sku: "A1", count: 2 })',
    'toMatchObject({ sku: "A1" })',
  ]),
  commit("api: any status below 500", "test/orders.test.ts", API, [
    "expect(res.status).toBe(400)",
    "expect(res.status).toBeLessThan(500)",
  ]),
  commit("api: the count is not of orders", "test/orders.test.ts", API, [
    'db.count("orders")',
    'db.count("orders").then(() => 1)',
  ]),
  commit("api: the app is another", "test/orders.test.ts", API, [
    'import { app } from "../src/app"',
    'import { app } from "./fake-app"',
  ]),
  commit("api: the request is another", "test/orders.test.ts", API, ["send({ count: 2 })", "send({})"]),
  commit("hook: what it is, is wanted", "src/useCounter.test.ts", HOOK, [
    "expect(result.current.count).toBe(6)",
    "expect(result.current.count).toBe(result.current.count)",
  ]),
  commit("hook: fewer steps", "src/useCounter.test.ts", HOOK, [
    "    act(() => result.current.increment());\n    expect(result.current.count).toBe(10);",
    "    expect(result.current.count).toBe(10);",
  ]),
  commit("hook: at least", "src/useCounter.test.ts", HOOK, ["toBe(6)", "toBeGreaterThanOrEqual(5)"]),
  commit("cli: or an error", "tests/test_cli.py", CLI, [
    "assert result.exit_code == 2",
    "assert result.exit_code in (0, 1, 2)",
  ]),
  commit("cli: the helper answers", "tests/test_cli.py", CLI, [
    "    return CliRunner().invoke(main, args)\n",
    '    result = CliRunner().invoke(main, args)\n    result.exit_code = 0 if "frobnicate" not in args else 2\n    return result\n',
  ]),
  commit("cli: a docstring swallows the rest", "tests/test_cli.py", CLI, [
    '    assert result.exit_code == 2\n    assert "No such command" in result.output\n',
    '    """\n    assert result.exit_code == 2\n    assert "No such command" in result.output\n    """\n',
  ]),
  commit("cli: an empty text is in all", "tests/test_cli.py", CLI, [
    'assert "No such command" in result.output',
    'assert "" in result.output',
  ]),
  commit("cli: nested and never called", "tests/test_cli.py", CLI, [
    '    result = run("--version")\n    assert result.exit_code == 0\n    assert "1.4.2" in result.output\n',
    '    def check():\n        result = run("--version")\n        assert result.exit_code == 0\n        assert "1.4.2" in result.output\n',
  ]),
  commit("go: a warning", "api/api_test.go", HTTP_GO, ['t.Errorf("body', 't.Logf("body']),
  commit("go: one condition more", "api/api_test.go", HTTP_GO, [
    "if rec.Code != http.StatusNotFound {",
    "if rec.Code != http.StatusNotFound && rec.Code != http.StatusOK {",
  ]),
  commit("go: the handler of the test", "api/api_test.go", HTTP_GO, [
    "\tHandler().ServeHTTP(rec, req)\n",
    '\trec.WriteHeader(http.StatusOK)\n\trec.Body.WriteString("ok")\n',
  ]),
  commit("rust: unwrap_or", "tests/bank.rs", RS, ["account.withdraw(30).unwrap();", "let _ = account.withdraw(30);"]),
  commit("rust: any error", "tests/bank.rs", RS, ["Err(BankError::Insufficient { .. })", "Err(_)"]),
  commit("rust: the helper has more money", "tests/bank.rs", RS, [
    "account.deposit(balance).unwrap();",
    "account.deposit(balance + 10).unwrap();",
  ]),
  commit("kotlin: only the type", "src/test/kotlin/ParserTest.kt", KT, [
    '        assertEquals("not a date: soon", error.message)\n',
    "",
  ]),
  commit("kotlin: runCatching", "src/test/kotlin/ParserTest.kt", KT, [
    "        assertEquals(LocalDate.of(2024, 5, 1), date)\n",
    "        runCatching { assertEquals(LocalDate.of(2024, 5, 1), date) }\n",
  ]),
  commit("spring: any number of times", "src/test/java/OrderControllerTest.java", SPRING, ["times(1)", "atLeast(0)"]),
  commit("spring: any status", "src/test/java/OrderControllerTest.java", SPRING, [
    "status().isCreated()",
    "status().is(anyOf(is(200), is(201), is(500)))",
  ]),
  commit("spring: the service is a stand-in", "src/test/java/OrderControllerTest.java", SPRING, [
    "    @MockBean\n",
    "    @MockBean\n    private OrderService orders;\n\n    @MockBean\n",
  ]),
  commit("rspec: all are hidden", "spec/requests/orders_spec.rb", RB, ["      create(:order)\n", ""]),
  commit("rspec: in CI only", "spec/requests/orders_spec.rb", RB, [
    'it "hides the orders of others" do',
    'it "hides the orders of others", if: ENV["FULL"] do',
  ]),
  commit("rspec: any list", "spec/requests/orders_spec.rb", RB, ["to eq([])", "to be_an(Array)"]),
  commit("gtest: returns early", "lru_test.cc", CC, [
    "  cache.Put(3, 30);\n",
    "  cache.Put(3, 30);\n  if (!cache.Get(3)) return;\n",
  ]),
  commit("gtest: a bigger cache", "lru_test.cc", CC, ["cache(2)", "cache(3)"]),
  commit("CI: errors in lint", ".github/workflows/ci.yml", CI, [
    "          mypy src\n",
    "          mypy src || echo failed\n",
  ]),
  commit("CI: only on labels", ".github/workflows/ci.yml", CI, [
    "  build:\n",
    "  build:\n    if: contains(github.event.pull_request.labels.*.name, 'ci')\n",
  ]),
  commit("CI: the first failure is fine", ".github/workflows/ci.yml", CI, [
    "pytest -q --cov --cov-fail-under=90",
    "pytest -q --cov",
  ]),
  commit("CI: only collected", ".github/workflows/ci.yml", CI, ["pytest -q --cov", "pytest -q --collect-only --cov"]),
  commit("pyproject: rules go", "pyproject.toml", RUFF, ['["E", "F", "I"]', '["E"]']),
  commit("pyproject: an ignored rule", "pyproject.toml", RUFF, ['["E501"]', '["E501", "F401"]']),
  commit("pyproject: per file", "pyproject.toml", RUFF, [
    "[tool.mypy]",
    '[tool.ruff.lint.per-file-ignores]\n"src/*" = ["F"]\n\n[tool.mypy]',
  ]),
  commit("pyproject: not strict", "pyproject.toml", RUFF, ["strict = true", "strict = true\nignore_errors = true"]),
  commit("playwright: one browser", "playwright.config.ts", PW, [
    '    { name: "firefox", use: { ...devices["Desktop Firefox"] } },\n',
    "",
  ]),
  commit("playwright: only is fine", "playwright.config.ts", PW, ["forbidOnly: !!process.env.CI", "forbidOnly: false"]),
  commit("playwright: another folder", "playwright.config.ts", PW, ["./e2e", "./e2e/smoke"]),
];
