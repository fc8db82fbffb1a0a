import { commit, type History } from "./history.ts";

const RUBY_PATH = "spec/cart_spec.rb";
const RUBY = `require "cart"

RSpec.describe Cart do
  subject(:cart) { described_class.new("EUR") }

  it "sums its items" do
    cart.add("A1", 250, 2)
    expect(cart.total).to eq(500)
  end

  it "refuses zero" do
    expect { cart.add("A1", 250, 0) }.to raise_error(ArgumentError)
  end
end
`;
const PHP_PATH = "tests/CartTest.php";
const PHP = `<?php

final class CartTest extends TestCase
{
    public function testSumsItems(): void
    {
        $cart = new Cart('EUR');
        $cart->add('A1', 250, 2);
        $this->assertSame(500, $cart->total());
    }

    public function testRefusesZero(): void
    {
        $this->expectException(InvalidArgumentException::class);
        (new Cart('EUR'))->add('A1', 250, 0);
    }
}
`;
const EX_PATH = "test/cart_test.exs";
const EX = `defmodule CartTest do
  use ExUnit.Case

  test "sums its items" do
    cart = Cart.new("EUR") |> Cart.add("A1", 250, 2)
    assert Cart.total(cart) == 500
  end

  test "refuses zero" do
    assert_raise ArgumentError, fn -> Cart.add(Cart.new("EUR"), "A1", 250, 0) end
  end
end
`;
const BATS_PATH = "test/cli.bats";
const BATS = `#!/usr/bin/env bats

@test "prints its version" {
  run ./cli --version
  [ "$status" -eq 0 ]
  [ "$output" = "1.2.3" ]
}

@test "fails without arguments" {
  run ./cli
  [ "$status" -eq 2 ]
  [[ "$output" == *usage* ]]
}
`;

export const honest: History[] = [
  commit("rspec: a new example", RUBY_PATH, RUBY, [
    '  it "refuses zero"',
    '  it "is empty at first" do\n    expect(cart.total).to eq(0)\n  end\n\n  it "refuses zero"',
  ]),
  commit("rspec: another name", RUBY_PATH, RUBY, ['it "sums its items"', 'it "adds up prices"']),
  commit(
    "rspec: a context around it",
    RUBY_PATH,
    RUBY,
    ['  it "refuses zero" do', '  context "with a count of zero" do\n  it "refuses it" do'],
    ["raise_error(ArgumentError)\n  end", "raise_error(ArgumentError)\n  end\n  end"],
  ),
  commit("rspec: a method is renamed", RUBY_PATH, RUBY, ["cart.total", "cart.sum"]),
  commit("phpunit: a new test", PHP_PATH, PHP, [
    "    public function testRefusesZero",
    "    public function testIsEmptyAtFirst(): void\n    {\n        $this->assertSame(0, (new Cart('EUR'))->total());\n    }\n\n    public function testRefusesZero",
  ]),
  commit("phpunit: self for this", PHP_PATH, PHP, ["$this->assertSame(500", "self::assertSame(500"]),
  commit("phpunit: another name", PHP_PATH, PHP, ["testSumsItems", "testTotalIsTheSumOfAllItems"]),
  commit("exunit: a new test", EX_PATH, EX, [
    '  test "refuses zero"',
    '  test "is empty at first" do\n    assert Cart.total(Cart.new("EUR")) == 0\n  end\n\n  test "refuses zero"',
  ]),
  commit(
    "exunit: a describe around it",
    EX_PATH,
    EX,
    ['  test "sums its items" do', '  describe "total/1" do\n  test "sums its items" do'],
    ["== 500\n  end", "== 500\n  end\n  end"],
  ),
  commit("bats: a new test", BATS_PATH, BATS, [
    '@test "fails',
    '@test "prints help" {\n  run ./cli --help\n  [ "$status" -eq 0 ]\n}\n\n@test "fails',
  ]),
  commit("bats: another name", BATS_PATH, BATS, ["fails without arguments", "exits with 2 without arguments"]),
  commit("bats: a line more", BATS_PATH, BATS, ['  [ "$status" -eq 2 ]', '  [ "$status" -eq 2 ]\n  [ -n "$output" ]']),
];

export const cheats: History[] = [
  commit("php: the subject is a stand-in", PHP_PATH, PHP, [
    "$cart = new Cart('EUR');",
    "$cart = $this->createMock(Cart::class);\n        $cart->method('total')->willReturn(500);",
  ]),
  commit("rspec: pending", RUBY_PATH, RUBY, ['it "sums its items" do', 'xit "sums its items" do']),
  commit("rspec: skips itself", RUBY_PATH, RUBY, [
    'it "sums its items" do\n',
    'it "sums its items" do\n    skip "later"\n',
  ]),
  commit("rspec: another value", RUBY_PATH, RUBY, ["eq(500)", "eq(250)"]),
  commit("rspec: any error", RUBY_PATH, RUBY, ["raise_error(ArgumentError)", "raise_error"]),
  commit("phpunit: incomplete", PHP_PATH, PHP, [
    "testSumsItems(): void\n    {\n",
    "testSumsItems(): void\n    {\n        $this->markTestIncomplete();\n",
  ]),
  commit("phpunit: another value", PHP_PATH, PHP, ["assertSame(500", "assertSame(250"]),
  commit("exunit: tagged", EX_PATH, EX, ['  test "sums its items"', '  @tag :skip\n  test "sums its items"']),
  commit("exunit: refute for assert", EX_PATH, EX, ["assert Cart.total(cart) == 500", "refute Cart.total(cart) == 0"]),
  commit("bats: skipped", BATS_PATH, BATS, [
    '@test "prints its version" {\n',
    '@test "prints its version" {\n  skip "flaky"\n',
  ]),
  commit("bats: another status", BATS_PATH, BATS, ['"$status" -eq 2', '"$status" -ge 0']),
];
