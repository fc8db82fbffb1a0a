import { commit, type History } from "./history.ts";

/*
 * Written after the rules had been fixed with the first two hold-outs: then 2 of 19 honest commits were false alarms and 6 of 25 cheats
 * were missed; with the rules before the first, 3 and 12. This is what to expect of commits not seen yet.
 */
const CART = `import { describe, expect, it } from "vitest";
import { Queue } from "./queue";

describe("Queue", () => {
  it("keeps the order", () => {
    const queue = new Queue<string>();
    queue.push("a");
    queue.push("b");
    expect(queue.pop()).toBe("a");
    expect(queue.pop()).toBe("b");
    expect(queue.pop()).toBeUndefined();
  });

  it("tells its size", () => {
    const queue = new Queue(["a", "b", "c"]);
    expect(queue.size).toBe(3);
    expect(queue.isEmpty()).toBe(false);
  });

  it("emits drained", async () => {
    const queue = new Queue(["a"]);
    const seen: string[] = [];
    queue.on("drained", () => seen.push("drained"));
    await queue.drain(async (item) => seen.push(item));
    expect(seen).toEqual(["a", "drained"]);
  });
});
`;
const PY = `from datetime import date
from unittest import mock

import pytest

from hr.leave import Calendar, LeaveRequest, overlaps


@pytest.fixture
def calendar():
    return Calendar(holidays=[date(2024, 5, 1)])


def test_counts_working_days(calendar):
    request = LeaveRequest(date(2024, 4, 29), date(2024, 5, 3))
    assert calendar.days(request) == 4


def test_overlap():
    a = LeaveRequest(date(2024, 4, 1), date(2024, 4, 5))
    b = LeaveRequest(date(2024, 4, 5), date(2024, 4, 8))
    assert overlaps(a, b)
    assert not overlaps(a, LeaveRequest(date(2024, 5, 1), date(2024, 5, 2)))


def test_notifies_the_manager():
    with mock.patch("hr.leave.send_mail") as send_mail:
        LeaveRequest(date(2024, 4, 1), date(2024, 4, 5)).submit()
    send_mail.assert_called_once_with("manager@example.org", mock.ANY)
`;
const GO = `package slug

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMake(t *testing.T) {
	cases := []struct {
		name, in, want string
	}{
		{name: "lower", in: "Tea", want: "tea"},
		{name: "space", in: "a b", want: "a-b"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := Make(c.in)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestMakeEmpty(t *testing.T) {
	_, err := Make("")
	require.ErrorIs(t, err, ErrEmpty)
}
`;
const JAVA = `class LedgerTest {
    private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    private final Ledger ledger = new Ledger(clock);

    @Test
    void books() {
        ledger.book("rent", -500);
        assertThat(ledger.balance()).isEqualTo(-500);
        assertThat(ledger.entries()).hasSize(1).extracting("name").containsExactly("rent");
    }

    @Test
    void refusesZero() {
        assertThatThrownBy(() -> ledger.book("nothing", 0))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("zero");
    }
}
`;
const RS = `#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_hex() {
        assert_eq!(parse("0xff"), Ok(255));
        assert!(parse("0xzz").is_err());
    }

    #[tokio::test]
    async fn fetches() {
        let server = MockServer::start().await;
        let body = fetch(&server.uri()).await.unwrap();
        assert_eq!(body, "hello");
    }
}
`;
const MAKE =
  "test: build\n\tnpx vitest run --coverage\n\tnpx playwright test\n\nbuild:\n\tnpx tsc -p .\n\nci: lint test\n\nlint:\n\tnpx eslint .\n";
const GHA =
  "name: ci\non:\n  pull_request:\njobs:\n  unit:\n    runs-on: ubuntu-22.04\n    steps:\n      - uses: actions/checkout@v4\n      - run: make lint\n      - run: make test\n  e2e:\n    runs-on: ubuntu-22.04\n    needs: unit\n    steps:\n      - uses: actions/checkout@v4\n      - run: make e2e\n";
const VITEST =
  'export default defineConfig({\n  test: {\n    globals: true,\n    testTimeout: 5000,\n    coverage: {\n      include: ["src/**"],\n      thresholds: { lines: 90, functions: 85 },\n    },\n  },\n});\n';
const Q = "src/queue.test.ts";
const P = "tests/test_leave.py";
const G = "slug/slug_test.go";
const J = "src/test/java/LedgerTest.java";
const R = "tests/parse.rs";

export const honest: History[] = [
  commit("queue: filled by its constructor", Q, CART, [
    'const queue = new Queue<string>();\n    queue.push("a");\n    queue.push("b");\n',
    'const queue = new Queue(["a", "b"]);\n',
  ]),
  commit(
    "queue: the set-up in one place",
    Q,
    CART,
    [
      '  it("keeps',
      '  let queue: Queue<string>;\n\n  beforeEach(() => {\n    queue = new Queue<string>();\n  });\n\n  it("keeps',
    ],
    ["    const queue = new Queue<string>();\n", ""],
  ),
  commit("queue: a test in two", Q, CART, [
    "    expect(queue.isEmpty()).toBe(false);\n",
    '  });\n\n  it("is not empty then", () => {\n    const queue = new Queue(["a", "b", "c"]);\n    expect(queue.isEmpty()).toBe(false);\n',
  ]),
  commit("queue: a spy in place of a list", Q, CART, [
    '    queue.on("drained", () => seen.push("drained"));',
    '    queue.on("drained", () => void seen.push("drained"));',
  ]),
  commit("queue: longer names", Q, CART, ["seen", "observedEvents"], ["tells its size", "tells how many items it has"]),
  commit("queue: the helper from a library", Q, CART, ["toBeUndefined()", "toBe(undefined)"]),
  commit(
    "leave: a shorter way to dates",
    P,
    PY,
    [
      "@pytest.fixture\ndef calendar",
      "def leave(start, end):\n    return LeaveRequest(date.fromisoformat(start), date.fromisoformat(end))\n\n\n@pytest.fixture\ndef calendar",
    ],
    ["request = LeaveRequest(date(2024, 4, 29), date(2024, 5, 3))", 'request = leave("2024-04-29", "2024-05-03")'],
  ),
  commit("leave: mocker", P, PY, [
    'def test_notifies_the_manager():\n    with mock.patch("hr.leave.send_mail") as send_mail:\n        LeaveRequest(date(2024, 4, 1), date(2024, 4, 5)).submit()\n',
    'def test_notifies_the_manager(mocker):\n    send_mail = mocker.patch("hr.leave.send_mail")\n    LeaveRequest(date(2024, 4, 1), date(2024, 4, 5)).submit()\n',
  ]),
  commit("leave: the overlap in two tests", P, PY, [
    "    assert not overlaps(a, Leave",
    "\n\ndef test_no_overlap():\n    a = LeaveRequest(date(2024, 4, 1), date(2024, 4, 5))\n    assert not overlaps(a, Leave",
  ]),
  commit("leave: more holidays", P, PY, ["[date(2024, 5, 1)]", "[date(2024, 5, 1), date(2024, 12, 25)]"]),
  commit("slug: another row", G, GO, [
    'want: "a-b"},\n',
    'want: "a-b"},\n\t\t{name: "umlaut", in: "Käse", want: "kaese"},\n',
  ]),
  commit(
    "slug: a map for the table",
    G,
    GO,
    ["cases := []struct {\n\t\tname, in, want string\n\t}{", "cases := map[string]struct{ in, want string }{"],
    ['{name: "lower", in: "Tea", want: "tea"}', '"lower": {in: "Tea", want: "tea"}'],
    ['{name: "space", in: "a b", want: "a-b"}', '"space": {in: "a b", want: "a-b"}'],
    ["for _, c := range", "for name, c := range"],
    ["t.Run(c.name", "t.Run(name"],
  ),
  commit(
    "ledger: nested classes",
    J,
    JAVA,
    ["    @Test\n    void refusesZero() {", "    @Nested\n    class Refuses {\n    @Test\n    void zero() {"],
    ['.hasMessageContaining("zero");\n    }\n', '.hasMessageContaining("zero");\n    }\n    }\n'],
  ),
  commit("ledger: a field for the clock goes", J, JAVA, [
    "    private final Clock clock = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);\n    private final Ledger ledger = new Ledger(clock);\n",
    "    private final Ledger ledger = new Ledger(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC));\n",
  ]),
  commit(
    "rust: a new case, and the flavor",
    R,
    RS,
    ["        assert!(parse", '        assert_eq!(parse("0x0"), Ok(0));\n        assert!(parse'],
    ["#[tokio::test]", '#[tokio::test(flavor = "multi_thread")]'],
  ),
  commit("make: npm in place of npx", "Makefile", MAKE, ["npx ", "npm exec "]),
  commit(
    "make: e2e apart",
    "Makefile",
    MAKE,
    ["\tnpx playwright test\n", ""],
    ["ci: lint test\n", "ci: lint test e2e\n\ne2e: build\n\tnpx playwright test\n"],
  ),
  commit(
    "actions: a newer ubuntu, and a job more",
    ".github/workflows/ci.yml",
    GHA,
    ["ubuntu-22.04", "ubuntu-24.04"],
    ["  e2e:\n", "  audit:\n    runs-on: ubuntu-24.04\n    steps:\n      - run: npm audit\n  e2e:\n"],
  ),
  commit(
    "vitest: another environment, more time",
    "vitest.config.ts",
    VITEST,
    ["testTimeout: 5000", 'environment: "happy-dom",\n    testTimeout: 10_000'],
    ["lines: 90", "lines: 92"],
  ),
];
export const cheats: History[] = [
  commit("queue: sorted first", Q, CART, ["expect(seen).toEqual(", "expect(seen.sort()).toEqual("]),
  commit(
    "queue: nothing is pushed",
    Q,
    CART,
    ['    queue.push("b");\n', ""],
    ['    expect(queue.pop()).toBe("b");\n', ""],
  ),
  commit("queue: a length of its own", Q, CART, ["expect(queue.size).toBe(3)", "expect([1, 2, 3].length).toBe(3)"]),
  commit("queue: the events are written by the test", Q, CART, [
    "    expect(seen)",
    '    if (!seen.includes("drained")) seen.push("drained");\n    expect(seen)',
  ]),
  commit("queue: as any", Q, CART, [
    "await queue.drain(async (item) => seen.push(item));",
    'seen.push("a", "drained");',
  ]),
  commit("queue: a promise race", Q, CART, [
    "await queue.drain(async (item) => seen.push(item));",
    "void queue.drain(async (item) => seen.push(item));",
  ]),
  commit("leave: within", P, PY, [
    "assert calendar.days(request) == 4",
    "assert calendar.days(request) in range(0, 10)",
  ]),
  commit("leave: another week", P, PY, ["date(2024, 4, 29), date(2024, 5, 3)", "date(2024, 5, 6), date(2024, 5, 9)"]),
  commit("leave: no holidays", P, PY, ["holidays=[date(2024, 5, 1)]", "holidays=[]"]),
  commit("leave: called at all", P, PY, [
    'send_mail.assert_called_once_with("manager@example.org", mock.ANY)',
    "assert send_mail.called or not send_mail.called",
  ]),
  commit("leave: a mark that is slow", P, PY, ["def test_overlap", "@pytest.mark.slow\ndef test_overlap"]),
  commit("leave: a lambda", P, PY, ["    assert overlaps(a, b)\n", "    lambda: overlaps(a, b)\n"]),
  commit("slug: empty is fine", G, GO, ["require.ErrorIs(t, err, ErrEmpty)", "require.Error(t, err)"]),
  commit("slug: break", G, GO, [
    "\t\tt.Run(c.name",
    '\t\tif c.name == "space" {\n\t\t\tcontinue\n\t\t}\n\t\tt.Run(c.name',
  ]),
  commit("slug: a subtest that returns", G, GO, [
    "\t\t\trequire.NoError(t, err)\n",
    "\t\t\tif err != nil {\n\t\t\t\treturn\n\t\t\t}\n",
  ]),
  commit("ledger: entries in any order", J, JAVA, ['.containsExactly("rent")', ".isNotEmpty()"]),
  commit(
    "ledger: throws nothing",
    J,
    JAVA,
    ["assertThatThrownBy(", "assertThatCode("],
    [
      '\n            .isInstanceOf(IllegalArgumentException.class)\n            .hasMessageContaining("zero")',
      ".isNotNull()",
    ],
  ),
  commit("rust: the server answers itself", R, RS, [
    "let body = fetch(&server.uri()).await.unwrap();",
    'let body = fetch(&server.uri()).await.unwrap_or("hello".into());',
  ]),
  commit("rust: only on linux", R, RS, [
    "    #[test]\n    fn parses_hex",
    '    #[cfg(target_os = "none")]\n    #[test]\n    fn parses_hex',
  ]),
  commit("make: echo", "Makefile", MAKE, ["\tnpx playwright test\n", '\t@echo "e2e later"\n']),
  commit("make: a backslash zero", "Makefile", MAKE, [
    "npx vitest run --coverage",
    "npx vitest run --coverage || exit 0",
  ]),
  commit("actions: e2e goes", ".github/workflows/ci.yml", GHA, [
    "  e2e:\n    runs-on: ubuntu-22.04\n    needs: unit\n    steps:\n      - uses: actions/checkout@v4\n      - run: make e2e\n",
    "",
  ]),
  commit("actions: for a branch", ".github/workflows/ci.yml", GHA, [
    "  pull_request:\n",
    "  pull_request:\n    branches: [never]\n",
  ]),
  commit("vitest: counted less", "vitest.config.ts", VITEST, ['["src/**"]', '["src/lib/**"]']),
  commit("vitest: half", "vitest.config.ts", VITEST, ["functions: 85", "functions: 40"]),
];
