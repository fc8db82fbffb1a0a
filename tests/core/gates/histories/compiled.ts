import { commit, type History } from "./history.ts";

const GO_PATH = "cart/cart_test.go";
const GO = `package cart

import "testing"

func TestTotal(t *testing.T) {
	c := New("EUR")
	c.Add("A1", 250, 2)
	if got := c.Total(); got != 500 {
		t.Errorf("Total() = %d, want 500", got)
	}
}

func TestAddRefusesZero(t *testing.T) {
	if err := New("EUR").Add("A1", 250, 0); err == nil {
		t.Fatal("no error")
	}
}

func TestTable(t *testing.T) {
	tests := []struct {
		name string
		in   int
		want int
	}{
		{"zero", 0, 0},
		{"one", 1, 100},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, Cents(tt.in))
		})
	}
}
`;
const RUST_PATH = "tests/parse.rs";
const RUST = `use shop::parse;

#[test]
fn parses_a_pair() {
    assert_eq!(parse("a=1").unwrap(), vec![("a", "1")]);
}

#[test]
#[should_panic(expected = "malformed")]
fn panics_on_garbage() {
    parse("%").unwrap();
}

#[test]
fn is_fast_enough() {
    let result = parse(&"x".repeat(1000));
    assert!(result.is_ok());
}
`;
const JAVA_PATH = "src/test/java/shop/CartTest.java";
const JAVA = `package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class CartTest {
    @Test
    void sumsItems() {
        Cart cart = new Cart("EUR");
        cart.add("A1", 250, 2);
        assertEquals(500, cart.total());
        assertEquals("EUR", cart.currency());
    }

    @Test
    void refusesZero() {
        assertThrows(IllegalArgumentException.class, () -> new Cart("EUR").add("A1", 250, 0));
    }
}
`;
const CS_PATH = "Shop.Tests/CartTests.cs";
const CS = `using Xunit;

public class CartTests
{
    [Fact]
    public void SumsItems()
    {
        var cart = new Cart("EUR");
        cart.Add("A1", 250, 2);
        Assert.Equal(500, cart.Total);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(-1)]
    public void RefusesCounts(int count)
    {
        Assert.Throws<ArgumentException>(() => new Cart("EUR").Add("A1", 250, count));
    }
}
`;

export const honest: History[] = [
  commit("go: a new test", GO_PATH, GO, [
    "func TestTable",
    'func TestEmpty(t *testing.T) {\n\tif got := New("EUR").Total(); got != 0 {\n\t\tt.Errorf("Total() = %d, want 0", got)\n\t}\n}\n\nfunc TestTable',
  ]),
  commit("go: a new case", GO_PATH, GO, [
    '\t\t{"one", 1, 100},\n',
    '\t\t{"one", 1, 100},\n\t\t{"negative", -1, -100},\n',
  ]),
  commit("go: a test is renamed", GO_PATH, GO, ["func TestTotal(", "func TestCartTotal("]),
  commit("go: a method is renamed", GO_PATH, GO, ["c.Total()", "c.Sum()"], ["Total() =", "Sum() ="]),
  commit("go: parallel", GO_PATH, GO, [
    "func TestTotal(t *testing.T) {\n",
    "func TestTotal(t *testing.T) {\n\tt.Parallel()\n",
  ]),
  commit("go: a main that hands the result on", GO_PATH, GO, [
    "func TestTotal(",
    "func TestMain(m *testing.M) {\n\tsetUp()\n\tos.Exit(m.Run())\n}\n\nfunc TestTotal(",
  ]),
  commit("java: a check that several calls share", JAVA_PATH, JAVA, [
    "        assertEquals(500, cart.total());",
    "        IntConsumer holds = sum -> assertEquals(sum, cart.total());\n        holds.accept(500);\n        assertEquals(500, cart.total());",
  ]),
  commit("go: a helper is marked as one", GO_PATH, GO, ['\tc := New("EUR")\n', '\tt.Helper()\n\tc := New("EUR")\n']),
  commit("go: comments", GO_PATH, GO, ["func TestTable", "// TestTable covers Cents.\nfunc TestTable"]),
  commit("rust: a new test", RUST_PATH, RUST, [
    "#[test]\nfn is_fast_enough",
    '#[test]\nfn parses_nothing() {\n    assert!(parse("").unwrap().is_empty());\n}\n\n#[test]\nfn is_fast_enough',
  ]),
  commit("rust: a test is renamed", RUST_PATH, RUST, ["fn parses_a_pair", "fn one_pair_is_parsed"]),
  commit("rust: formatted", RUST_PATH, RUST, [
    'assert_eq!(parse("a=1").unwrap(), vec![("a", "1")]);',
    'assert_eq!(\n        parse("a=1").unwrap(),\n        vec![("a", "1")],\n    );',
  ]),
  commit(
    "rust: the function is renamed",
    RUST_PATH,
    RUST,
    ["parse(", "parse_query("],
    ["shop::parse;", "shop::parse_query;"],
  ),
  commit("rust: async tests", RUST_PATH, RUST, [
    "#[test]\nfn is_fast_enough() {",
    "#[tokio::test]\nasync fn is_fast_enough() {",
  ]),
  commit("java: a new test", JAVA_PATH, JAVA, [
    "    @Test\n    void refusesZero",
    '    @Test\n    void isEmptyAtFirst() {\n        assertEquals(0, new Cart("EUR").total());\n    }\n\n    @Test\n    void refusesZero',
  ]),
  commit("java: a display name", JAVA_PATH, JAVA, [
    "    @Test\n    void sumsItems",
    '    @Test\n    @DisplayName("sums all items")\n    void sumsItems',
  ]),
  commit(
    "java: a class is renamed",
    JAVA_PATH,
    JAVA,
    ["Cart cart = new Cart(", "Basket basket = new Basket("],
    ["cart.add", "basket.add"],
    ["cart.total", "basket.total"],
    ["cart.currency", "basket.currency"],
    ["new Cart(", "new Basket("],
  ),
  commit("java: an import with a star", JAVA_PATH, JAVA, [
    "import static org.junit.jupiter.api.Assertions.assertEquals;\nimport static org.junit.jupiter.api.Assertions.assertThrows;",
    "import static org.junit.jupiter.api.Assertions.*;",
  ]),
  commit("java: an assertion more", JAVA_PATH, JAVA, [
    'assertEquals("EUR", cart.currency());',
    'assertEquals("EUR", cart.currency());\n        assertEquals(1, cart.lines());',
  ]),
  commit("c#: a new case", CS_PATH, CS, [
    "    [InlineData(-1)]\n",
    "    [InlineData(-1)]\n    [InlineData(int.MinValue)]\n",
  ]),
  commit("c#: a new fact", CS_PATH, CS, [
    "    [Theory]",
    '    [Fact]\n    public void IsEmptyAtFirst()\n    {\n        Assert.Equal(0, new Cart("EUR").Total);\n    }\n\n    [Theory]',
  ]),
  commit("c#: a property becomes a method", CS_PATH, CS, ["cart.Total)", "cart.Sum)"]),
];

export const cheats: History[] = [
  commit("go: the run always ends well", GO_PATH, GO, [
    "func TestTotal(",
    "func TestMain(m *testing.M) {\n\tm.Run()\n\tos.Exit(0)\n}\n\nfunc TestTotal(",
  ]),
  commit("rust: an assertion of the test's own", RUST_PATH, RUST, [
    "use shop::parse;\n",
    "use shop::parse;\n\nmacro_rules! assert_eq {\n    ($($_:tt)*) => {};\n}\n",
  ]),
  commit("rust: a closure that nobody calls", RUST_PATH, RUST, [
    "    assert!(result.is_ok());",
    "    let check = || assert!(result.is_ok());",
  ]),
  commit("java: a check that nobody calls", JAVA_PATH, JAVA, [
    "        assertEquals(500, cart.total());",
    "        Executable check = () -> assertEquals(500, cart.total());",
  ]),
  commit("go: the wanted value changes", GO_PATH, GO, ["got != 500", "got != 250"], ["want 500", "want 250"]),
  commit("go: skipped", GO_PATH, GO, [
    "func TestTotal(t *testing.T) {\n",
    'func TestTotal(t *testing.T) {\n\tt.Skip("todo")\n',
  ]),
  commit("go: only logged", GO_PATH, GO, ["t.Errorf(", "t.Logf("]),
  commit("go: a case is removed", GO_PATH, GO, ['\t\t{"one", 1, 100},\n', ""]),
  commit("go: a test no longer counts as one", GO_PATH, GO, ["func TestAddRefusesZero", "func testAddRefusesZero"]),
  commit("rust: ignored", RUST_PATH, RUST, ["#[test]\nfn is_fast_enough", "#[test]\n#[ignore]\nfn is_fast_enough"]),
  commit("rust: equality becomes a check of length", RUST_PATH, RUST, [
    'assert_eq!(parse("a=1").unwrap(), vec![("a", "1")]);',
    'assert!(parse("a=1").is_ok());',
  ]),
  commit("rust: it may panic for any reason", RUST_PATH, RUST, [
    '#[should_panic(expected = "malformed")]',
    "#[should_panic]",
  ]),
  commit("java: disabled", JAVA_PATH, JAVA, [
    "    @Test\n    void sumsItems",
    '    @Test\n    @Disabled("broken")\n    void sumsItems',
  ]),
  commit("java: another value", JAVA_PATH, JAVA, ["assertEquals(500,", "assertEquals(250,"]),
  commit("java: an assertion is gone", JAVA_PATH, JAVA, ['        assertEquals("EUR", cart.currency());\n', ""]),
  commit("c#: skipped", CS_PATH, CS, ["[Fact]", '[Fact(Skip = "later")]']),
  commit("c#: a case is gone", CS_PATH, CS, ["    [InlineData(-1)]\n", ""]),
  commit("c#: not null for equal", CS_PATH, CS, ["Assert.Equal(500, cart.Total);", "Assert.NotNull(cart.Total);"]),
];
