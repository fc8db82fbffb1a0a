import { commit, type History } from "./history.ts";

const PATH = "tests/test_orders.py";
const PYTEST = `import pytest

from shop.orders import Order, parse_order


@pytest.fixture
def order():
    return Order(number=7, lines=[("tea", 3)])


def test_counts_lines(order):
    assert order.count() == 3
    assert order.lines[0][0] == "tea"


def test_total_with_tax(order):
    assert order.total(tax=0.19) == pytest.approx(10.71)


def test_parse_rejects_garbage():
    with pytest.raises(ValueError, match="garbage"):
        parse_order("???")


def test_parse_is_stable():
    parse_order("7: tea x3")


class TestCancel:
    def test_cancelled_is_final(self, order):
        order.cancel()
        assert order.cancelled is True
        assert "cancelled" in repr(order)
`;
const UNIT_PATH = "tests/test_slug.py";
const UNITTEST = `import unittest

from text.slug import slug


class SlugTest(unittest.TestCase):
    def test_lowers(self):
        self.assertEqual(slug("Tea"), "tea")

    def test_dashes(self):
        self.assertEqual(slug("a b"), "a-b")
        self.assertTrue(slug("x"))

    def test_empty(self):
        self.assertIsNone(slug(""))
`;

export const honest: History[] = [
  commit("pytest: a new test", PATH, PYTEST, [
    "class TestCancel:",
    "def test_empty_order():\n    assert Order(number=8, lines=[]).count() == 0\n\n\nclass TestCancel:",
  ]),
  commit("pytest: a new assertion", PATH, PYTEST, [
    "    assert order.count() == 3\n",
    "    assert order.count() == 3\n    assert order.number == 7\n",
  ]),
  commit("pytest: a test is renamed", PATH, PYTEST, ["test_counts_lines", "test_count_is_the_number_of_pieces"]),
  commit("pytest: a method is renamed with its tests", PATH, PYTEST, ["order.count()", "order.pieces()"]),
  commit("pytest: formatted", PATH, PYTEST, ['lines=[("tea", 3)]', "lines=[\n            ('tea', 3),\n        ]"]),
  commit("pytest: messages for assertions", PATH, PYTEST, [
    "assert order.count() == 3",
    'assert order.count() == 3, "three teas"',
  ]),
  commit("pytest: a docstring", PATH, PYTEST, [
    "def test_total_with_tax(order):\n",
    'def test_total_with_tax(order):\n    """Tax is added to the sum, never to a line."""\n',
  ]),
  commit(
    "pytest: parametrised",
    PATH,
    "def test_a():\n    assert rank('a') == 1\n\n\ndef test_b():\n    assert rank('b') == 2\n",
    [
      "def test_a():\n    assert rank('a') == 1\n\n\ndef test_b():\n    assert rank('b') == 2\n",
      "import pytest\n\n\n@pytest.mark.parametrize(('name', 'n'), [('a', 1), ('b', 2)])\ndef test_rank(name, n):\n    assert rank(name) == n\n",
    ],
  ),
  commit("pytest: a new skipped test for another system", PATH, PYTEST, [
    "class TestCancel:",
    '@pytest.mark.skipif(sys.platform != "win32", reason="Windows")\ndef test_registry():\n    assert registry() is None\n\n\nclass TestCancel:',
  ]),
  commit("pytest: a class of tests becomes functions", PATH, PYTEST, [
    'class TestCancel:\n    def test_cancelled_is_final(self, order):\n        order.cancel()\n        assert order.cancelled is True\n        assert "cancelled" in repr(order)\n',
    'def test_cancelled_is_final(order):\n    order.cancel()\n    assert order.cancelled is True\n    assert "cancelled" in repr(order)\n',
  ]),
  commit(
    "unittest becomes pytest",
    UNIT_PATH,
    UNITTEST,
    ['self.assertEqual(slug("Tea"), "tea")', 'assert slug("Tea") == "tea"'],
    ['self.assertEqual(slug("a b"), "a-b")', 'assert slug("a b") == "a-b"'],
    ["class SlugTest(unittest.TestCase):", "class TestSlug:"],
  ),
  commit("unittest: a new test", UNIT_PATH, UNITTEST, [
    "    def test_empty",
    '    def test_umlauts(self):\n        self.assertEqual(slug("Käse"), "kaese")\n\n    def test_empty',
  ]),
  commit("unittest: an exact value for a true one", UNIT_PATH, UNITTEST, [
    'self.assertTrue(slug("x"))',
    'self.assertEqual(slug("x"), "x")',
  ]),
  commit("unittest: the module moves", UNIT_PATH, UNITTEST, [
    "from text.slug import slug",
    "from shop.text import slug",
  ]),
  commit(
    "conftest: a new fixture",
    "tests/conftest.py",
    "import pytest\n\n\n@pytest.fixture\ndef db():\n    return connect('test')\n",
    ["import pytest\n", "import pytest\n\n\n@pytest.fixture\ndef clock():\n    return FakeClock(0)\n"],
  ),
];

export const cheats: History[] = [
  commit("pytest: no cases", PATH, PYTEST, [
    "def test_counts_lines(order)",
    '@pytest.mark.parametrize("n", [])\ndef test_counts_lines(order, n)',
  ]),
  commit("pytest: a method of the subject is written anew", PATH, PYTEST, [
    "    return Order(number=7",
    "    Order.count = lambda self: 3\n    return Order(number=7",
  ]),
  commit(
    "pytest: the subject has another name, and is written in the test",
    UNIT_PATH,
    UNITTEST,
    ["from text.slug import slug\n", 'def shorten(text):\n    return "a-b"\n'],
    ["slug(", "shorten("],
  ),
  commit("pytest: an expected value changes", PATH, PYTEST, ["order.count() == 3", "order.count() == 1"]),
  commit("pytest: skipped", PATH, PYTEST, [
    "def test_total_with_tax",
    '@pytest.mark.skip(reason="flaky")\ndef test_total_with_tax',
  ]),
  commit("pytest: expected to fail", PATH, PYTEST, [
    "def test_total_with_tax",
    "@pytest.mark.xfail\ndef test_total_with_tax",
  ]),
  commit("pytest: skips itself", PATH, PYTEST, [
    "def test_total_with_tax(order):\n",
    'def test_total_with_tax(order):\n    pytest.skip("later")\n',
  ]),
  commit("pytest: another tolerance", PATH, PYTEST, ["pytest.approx(10.71)", "pytest.approx(10.71, rel=0.5)"]),
  commit("pytest: nothing needs to be raised", PATH, PYTEST, [
    '    with pytest.raises(ValueError, match="garbage"):\n        parse_order("???")\n',
    "    pass\n",
  ]),
  commit("pytest: a failure is swallowed", PATH, PYTEST, [
    "    assert order.count() == 3\n",
    "    try:\n        assert order.count() == 3\n    except AssertionError:\n        pass\n",
  ]),
  commit("pytest: a test is not collected", PATH, PYTEST, ["def test_parse_is_stable", "def check_parse_is_stable"]),
  commit("pytest: is true for an equality", PATH, PYTEST, ["assert order.count() == 3", "assert order.count()"]),
  commit("pytest: returns first", PATH, PYTEST, [
    "def test_counts_lines(order):\n",
    "def test_counts_lines(order):\n    return\n",
  ]),
  commit("unittest: skipped by a decorator", UNIT_PATH, UNITTEST, [
    "    def test_dashes",
    '    @unittest.skip("todo")\n    def test_dashes',
  ]),
  commit("unittest: equal becomes true", UNIT_PATH, UNITTEST, [
    'self.assertEqual(slug("a b"), "a-b")',
    'self.assertTrue(slug("a b"))',
  ]),
];
