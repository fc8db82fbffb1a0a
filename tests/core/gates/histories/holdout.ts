import { commit, type History } from "./history.ts";

/*
 * Written before the rules were read: then 48 of 143 honest commits were false alarms, and 79 of 148 cheats were missed.
 */
/** A commit that rewrites one file. */
const rewrite = (name: string, path: string, before: string, after: string): History => ({
  name,
  changes: [{ path, before, after }],
});

/** A commit that gives a file another place, and perhaps other words. */
const moved = (name: string, from: string, to: string, before: string, after = before): History => ({
  name,
  changes: [
    { path: from, before, after: null },
    { path: to, before: null, after },
  ],
});

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const MAIL_PATH = "src/mail/outbox.test.ts";
const MAIL = `import { beforeEach, describe, expect, it, vi } from "vitest";
import { Outbox } from "./outbox";
import { makeMessage, type Message } from "../testing/messages";

const HOURS = 3_600_000;

function oldMessage(): Message {
  return makeMessage({ age: 2 * HOURS });
}

describe("Outbox", () => {
  let outbox: Outbox;
  const send = vi.fn();

  beforeEach(() => {
    send.mockReset();
    outbox = new Outbox({ send, retries: 3 });
  });

  it("sends whats queued", async () => {
    outbox.queue(makeMessage({ to: "ada@example.org" }));
    await outbox.flush();
    expect(send).toHaveBeenCalledTimes(1);
    expect(send).toHaveBeenCalledWith(expect.objectContaining({ to: "ada@example.org" }));
  });

  it("keeps what could not be sent", async () => {
    send.mockRejectedValue(new Error("offline"));
    outbox.queue(makeMessage({}));
    await expect(outbox.flush()).rejects.toThrow("offline");
    expect(outbox.length).toBe(1);
  });

  describe("retries", () => {
    it.each([
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
    ])("waits longer after attempt %i", (attempt, delay) => {
      expect(outbox.delay(attempt)).toBe(delay);
    });
  });
});
`;

const FORM_PATH = "src/components/SignupForm.test.tsx";
const FORM = `import { fireEvent, render, screen } from "@testing-library/react";
import { SignupForm } from "./SignupForm";

test("asks for an e-mail address", async () => {
  const onSubmit = jest.fn();
  render(<SignupForm onSubmit={onSubmit} />);
  fireEvent.click(screen.getByTestId("submit"));
  expect(await screen.findByText("E-mail is required")).toBeInTheDocument();
  expect(onSubmit).not.toHaveBeenCalled();
});

test("submits what was typed", async () => {
  const onSubmit = jest.fn();
  render(<SignupForm onSubmit={onSubmit} />);
  fireEvent.change(screen.getByTestId("email"), { target: { value: "ada@example.org" } });
  fireEvent.click(screen.getByTestId("submit"));
  expect(onSubmit).toHaveBeenCalledWith({ email: "ada@example.org" });
});
`;

const CYPRESS_PATH = "cypress/e2e/login.cy.ts";
const CYPRESS = `describe("login", () => {
  it("shows the dashboard", () => {
    cy.visit("/login");
    cy.get("#email").type("ada@example.org");
    cy.get("#password").type("secret");
    cy.get("button[type=submit]").click();
    cy.wait(500);
    cy.url().should("include", "/dashboard");
    cy.get("h1").should("have.text", "Welcome, Ada");
  });

  it("refuses a wrong password", () => {
    cy.visit("/login");
    cy.get("#email").type("ada@example.org");
    cy.get("#password").type("wrong");
    cy.get("button[type=submit]").click();
    cy.get("[role=alert]").should("contain", "Wrong password");
  });
});
`;

const PLAY_PATH = "e2e/checkout.spec.ts";
const PLAY = `import { expect, test } from "@playwright/test";

test("pays by card", async ({ page }) => {
  await page.goto("/cart");
  await page.click("text=Checkout");
  await page.fill("#card", "4242 4242 4242 4242");
  await page.click("text=Pay");
  await page.waitForTimeout(1000);
  expect(await page.textContent("h1")).toBe("Thank you");
  expect(await page.locator(".line").count()).toBe(2);
});
`;

const MOCHA_PATH = "test/money.test.js";
const MOCHA = `const { expect } = require("chai");
const { parse, format } = require("../lib/money");

describe("money", function () {
  it("parses an amount", function () {
    expect(parse("1.50")).to.equal(150);
    expect(parse("0")).to.equal(0);
  });

  it("formats an amount", function () {
    expect(format(150)).to.equal("1.50");
  });

  it("refuses letters", function () {
    expect(() => parse("abc")).to.throw("not a number");
  });
});
`;

const STORE_PATH = "test/store.test.ts";
const STORE = `import assert from "node:assert";
import { test } from "node:test";
import { openStore } from "../src/store.ts";

test("reads what was written", async () => {
  const store = await openStore(":memory:");
  await store.put("a", { n: 1 });
  assert.deepEqual(await store.get("a"), { n: 1 });
  assert.equal(await store.get("b"), undefined);
  await store.close();
});

test("refuses a second writer", async () => {
  const store = await openStore(":memory:");
  await assert.rejects(openStore(":memory:"), { code: "LOCKED" });
  await store.close();
});
`;

const PY_PATH = "tests/test_invoice.py";
const PY = `import os
import unittest
import pytest
from decimal import Decimal

from billing.invoice import Invoice, InvoiceError
from billing.tax import tax_for


def _legacy_invoice():
    return Invoice(number=1)


def test_total():
    invoice = Invoice(number=7)
    invoice.add("tea", Decimal("2.50"), 3)
    assert invoice.total == Decimal("7.50")
    assert invoice.paid == False


def test_number_must_be_positive():
    with pytest.raises(InvoiceError):
        Invoice(number=-1)


@pytest.mark.parametrize("country,rate", [("DE", 19), ("FR", 20)])
def test_tax(country, rate):
    assert tax_for(country) == rate


def test_written_to_disk(tmpdir):
    path = os.path.join(str(tmpdir), "invoice.json")
    Invoice(number=7).save(path)
    with open(path) as f:
        assert '"number": 7' in f.read()
`;

const UNIT_PATH = "tests/test_ledger.py";
const UNIT = `import unittest

from billing.ledger import Ledger, LedgerError


class LedgerTest(unittest.TestCase):
    def setUp(self):
        self.ledger = Ledger()

    def tearDown(self):
        self.ledger.close()

    def test_starts_empty(self):
        self.assertEquals(len(self.ledger), 0)

    def test_books(self):
        self.ledger.book("rent", -500)
        self.assertEqual(self.ledger.balance, -500)
        self.assertIn("rent", self.ledger)

    def test_refuses_zero(self):
        with self.assertRaises(LedgerError):
            self.ledger.book("nothing", 0)
`;

const DJANGO_PATH = "shop/tests/test_views.py";
const DJANGO = `from django.test import TestCase

from shop.models import Product


class ProductViewTests(TestCase):
    def setUp(self):
        self.product = Product.objects.create(name="Tea", price=250)

    def test_list(self):
        response = self.client.get("/products/")
        self.assertEqual(response.status_code, 200)
        self.assertContains(response, "Tea")

    def test_missing(self):
        response = self.client.get("/products/999/")
        self.assertEqual(response.status_code, 404)
`;

const HYPO_PATH = "tests/test_codec.py";
const HYPO = `from hypothesis import given, settings
from hypothesis import strategies as st

from codec import decode, encode


@settings(max_examples=200)
@given(st.text())
def test_round_trip(text):
    assert decode(encode(text)) == text
`;

const GO_PATH = "queue/queue_test.go";
const GO = `package queue

import (
	"context"
	"io/ioutil"
	"os"
	"reflect"
	"testing"
)

func TestPush(t *testing.T) {
	q := New(context.Background())
	q.Push("a")
	q.Push("b")
	if got, want := q.Len(), 2; got != want {
		t.Errorf("Len() = %d; want %d", got, want)
	}
	if got := q.Items(); !reflect.DeepEqual(got, []string{"a", "b"}) {
		t.Errorf("Items() = %v", got)
	}
}

func TestSave(t *testing.T) {
	dir, err := ioutil.TempDir("", "queue")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := New(context.Background()).Save(dir); err != nil {
		t.Fatalf("Save: %v", err)
	}
}

func TestParse(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want int
	}{
		{"1", 1},
		{"10", 10},
	} {
		tt := tt
		t.Run(tt.in, func(t *testing.T) {
			got, err := Parse(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("Parse(%q) = %d, want %d", tt.in, got, tt.want)
			}
		})
	}
}
`;
const TESTIFY_PATH = "queue/drain_test.go";
const TESTIFY = `package queue

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestDrain(t *testing.T) {
	q := New()
	q.Push("a")
	items, err := q.Drain()
	assert.NoError(t, err)
	assert.Equal(t, []string{"a"}, items)
	assert.Equal(t, 0, q.Len())
}
`;

const RUST_PATH = "tests/config.rs";
const RUST = `use app::config::{load, Level};

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("tests/fixtures/{}", name)).unwrap()
}

#[test]
fn reads_the_level() {
    let config = load(&fixture("debug.toml")).unwrap();
    assert!(config.level == Level::Debug);
    assert_eq!(config.targets.len(), 2);
}

#[test]
fn level_of_info() {
    assert_eq!(load("level = 'info'").unwrap().level, Level::Info);
}

#[test]
fn level_of_warn() {
    assert_eq!(load("level = 'warn'").unwrap().level, Level::Warn);
}

#[test]
fn refuses_an_unknown_level() {
    let error = load("level = 'loud'").unwrap_err();
    assert_eq!(error.to_string(), "unknown level: loud");
}
`;
const LIB_RS = `pub fn double(n: i64) -> i64 {
    n + n
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles() {
        assert_eq!(double(2), 4);
    }
}
`;

const JUNIT4 = `package shop;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Before;
import org.junit.Test;

public class PriceTest {
    private Price price;

    @Before
    public void setUp() {
        price = new Price(250);
    }

    @Test
    public void addsTax() {
        assertEquals(298, price.withTax(19));
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesNegativeTax() {
        price.withTax(-1);
    }
}
`;
const JUNIT_PATH = "src/test/java/shop/PriceTest.java";
const JUNIT5 = `package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

public class PriceTest {
    private Price price;

    @BeforeEach
    public void setUp() {
        price = new Price(250);
    }

    @Test
    public void addsTax() {
        assertEquals(298, price.withTax(19));
        assertEquals("2.98", price.text());
    }

    @Test
    public void refusesNegativeTax() {
        assertThrows(IllegalArgumentException.class, () -> price.withTax(-1));
    }
}
`;
const KOTLIN_PATH = "src/test/kotlin/shop/StockTest.kt";
const KOTLIN = `package shop

import kotlin.test.Test
import kotlin.test.assertEquals
import kotlin.test.assertFailsWith

class StockTest {
    @Test
    fun takesFromStock() {
        val stock = Stock(mapOf("tea" to 3))
        stock.take("tea", 2)
        assertEquals(1, stock.left("tea"))
    }

    @Test
    fun refusesMoreThanThereIs() {
        assertFailsWith<OutOfStock> { Stock(emptyMap()).take("tea", 1) }
    }
}
`;
const SPOCK_PATH = "src/test/groovy/shop/DiscountSpec.groovy";
const SPOCK = `package shop

import spock.lang.Specification

class DiscountSpec extends Specification {
    def "a discount depends on the amount"() {
        expect:
        Discount.forAmount(amount) == discount

        where:
        amount | discount
        10     | 0
        100    | 5
    }

    def "a discount is never negative"() {
        when:
        Discount.forAmount(-1)

        then:
        thrown(IllegalArgumentException)
    }
}
`;
const NUNIT_PATH = "Shop.Tests/BasketTests.cs";
const NUNIT = `using NUnit.Framework;

namespace Shop.Tests
{
    [TestFixture]
    public class BasketTests
    {
        [Test]
        public void Sums()
        {
            var basket = new Basket();
            basket.Add(250, 2);
            Assert.AreEqual(500, basket.Total);
            Assert.IsTrue(basket.IsOpen);
        }

        [Test]
        public void RefusesZero()
        {
            Assert.Throws<ArgumentException>(() => new Basket().Add(250, 0));
        }
    }
}
`;
const XUNIT_PATH = "Shop.Tests/TaxTests.cs";
const XUNIT = `using Xunit;

namespace Shop.Tests;

public class TaxTests
{
    [Fact]
    public void GermanTax()
    {
        Assert.Equal(19, Tax.For("DE"));
    }

    [Fact]
    public void FrenchTax()
    {
        Assert.Equal(20, Tax.For("FR"));
    }
}
`;

const RSPEC_PATH = "spec/models/order_spec.rb";
const RSPEC = `require 'rails_helper'

RSpec.describe Order do
  it 'is open at first' do
    order = Order.new(customer: create(:customer))
    expect(order.open?).to eq(true)
    expect(order.lines.size).to eq(0)
  end

  it 'can be cancelled' do
    order = Order.new(customer: create(:customer))
    order.cancel!
    expect(order.open?).to eq(false)
  end

  it 'cannot be cancelled twice' do
    order = Order.new(customer: create(:customer))
    order.cancel!
    expect { order.cancel! }.to raise_error(Order::Closed, /already/)
  end
end
`;
const MINI_PATH = "test/slug_test.rb";
const MINI = `require "test_helper"

class SlugTest < Minitest::Test
  def test_lowers
    assert_equal "tea", Slug.make("Tea")
  end

  def test_empty
    assert_nil Slug.make("")
  end

  def test_refuses_numbers
    assert_raises(ArgumentError) { Slug.make(7) }
  end
end
`;
const PHP_PATH = "tests/Unit/SlugTest.php";
const PHP = `<?php

namespace Tests\\Unit;

use App\\Slug;
use PHPUnit\\Framework\\TestCase;

class SlugTest extends TestCase
{
    /**
     * @dataProvider words
     */
    public function testMakes(string $in, string $out)
    {
        $this->assertEquals($out, Slug::make($in));
    }

    public static function words(): array
    {
        return [
            ['Tea', 'tea'],
            ['a b', 'a-b'],
        ];
    }

    /** @test */
    public function it_refuses_nothing()
    {
        $this->expectException(\\InvalidArgumentException::class);
        Slug::make('');
    }
}
`;
const PEST_PATH = "tests/Feature/LoginTest.php";
const PEST = `<?php

use App\\Models\\User;

it('shows the dashboard', function () {
    $user = User::factory()->create();
    $response = $this->actingAs($user)->get('/dashboard');
    $response->assertStatus(200);
    $response->assertSee('Welcome');
});

it('refuses guests', function () {
    $this->get('/dashboard')->assertRedirect('/login');
});
`;
const EX_PATH = "test/bank/account_test.exs";
const EX = `defmodule Bank.AccountTest do
  use ExUnit.Case

  alias Bank.Account

  test "deposits" do
    {:ok, account} = Account.open("ada")
    assert {:ok, %{balance: 50}} = Account.deposit(account, 50)
  end

  test "refuses to overdraw" do
    {:ok, account} = Account.open("ada")
    assert {:error, :insufficient_funds} = Account.withdraw(account, 50)
  end
end
`;
const SWIFT_PATH = "Tests/ShopTests/CartTests.swift";
const SWIFT = `import XCTest
@testable import Shop

final class CartTests: XCTestCase {
    func testTotal() {
        let cart = Cart()
        cart.add(price: 250, count: 2)
        XCTAssertEqual(cart.total, 500)
        XCTAssertEqual(cart.items.first!.count, 2)
    }

    func testRefusesZero() {
        XCTAssertThrowsError(try Cart().validate(count: 0))
    }
}
`;
const GTEST_PATH = "tests/ring_test.cc";
const GTEST = `#include "ring.h"

#include <gtest/gtest.h>

TEST(Ring, StartsEmpty) {
  Ring<int> ring(4);
  EXPECT_TRUE(ring.empty());
  EXPECT_EQ(ring.size(), 0u);
}

TEST(Ring, Overwrites) {
  Ring<int> ring(2);
  ring.push(1);
  ring.push(2);
  ring.push(3);
  EXPECT_EQ(ring.front(), 2);
  EXPECT_THROW(ring.at(5), std::out_of_range);
}
`;
const CATCH_PATH = "tests/parse_test.cpp";
const CATCH = `#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "parse.hpp"

TEST_CASE("parses numbers", "[parse]") {
    REQUIRE(parse("42") == 42);
    CHECK(parse("-1") == -1);
}

TEST_CASE("refuses letters", "[parse]") {
    REQUIRE_THROWS_AS(parse("abc"), std::invalid_argument);
}
`;
const BATS_PATH = "test/backup.bats";
const BATS = `#!/usr/bin/env bats

@test "makes an archive" {
  dir="$(mktemp -d)"
  run ./backup.sh "$dir"
  [ "$status" -eq 0 ]
  [ -f "$dir/backup.tar.gz" ]
}

@test "needs a folder" {
  run ./backup.sh
  [ "$status" -eq 1 ]
  [ "\${lines[0]}" = "usage: backup.sh DIR" ]
}
`;

const GHA_PATH = ".github/workflows/test.yml";
const GHA = `name: Test
on:
  push:
    branches: [main]
  pull_request:

jobs:
  test:
    runs-on: ubuntu-latest
    strategy:
      matrix:
        node: [18, 20]
    steps:
      - uses: actions/checkout@v3
      - uses: actions/setup-node@v3
        with:
          node-version: \${{ matrix.node }}
      - run: npm ci
      - name: Lint
        run: npm run lint
      - name: Test
        run: npm test
`;
const GITLAB = `image: python:3.11

stages:
  - lint
  - test

lint:
  stage: lint
  script:
    - pip install -r requirements-dev.txt
    - ruff check .

test:
  stage: test
  script:
    - pip install -r requirements-dev.txt
    - pytest --cov=billing --cov-fail-under=80
`;
const MAKEFILE = `.PHONY: test lint

test:
	go vet ./...
	go test ./...

lint:
	golangci-lint run ./...

check: lint test
`;
const PRECOMMIT = `repos:
  - repo: https://github.com/astral-sh/ruff-pre-commit
    rev: v0.4.1
    hooks:
      - id: ruff
      - id: ruff-format
  - repo: https://github.com/pre-commit/mirrors-mypy
    rev: v1.9.0
    hooks:
      - id: mypy
`;
const GOLANGCI = `run:
  timeout: 3m
linters:
  enable:
    - errcheck
    - govet
    - staticcheck
linters-settings:
  gocyclo:
    min-complexity: 15
`;
const RUBOCOP = `AllCops:
  TargetRubyVersion: 3.1
  NewCops: enable
  Exclude:
    - db/schema.rb

Metrics/MethodLength:
  Max: 20

Style/StringLiterals:
  Enabled: true
`;
const ESLINTRC = json({
  root: true,
  extends: ["eslint:recommended"],
  env: { node: true },
  rules: { "no-unused-vars": "error", eqeqeq: ["error", "always"], "no-console": "warn" },
});
const ESLINT_FLAT = `import js from "@eslint/js";

export default [
  js.configs.recommended,
  {
    files: ["src/**/*.ts"],
    rules: {
      "no-unused-vars": "error",
      eqeqeq: "error",
    },
  },
];
`;
const BIOME = json({
  $schema: "https://biomejs.dev/schemas/1.8.0/schema.json",
  linter: { enabled: true, rules: { recommended: true, suspicious: { noExplicitAny: "error" } } },
  files: { include: ["src/**", "test/**"] },
});
const TSCONFIG = json({
  compilerOptions: {
    target: "ES2020",
    module: "commonjs",
    strict: true,
    noUnusedLocals: true,
    outDir: "dist",
  },
  include: ["src"],
  exclude: ["node_modules", "dist"],
});
const JEST_CONFIG = `module.exports = {
  preset: "ts-jest",
  testEnvironment: "node",
  testMatch: ["**/*.test.ts"],
  collectCoverageFrom: ["src/**/*.ts"],
  coverageThreshold: { global: { branches: 70, lines: 80 } },
};
`;
const VITEST_CONFIG = `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    retry: 0,
    coverage: { provider: "c8", thresholds: { lines: 80 } },
  },
});
`;
const PYTEST_INI = `[pytest]
testpaths = tests
addopts = -ra --strict-config
xfail_strict = true
filterwarnings =
    error
`;
const TOX = `[tox]
envlist = py310, py311, lint

[testenv]
deps = -r requirements-dev.txt
commands = pytest {posargs}

[testenv:lint]
commands = ruff check .
`;
const CARGO = `[package]
name = "app"
version = "0.3.0"
edition = "2021"

[dependencies]
serde = "1.0.190"

[dev-dependencies]
proptest = "1.3"

[lints.rust]
unsafe_code = "forbid"

[lints.clippy]
unwrap_used = "deny"
`;
const GRADLE = `plugins {
    id 'java'
}

dependencies {
    implementation 'com.google.guava:guava:32.1.2-jre'
    testImplementation 'org.junit.jupiter:junit-jupiter:5.9.3'
}

test {
    useJUnitPlatform()
}
`;
const POM = `<project>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.0.0</version>
        <configuration>
          <includes>
            <include>**/*Test.java</include>
          </includes>
        </configuration>
      </plugin>
    </plugins>
  </build>
</project>
`;
const PHPUNIT_XML = `<?xml version="1.0" encoding="UTF-8"?>
<phpunit bootstrap="vendor/autoload.php" failOnWarning="true">
  <testsuites>
    <testsuite name="Unit">
      <directory>tests/Unit</directory>
    </testsuite>
  </testsuites>
</phpunit>
`;
const PACKAGE = json({
  name: "shop",
  scripts: { build: "tsc", pretest: "npm run lint", test: "jest", lint: "eslint src" },
  dependencies: { express: "^4.18.2" },
  devDependencies: { jest: "^29.6.0", typescript: "^5.2.0" },
});

export const honest: History[] = [
  // JavaScript and TypeScript
  commit("vitest: an apostrophe in a name", MAIL_PATH, MAIL, ["sends whats queued", "sends what is queued"]),
  commit(
    "vitest: a dead helper and its imports go",
    MAIL_PATH,
    MAIL,
    [
      "const HOURS = 3_600_000;\n\nfunction oldMessage(): Message {\n  return makeMessage({ age: 2 * HOURS });\n}\n\n",
      "",
    ],
    ["import { makeMessage, type Message }", "import { makeMessage }"],
  ),
  commit("vitest: a class is renamed on both sides", MAIL_PATH, MAIL, ["Outbox", "MailQueue"], ["outbox", "mailQueue"]),
  commit("vitest: a test with a stand-in of its own", MAIL_PATH, MAIL, [
    '  describe("retries"',
    '  it("tells a listener about each message", async () => {\n    const onSent = vi.fn();\n    send.mockResolvedValue({ id: "1" });\n    outbox.on("sent", onSent);\n    outbox.queue(makeMessage({}));\n    await outbox.flush();\n    expect(onSent).toHaveBeenCalledWith({ id: "1" });\n  });\n\n  describe("retries"',
  ]),
  commit("vitest: rows with names", MAIL_PATH, MAIL, [
    '      [1, 1_000],\n      [2, 2_000],\n      [3, 4_000],\n    ])("waits longer after attempt %i", (attempt, delay) => {',
    '      { attempt: 1, delay: 1_000 },\n      { attempt: 2, delay: 2_000 },\n      { attempt: 3, delay: 4_000 },\n    ])("waits longer after attempt $attempt", ({ attempt, delay }) => {',
  ]),
  commit(
    "vitest: mocks are put back after each test",
    MAIL_PATH,
    MAIL,
    ['  it("sends whats', '  afterEach(() => {\n    vi.restoreAllMocks();\n  });\n\n  it("sends whats'],
    ["import { beforeEach,", "import { afterEach, beforeEach,"],
  ),
  commit("vitest: one test becomes two", MAIL_PATH, MAIL, [
    "    expect(send).toHaveBeenCalledTimes(1);\n",
    '    expect(send).toHaveBeenCalledTimes(1);\n  });\n\n  it("sends to whom it is addressed", async () => {\n    outbox.queue(makeMessage({ to: "ada@example.org" }));\n    await outbox.flush();\n',
  ]),
  commit("vitest: a describe inside goes up", MAIL_PATH, MAIL, [
    '  describe("retries", () => {\n    it.each([\n      [1, 1_000],\n      [2, 2_000],\n      [3, 4_000],\n    ])("waits longer after attempt %i", (attempt, delay) => {\n      expect(outbox.delay(attempt)).toBe(delay);\n    });\n  });\n',
    '  it.each([\n    [1, 1_000],\n    [2, 2_000],\n    [3, 4_000],\n  ])("waits longer after attempt %i", (attempt, delay) => {\n    expect(outbox.delay(attempt)).toBe(delay);\n  });\n',
  ]),
  commit("vitest: a clock for a new test", MAIL_PATH, MAIL, [
    '  describe("retries"',
    '  it("drops messages older than a day", () => {\n    vi.useFakeTimers();\n    vi.setSystemTime(new Date("2024-05-01T12:00:00Z"));\n    outbox.queue(makeMessage({ age: 25 * HOURS }));\n    expect(outbox.length).toBe(0);\n    vi.useRealTimers();\n  });\n\n  describe("retries"',
  ]),
  commit(
    "jest: aliases that are gone in the next version",
    "src/log.test.ts",
    'it("logs", () => {\n  const log = jest.fn();\n  run(log);\n  expect(log).toBeCalledWith("started");\n  expect(log).toBeCalledTimes(2);\n  expect(() => run(null)).toThrowError("no log");\n});\n',
    ["toBeCalledWith", "toHaveBeenCalledWith"],
    ["toBeCalledTimes", "toHaveBeenCalledTimes"],
    ["toThrowError", "toThrow"],
  ),
  commit(
    "jest: the length by its matcher",
    "src/list.test.ts",
    'it("lists", () => {\n  const found = list();\n  expect(found.length).toBe(3);\n  expect(found[0] === "a").toBe(true);\n});\n',
    ["expect(found.length).toBe(3)", "expect(found).toHaveLength(3)"],
    ['expect(found[0] === "a").toBe(true)', 'expect(found[0]).toBe("a")'],
  ),
  commit(
    "jest: a skipped test runs again",
    "src/list.test.ts",
    'it.skip("lists", () => {\n  expect(list()).toEqual(["a"]);\n});\n\nit("counts", () => {\n  expect(count()).toBe(1);\n});\n',
    ["it.skip(", "it("],
  ),
  commit(
    "jest: a forgotten only goes",
    "src/list.test.ts",
    'it.only("lists", () => {\n  expect(list()).toEqual(["a"]);\n});\n\nit("counts", () => {\n  expect(count()).toBe(1);\n});\n',
    ["it.only(", "it("],
  ),
  commit(
    "jest: a callback becomes await",
    "src/load.test.ts",
    'it("loads", (done) => {\n  load("a").then((value) => {\n    expect(value).toBe(7);\n    done();\n  });\n});\n',
    [
      '(done) => {\n  load("a").then((value) => {\n    expect(value).toBe(7);\n    done();\n  });\n});',
      'async () => {\n  const value = await load("a");\n  expect(value).toBe(7);\n});',
    ],
  ),
  commit(
    "jest: try and fail becomes rejects",
    "src/load.test.ts",
    'it("refuses", async () => {\n  try {\n    await load("");\n    fail("should have thrown");\n  } catch (error) {\n    expect(error.message).toBe("no name");\n  }\n});\n',
    [
      '  try {\n    await load("");\n    fail("should have thrown");\n  } catch (error) {\n    expect(error.message).toBe("no name");\n  }\n',
      '  await expect(load("")).rejects.toThrow("no name");\n',
    ],
  ),
  commit(
    "jest: fields become one object",
    "src/user.test.ts",
    'it("reads a user", () => {\n  const user = read("ada;36");\n  expect(user.name).toBe("ada");\n  expect(user.age).toBe(36);\n});\n',
    [
      '  expect(user.name).toBe("ada");\n  expect(user.age).toBe(36);\n',
      '  expect(user).toEqual({ name: "ada", age: 36 });\n',
    ],
  ),
  commit(
    "jest: debugging output goes",
    "src/user.test.ts",
    'it("reads a user", () => {\n  const user = read("ada;36");\n  console.log(user);\n  expect(user.name).toBe("ada");\n});\n',
    ["  console.log(user);\n", ""],
  ),
  commit(
    "jest: types for the tests",
    "src/user.test.ts",
    'const users = [{ name: "ada" }];\n\nit("finds", () => {\n  const found = find(users, "ada");\n  expect(found.name).toBe("ada");\n});\n',
    ['const users = [{ name: "ada" }];', 'const users: readonly User[] = [{ name: "ada" }] satisfies User[];'],
    ["expect(found.name)", "expect(found?.name)"],
  ),
  commit(
    "jest: set-up that each test had",
    "src/db.test.ts",
    'it("inserts", async () => {\n  const db = await open(":memory:");\n  await db.insert("a");\n  expect(await db.count()).toBe(1);\n  await db.close();\n});\n\nit("deletes", async () => {\n  const db = await open(":memory:");\n  await db.insert("a");\n  await db.delete("a");\n  expect(await db.count()).toBe(0);\n  await db.close();\n});\n',
    [
      'it("inserts"',
      'let db: Database;\n\nbeforeEach(async () => {\n  db = await open(":memory:");\n  await db.insert("a");\n});\n\nafterEach(() => db.close());\n\nit("inserts"',
    ],
    ['async () => {\n  const db = await open(":memory:");\n  await db.insert("a");\n', "async () => {\n"],
    ["  await db.close();\n", ""],
  ),
  moved(
    "jest: a test file learns TypeScript",
    "src/sum.test.js",
    "src/sum.test.ts",
    'const { sum } = require("./sum");\n\ntest("sums", () => {\n  expect(sum([1, 2])).toBe(3);\n});\n',
    'import { sum } from "./sum";\n\ntest("sums", () => {\n  const numbers: number[] = [1, 2];\n  expect(sum(numbers)).toBe(3);\n});\n',
  ),
  moved(
    "vitest: tests move to a folder of their own",
    "src/sum.test.ts",
    "test/unit/sum.test.ts",
    'import { sum } from "./sum";\n\ntest("sums", () => {\n  expect(sum([1, 2])).toBe(3);\n});\n',
    'import { sum } from "../../src/sum";\n\ntest("sums", () => {\n  expect(sum([1, 2])).toBe(3);\n});\n',
  ),
  {
    name: "jest: one test file becomes two",
    changes: [
      {
        path: "src/text.test.ts",
        before:
          'import { lower, upper } from "./text";\n\ntest("lowers", () => {\n  expect(lower("A")).toBe("a");\n});\n\ntest("uppers", () => {\n  expect(upper("a")).toBe("A");\n});\n',
        after: 'import { lower } from "./text";\n\ntest("lowers", () => {\n  expect(lower("A")).toBe("a");\n});\n',
      },
      {
        path: "src/upper.test.ts",
        before: null,
        after: 'import { upper } from "./text";\n\ntest("uppers", () => {\n  expect(upper("a")).toBe("A");\n});\n',
      },
    ],
  },
  rewrite(
    "mocha and chai become vitest",
    MOCHA_PATH,
    MOCHA,
    `import { describe, expect, it } from "vitest";
import { format, parse } from "../lib/money";

describe("money", () => {
  it("parses an amount", () => {
    expect(parse("1.50")).toBe(150);
    expect(parse("0")).toBe(0);
  });

  it("formats an amount", () => {
    expect(format(150)).toBe("1.50");
  });

  it("refuses letters", () => {
    expect(() => parse("abc")).toThrow("not a number");
  });
});
`,
  ),
  rewrite(
    "mocha and chai become node:test",
    MOCHA_PATH,
    MOCHA,
    `const assert = require("node:assert/strict");
const { describe, it } = require("node:test");
const { parse, format } = require("../lib/money");

describe("money", function () {
  it("parses an amount", function () {
    assert.equal(parse("1.50"), 150);
    assert.equal(parse("0"), 0);
  });

  it("formats an amount", function () {
    assert.equal(format(150), "1.50");
  });

  it("refuses letters", function () {
    assert.throws(() => parse("abc"), /not a number/);
  });
});
`,
  ),
  commit(
    "node:test becomes bun:test",
    STORE_PATH,
    STORE,
    [
      'import assert from "node:assert";\nimport { test } from "node:test";',
      'import { expect, test } from "bun:test";',
    ],
    ['assert.deepEqual(await store.get("a"), { n: 1 })', 'expect(await store.get("a")).toEqual({ n: 1 })'],
    ['assert.equal(await store.get("b"), undefined)', 'expect(await store.get("b")).toBeUndefined()'],
    [
      'await assert.rejects(openStore(":memory:"), { code: "LOCKED" })',
      'await expect(openStore(":memory:")).rejects.toMatchObject({ code: "LOCKED" })',
    ],
  ),
  commit(
    "node:test: the strict assertions",
    STORE_PATH,
    STORE,
    ['"node:assert"', '"node:assert/strict"'],
    ["assert.deepEqual", "assert.deepStrictEqual"],
    ["assert.equal", "assert.strictEqual"],
  ),
  commit(
    "node:test: set-up with clean-up",
    STORE_PATH,
    STORE,
    [
      'test("reads what was written", async () => {\n  const store = await openStore(":memory:");',
      'async function memoryStore(t) {\n  const store = await openStore(":memory:");\n  t.after(() => store.close());\n  return store;\n}\n\ntest("reads what was written", async (t) => {\n  const store = await memoryStore(t);',
    ],
    [
      'test("refuses a second writer", async () => {\n  const store = await openStore(":memory:");',
      'test("refuses a second writer", async (t) => {\n  await memoryStore(t);',
    ],
    ["  await store.close();\n", ""],
  ),
  commit(
    "React: elements by role",
    FORM_PATH,
    FORM,
    ['getByTestId("submit")', 'getByRole("button", { name: "Sign up" })'],
    ['getByTestId("email")', 'getByLabelText("E-mail")'],
  ),
  commit(
    "React: user events",
    FORM_PATH,
    FORM,
    [
      'import { fireEvent, render, screen } from "@testing-library/react";',
      'import { render, screen } from "@testing-library/react";\nimport userEvent from "@testing-library/user-event";',
    ],
    [
      'fireEvent.change(screen.getByTestId("email"), { target: { value: "ada@example.org" } });',
      'await userEvent.type(screen.getByTestId("email"), "ada@example.org");',
    ],
    ["  fireEvent.click(", "  await userEvent.click("],
  ),
  commit(
    "React: a helper that renders",
    FORM_PATH,
    FORM,
    [
      'test("asks for',
      'function renderForm() {\n  const onSubmit = jest.fn();\n  render(<SignupForm onSubmit={onSubmit} />);\n  return { onSubmit };\n}\n\ntest("asks for',
    ],
    [
      "async () => {\n  const onSubmit = jest.fn();\n  render(<SignupForm onSubmit={onSubmit} />);\n",
      "async () => {\n  const { onSubmit } = renderForm();\n",
    ],
  ),
  commit(
    "React: jest becomes vitest",
    FORM_PATH,
    FORM,
    ["jest.fn()", "vi.fn()"],
    ["import { SignupForm }", 'import { expect, test, vi } from "vitest";\nimport { SignupForm }'],
  ),
  commit(
    "Cypress: a command for the login",
    CYPRESS_PATH,
    CYPRESS,
    [
      '    cy.visit("/login");\n    cy.get("#email").type("ada@example.org");\n    cy.get("#password").type("secret");\n    cy.get("button[type=submit]").click();\n',
      '    cy.login("ada@example.org", "secret");\n',
    ],
    [
      '    cy.visit("/login");\n    cy.get("#email").type("ada@example.org");\n    cy.get("#password").type("wrong");\n    cy.get("button[type=submit]").click();\n',
      '    cy.login("ada@example.org", "wrong");\n',
    ],
  ),
  commit(
    "Cypress: waits for the request, not for a time",
    CYPRESS_PATH,
    CYPRESS,
    [
      '  it("shows the dashboard", () => {\n',
      '  it("shows the dashboard", () => {\n    cy.intercept("POST", "/api/login").as("login");\n',
    ],
    ["cy.wait(500)", 'cy.wait("@login")'],
  ),
  commit(
    "Cypress: selectors for tests",
    CYPRESS_PATH,
    CYPRESS,
    ['"#email"', '"[data-cy=email]"'],
    ['"#password"', '"[data-cy=password]"'],
    ['"button[type=submit]"', '"[data-cy=submit]"'],
  ),
  commit(
    "Playwright: assertions that wait",
    PLAY_PATH,
    PLAY,
    ["  await page.waitForTimeout(1000);\n", ""],
    [
      'expect(await page.textContent("h1")).toBe("Thank you")',
      'await expect(page.locator("h1")).toHaveText("Thank you")',
    ],
    ['expect(await page.locator(".line").count()).toBe(2)', 'await expect(page.locator(".line")).toHaveCount(2)'],
  ),
  commit(
    "Playwright: a page object",
    PLAY_PATH,
    PLAY,
    [
      'import { expect, test } from "@playwright/test";\n',
      'import { expect, test } from "@playwright/test";\nimport { CartPage } from "./pages/cart";\n',
    ],
    [
      '  await page.goto("/cart");\n  await page.click("text=Checkout");\n  await page.fill("#card", "4242 4242 4242 4242");\n  await page.click("text=Pay");\n',
      '  const cart = new CartPage(page);\n  await cart.open();\n  await cart.checkout({ card: "4242 4242 4242 4242" });\n',
    ],
  ),
  commit(
    "fast-check: more runs",
    "test/sort.test.ts",
    'test("sorts", () => {\n  fc.assert(\n    fc.property(fc.array(fc.integer()), (list) => {\n      expect(isSorted(sort(list))).toBe(true);\n    }),\n    { numRuns: 100 },\n  );\n});\n',
    ["numRuns: 100", "numRuns: 1000"],
  ),
  {
    name: "vitest: a new file with a module mock",
    changes: [
      {
        path: "src/notify.test.ts",
        before: null,
        after:
          'import { expect, it, vi } from "vitest";\nimport { notify } from "./notify";\nimport { post } from "./http";\n\nvi.mock("./http");\n\nit("posts", async () => {\n  vi.mocked(post).mockResolvedValue({ ok: true });\n  await notify("ada");\n  expect(post).toHaveBeenCalledWith("/notify", { to: "ada" });\n});\n',
      },
    ],
  },
  commit("a set-up file cleans up", "test/setup.ts", 'import "@testing-library/jest-dom";\n', [
    'jest-dom";\n',
    'jest-dom";\nimport { cleanup } from "@testing-library/react";\nimport { afterEach } from "vitest";\n\nafterEach(() => {\n  cleanup();\n});\n',
  ]),
  commit(
    "a handler for a new endpoint",
    "test/mocks/handlers.ts",
    'export const handlers = [\n  http.get("/api/user", () => HttpResponse.json({ name: "Ada" })),\n];\n',
    ["];\n", '  http.post("/api/orders", () => HttpResponse.json({ id: 1 }, { status: 201 })),\n];\n'],
  ),

  // Python
  rewrite(
    "pytest: black and isort",
    PY_PATH,
    PY,
    `import os
import unittest
from decimal import Decimal

import pytest
from billing.invoice import Invoice, InvoiceError
from billing.tax import tax_for


def _legacy_invoice():
    return Invoice(number=1)


def test_total():
    invoice = Invoice(number=7)
    invoice.add(
        "tea",
        Decimal("2.50"),
        3,
    )
    assert invoice.total == Decimal("7.50")
    assert invoice.paid == False


def test_number_must_be_positive():
    with pytest.raises(InvoiceError):
        Invoice(number=-1)


@pytest.mark.parametrize(
    "country,rate",
    [
        ("DE", 19),
        ("FR", 20),
    ],
)
def test_tax(country, rate):
    assert tax_for(country) == rate


def test_written_to_disk(tmpdir):
    path = os.path.join(str(tmpdir), "invoice.json")
    Invoice(number=7).save(path)
    with open(path) as f:
        assert '"number": 7' in f.read()
`,
  ),
  commit(
    "pytest: what the linter found",
    PY_PATH,
    PY,
    ["import unittest\n", ""],
    ["def _legacy_invoice():\n    return Invoice(number=1)\n\n\n", ""],
    ["invoice.paid == False", "invoice.paid is False"],
  ),
  commit(
    "pytest: tmp_path",
    PY_PATH,
    PY,
    ["import os\n", ""],
    ["test_written_to_disk(tmpdir)", "test_written_to_disk(tmp_path)"],
    ['path = os.path.join(str(tmpdir), "invoice.json")', 'path = tmp_path / "invoice.json"'],
    [
      "    with open(path) as f:\n        assert '\"number\": 7' in f.read()\n",
      "    assert '\"number\": 7' in path.read_text()\n",
    ],
  ),
  commit("pytest: ids for the parameters", PY_PATH, PY, [
    '[("DE", 19), ("FR", 20)]',
    '[pytest.param("DE", 19, id="germany"), pytest.param("FR", 20, id="france"), pytest.param("GB", 20, id="britain")]',
  ]),
  commit("pytest: a message for an exception", PY_PATH, PY, [
    "pytest.raises(InvoiceError)",
    'pytest.raises(InvoiceError, match="positive")',
  ]),
  commit(
    "pytest: annotations",
    PY_PATH,
    PY,
    ["def test_total():", "def test_total() -> None:"],
    ["def test_number_must_be_positive():", "def test_number_must_be_positive() -> None:"],
    ["def test_tax(country, rate):", "def test_tax(country: str, rate: int) -> None:"],
  ),
  commit(
    "pytest: a factory for invoices",
    PY_PATH,
    PY,
    [
      "def test_total():\n    invoice = Invoice(number=7)\n",
      'def make_invoice(**fields):\n    return Invoice(**{"number": 7, **fields})\n\n\ndef test_total():\n    invoice = make_invoice()\n',
    ],
    ["    Invoice(number=7).save(path)", "    make_invoice().save(path)"],
  ),
  commit("pytest: a new test with a patched clock", PY_PATH, PY, [
    "def test_written_to_disk",
    'def test_is_dated(monkeypatch):\n    monkeypatch.setattr("billing.invoice.today", lambda: "2024-05-01")\n    assert Invoice(number=7).date == "2024-05-01"\n\n\ndef test_written_to_disk',
  ]),
  commit("unittest: deprecated aliases", UNIT_PATH, UNIT, ["assertEquals(", "assertEqual("]),
  rewrite(
    "unittest becomes pytest with a fixture",
    UNIT_PATH,
    UNIT,
    `import pytest

from billing.ledger import Ledger, LedgerError


@pytest.fixture
def ledger():
    ledger = Ledger()
    yield ledger
    ledger.close()


def test_starts_empty(ledger):
    assert len(ledger) == 0


def test_books(ledger):
    ledger.book("rent", -500)
    assert ledger.balance == -500
    assert "rent" in ledger


def test_refuses_zero(ledger):
    with pytest.raises(LedgerError):
        ledger.book("nothing", 0)
`,
  ),
  {
    name: "pytest: a fixture moves to conftest",
    changes: [
      {
        path: "tests/test_ship.py",
        before:
          'import pytest\n\nfrom ship import Ship\n\n\n@pytest.fixture\ndef ship():\n    return Ship("Argo")\n\n\ndef test_name(ship):\n    assert ship.name == "Argo"\n',
        after: 'def test_name(ship):\n    assert ship.name == "Argo"\n',
      },
      {
        path: "tests/conftest.py",
        before: "import pytest\n",
        after: 'import pytest\n\nfrom ship import Ship\n\n\n@pytest.fixture\ndef ship():\n    return Ship("Argo")\n',
      },
    ],
  },
  {
    name: "pytest: asyncio's mode for all tests",
    changes: [
      {
        path: "pytest.ini",
        before: PYTEST_INI,
        after: PYTEST_INI.replace("xfail_strict", "asyncio_mode = auto\nxfail_strict"),
      },
      {
        path: "tests/test_api.py",
        before:
          'import pytest\n\n\n@pytest.mark.asyncio\nasync def test_get(client):\n    assert (await client.get("/")).status == 200\n',
        after: 'async def test_get(client):\n    assert (await client.get("/")).status == 200\n',
      },
    ],
  },
  commit(
    "Django: paths by their names",
    DJANGO_PATH,
    DJANGO,
    ["from django.test import TestCase\n", "from django.test import TestCase\nfrom django.urls import reverse\n"],
    ['self.client.get("/products/")', 'self.client.get(reverse("product-list"))'],
    ['self.client.get("/products/999/")', 'self.client.get(reverse("product-detail", args=[999]))'],
  ),
  commit("Django: data once for a class", DJANGO_PATH, DJANGO, [
    "    def setUp(self):\n        self.product =",
    "    @classmethod\n    def setUpTestData(cls):\n        cls.product =",
  ]),
  commit("hypothesis: more examples", HYPO_PATH, HYPO, ["max_examples=200", "max_examples=1000"]),
  commit("hypothesis: no deadline on slow machines", HYPO_PATH, HYPO, [
    "@settings(max_examples=200)",
    "@settings(max_examples=200, deadline=None)",
  ]),
  commit("hypothesis: one more property", HYPO_PATH, HYPO, [
    "    assert decode(encode(text)) == text\n",
    '    assert decode(encode(text)) == text\n\n\n@given(st.binary(max_size=64))\ndef test_decode_never_crashes(data):\n    decode(data, errors="replace")\n',
  ]),

  // Go
  commit("go: the table's variable is no longer copied", GO_PATH, GO, ["\t\ttt := tt\n", ""]),
  commit("go: in parallel", GO_PATH, GO, [
    "func TestPush(t *testing.T) {\n",
    "func TestPush(t *testing.T) {\n\tt.Parallel()\n",
  ]),
  commit(
    "go: a folder of the test",
    GO_PATH,
    GO,
    [
      '\tdir, err := ioutil.TempDir("", "queue")\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tdefer os.RemoveAll(dir)\n',
      "\tdir := t.TempDir()\n",
    ],
    ['\t"io/ioutil"\n\t"os"\n', ""],
  ),
  commit("go: the context of the test", GO_PATH, GO, ["context.Background()", "t.Context()"], ['\t"context"\n', ""]),
  commit(
    "go: differences are shown",
    GO_PATH,
    GO,
    [
      '\tif got := q.Items(); !reflect.DeepEqual(got, []string{"a", "b"}) {\n\t\tt.Errorf("Items() = %v", got)\n\t}\n',
      '\tif diff := cmp.Diff([]string{"a", "b"}, q.Items()); diff != "" {\n\t\tt.Errorf("Items() mismatch (-want +got):\\n%s", diff)\n\t}\n',
    ],
    ['\t"reflect"\n\t"testing"\n', '\t"testing"\n\n\t"github.com/google/go-cmp/cmp"\n'],
  ),
  commit(
    "go: testify",
    GO_PATH,
    GO,
    [
      '\tif got, want := q.Len(), 2; got != want {\n\t\tt.Errorf("Len() = %d; want %d", got, want)\n\t}\n',
      "\tassert.Equal(t, 2, q.Len())\n",
    ],
    [
      '\tif got := q.Items(); !reflect.DeepEqual(got, []string{"a", "b"}) {\n\t\tt.Errorf("Items() = %v", got)\n\t}\n',
      '\tassert.Equal(t, []string{"a", "b"}, q.Items())\n',
    ],
    [
      '\tif err := New(context.Background()).Save(dir); err != nil {\n\t\tt.Fatalf("Save: %v", err)\n\t}\n',
      "\trequire.NoError(t, New(context.Background()).Save(dir))\n",
    ],
  ),
  commit(
    "go: fields of the table by name",
    GO_PATH,
    GO,
    ['{"1", 1}', '{in: "1", want: 1}'],
    ['{"10", 10}', '{in: "10", want: 10}'],
  ),
  commit("go: a clearer message", GO_PATH, GO, ['"Len() = %d; want %d"', '"q.Len() = %d after two pushes, want %d"']),
  commit(
    "testify: stops at the first failure",
    TESTIFY_PATH,
    TESTIFY,
    ["assert.", "require."],
    ["testify/assert", "testify/require"],
  ),
  commit("testify: a helper of the test", TESTIFY_PATH, TESTIFY, [
    'func TestDrain(t *testing.T) {\n\tq := New()\n\tq.Push("a")\n',
    'func filled(t *testing.T, items ...string) *Queue {\n\tt.Helper()\n\tq := New()\n\tfor _, item := range items {\n\t\tq.Push(item)\n\t}\n\treturn q\n}\n\nfunc TestDrain(t *testing.T) {\n\tq := filled(t, "a")\n',
  ]),
  commit("testify: empty for the length", TESTIFY_PATH, TESTIFY, [
    "assert.Equal(t, 0, q.Len())",
    "assert.Zero(t, q.Len())",
  ]),

  // Rust
  commit("rust: equality is asserted as such", RUST_PATH, RUST, [
    "assert!(config.level == Level::Debug)",
    "assert_eq!(config.level, Level::Debug)",
  ]),
  commit("rust: rstest", RUST_PATH, RUST, [
    "#[test]\nfn level_of_info() {\n    assert_eq!(load(\"level = 'info'\").unwrap().level, Level::Info);\n}\n\n#[test]\nfn level_of_warn() {\n    assert_eq!(load(\"level = 'warn'\").unwrap().level, Level::Warn);\n}\n",
    "#[rstest]\n#[case(\"level = 'info'\", Level::Info)]\n#[case(\"level = 'warn'\", Level::Warn)]\nfn level_of(#[case] text: &str, #[case] level: Level) {\n    assert_eq!(load(text).unwrap().level, level);\n}\n",
  ]),
  commit(
    "rust: a test that returns a result",
    RUST_PATH,
    RUST,
    [
      'fn reads_the_level() {\n    let config = load(&fixture("debug.toml")).unwrap();',
      'fn reads_the_level() -> Result<(), Box<dyn std::error::Error>> {\n    let config = load(&fixture("debug.toml"))?;',
    ],
    ["    assert_eq!(config.targets.len(), 2);\n", "    assert_eq!(config.targets.len(), 2);\n    Ok(())\n"],
  ),
  commit("rust: arguments in the format", RUST_PATH, RUST, [
    'format!("tests/fixtures/{}", name)',
    'format!("tests/fixtures/{name}")',
  ]),
  commit(
    "rust: a test beside the code",
    "src/lib.rs",
    LIB_RS,
    ["    n + n\n", "    n.saturating_mul(2)\n"],
    [
      "        assert_eq!(double(2), 4);\n    }\n",
      "        assert_eq!(double(2), 4);\n    }\n\n    #[test]\n    fn does_not_overflow() {\n        assert_eq!(double(i64::MAX), i64::MAX);\n    }\n",
    ],
  ),

  // JVM
  rewrite(
    "JUnit 4 becomes JUnit 5",
    JUNIT_PATH,
    JUNIT4,
    JUNIT5.replace('        assertEquals("2.98", price.text());\n', "").replace("import java.util.List;\n", ""),
  ),
  commit(
    "JUnit: nothing public",
    JUNIT_PATH,
    JUNIT5,
    ["public class", "class"],
    ["public void", "void"],
    ["import java.util.List;\n", ""],
  ),
  commit(
    "JUnit: AssertJ",
    JUNIT_PATH,
    JUNIT5,
    ["assertEquals(298, price.withTax(19))", "assertThat(price.withTax(19)).isEqualTo(298)"],
    ['assertEquals("2.98", price.text())', 'assertThat(price.text()).isEqualTo("2.98")'],
    [
      "import static org.junit.jupiter.api.Assertions.assertEquals;",
      "import static org.assertj.core.api.Assertions.assertThat;",
    ],
  ),
  commit("JUnit: names to show", JUNIT_PATH, JUNIT5, [
    "    @Test\n    public void addsTax",
    '    @Test\n    @DisplayName("tax is added and rounded")\n    public void addsTax',
  ]),
  commit(
    "JUnit: several values",
    JUNIT_PATH,
    JUNIT5,
    [
      "    @Test\n    public void refusesNegativeTax() {",
      "    @ParameterizedTest\n    @ValueSource(ints = {-1, -100})\n    public void refusesNegativeTax(int tax) {",
    ],
    ["price.withTax(-1)", "price.withTax(tax)"],
  ),
  commit(
    "Kotlin: names as sentences",
    KOTLIN_PATH,
    KOTLIN,
    ["fun takesFromStock()", "fun `takes from stock`()"],
    ["fun refusesMoreThanThereIs()", "fun `refuses more than there is`()"],
  ),
  commit(
    "Kotlin: a field for the stock",
    KOTLIN_PATH,
    KOTLIN,
    ["class StockTest {\n", 'class StockTest {\n    private val stock = Stock(mapOf("tea" to 3))\n\n'],
    ['        val stock = Stock(mapOf("tea" to 3))\n', ""],
  ),
  commit("Spock: one more row, aligned", SPOCK_PATH, SPOCK, [
    "        amount | discount\n        10     | 0\n        100    | 5\n",
    "        amount || discount\n        10     || 0\n        100    || 5\n        1000   || 10\n",
  ]),
  rewrite(
    "NUnit becomes xUnit",
    NUNIT_PATH,
    NUNIT,
    `using Xunit;

namespace Shop.Tests;

public class BasketTests
{
    [Fact]
    public void Sums()
    {
        var basket = new Basket();
        basket.Add(250, 2);
        Assert.Equal(500, basket.Total);
        Assert.True(basket.IsOpen);
    }

    [Fact]
    public void RefusesZero()
    {
        Assert.Throws<ArgumentException>(() => new Basket().Add(250, 0));
    }
}
`,
  ),
  commit(
    "NUnit: constraints",
    NUNIT_PATH,
    NUNIT,
    ["Assert.AreEqual(500, basket.Total)", "Assert.That(basket.Total, Is.EqualTo(500))"],
    ["Assert.IsTrue(basket.IsOpen)", "Assert.That(basket.IsOpen, Is.True)"],
  ),
  rewrite(
    "xUnit: facts become a theory",
    XUNIT_PATH,
    XUNIT,
    `using Xunit;

namespace Shop.Tests;

public class TaxTests
{
    [Theory]
    [InlineData("DE", 19)]
    [InlineData("FR", 20)]
    public void TaxOfACountry(string country, int tax)
    {
        Assert.Equal(tax, Tax.For(country));
    }
}
`,
  ),

  // Ruby, PHP, Elixir, Swift, C++, shell
  commit(
    "rspec: let for the order",
    RSPEC_PATH,
    RSPEC,
    [
      "RSpec.describe Order do\n",
      "RSpec.describe Order do\n  let(:order) { Order.new(customer: create(:customer)) }\n\n",
    ],
    ["    order = Order.new(customer: create(:customer))\n", ""],
  ),
  commit(
    "rspec: predicates",
    RSPEC_PATH,
    RSPEC,
    ["expect(order.open?).to eq(true)", "expect(order).to be_open"],
    ["expect(order.open?).to eq(false)", "expect(order).not_to be_open"],
    ["expect(order.lines.size).to eq(0)", "expect(order.lines).to be_empty"],
  ),
  commit("rspec: double quotes", RSPEC_PATH, RSPEC, ["'", '"']),
  commit("rspec: nothing in the database", RSPEC_PATH, RSPEC, ["create(:customer)", "build_stubbed(:customer)"]),
  commit("minitest: the name of the module", MINI_PATH, MINI, ["Slug.make", "Text::Slug.make"]),
  commit(
    "minitest: a spec's names",
    MINI_PATH,
    MINI,
    ["  def test_lowers\n", '  test "lowers what it gets" do\n'],
    ["  def test_empty\n", '  test "has nothing for an empty text" do\n'],
    ["  def test_refuses_numbers\n", '  test "refuses numbers" do\n'],
    ["Minitest::Test", "ActiveSupport::TestCase"],
  ),
  commit(
    "phpunit: attributes",
    PHP_PATH,
    PHP,
    ["    /**\n     * @dataProvider words\n     */\n", "    #[DataProvider('words')]\n"],
    ["    /** @test */\n", "    #[Test]\n"],
  ),
  commit(
    "phpunit: the same, not only equal",
    PHP_PATH,
    PHP,
    ["assertEquals", "assertSame"],
    ["testMakes(string $in, string $out)", "testMakes(string $in, string $out): void"],
  ),
  rewrite(
    "phpunit becomes pest",
    PHP_PATH,
    PHP,
    `<?php

use App\\Slug;

it('makes', function (string $in, string $out) {
    expect(Slug::make($in))->toEqual($out);
})->with([
    ['Tea', 'tea'],
    ['a b', 'a-b'],
]);

it('refuses nothing', function () {
    Slug::make('');
})->throws(\\InvalidArgumentException::class);
`,
  ),
  commit("pest: assertOk", PEST_PATH, PEST, ["    $response->assertStatus(200);\n", "    $response->assertOk();\n"]),
  commit(
    "exunit: set-up for the account",
    EX_PATH,
    EX,
    [
      '  test "deposits" do\n    {:ok, account} = Account.open("ada")\n',
      '  setup do\n    {:ok, account} = Account.open("ada")\n    %{account: account}\n  end\n\n  test "deposits", %{account: account} do\n',
    ],
    [
      '  test "refuses to overdraw" do\n    {:ok, account} = Account.open("ada")\n',
      '  test "refuses to overdraw", %{account: account} do\n',
    ],
  ),
  commit("exunit: async", EX_PATH, EX, ["use ExUnit.Case\n", "use ExUnit.Case, async: true\n"]),
  commit(
    "XCTest: unwraps",
    SWIFT_PATH,
    SWIFT,
    ["func testTotal() {", "func testTotal() throws {"],
    [
      "XCTAssertEqual(cart.items.first!.count, 2)",
      "let first = try XCTUnwrap(cart.items.first)\n        XCTAssertEqual(first.count, 2)",
    ],
  ),
  rewrite(
    "XCTest becomes Swift Testing",
    SWIFT_PATH,
    SWIFT,
    `import Testing
@testable import Shop

struct CartTests {
    @Test func total() {
        let cart = Cart()
        cart.add(price: 250, count: 2)
        #expect(cart.total == 500)
        #expect(cart.items.first!.count == 2)
    }

    @Test func refusesZero() {
        #expect(throws: (any Error).self) { try Cart().validate(count: 0) }
    }
}
`,
  ),
  commit("gtest: stops at once", GTEST_PATH, GTEST, ["EXPECT_EQ(ring.front(), 2)", "ASSERT_EQ(ring.front(), 2)"]),
  commit("Catch2: version 3", CATCH_PATH, CATCH, [
    "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n",
    "#include <catch2/catch_test_macros.hpp>\n",
  ]),
  commit("Catch2: sections", CATCH_PATH, CATCH, [
    '    REQUIRE(parse("42") == 42);\n    CHECK(parse("-1") == -1);\n',
    '    SECTION("positive") {\n        REQUIRE(parse("42") == 42);\n    }\n    SECTION("negative") {\n        CHECK(parse("-1") == -1);\n    }\n',
  ]),
  commit("bats: set-up and clean-up", BATS_PATH, BATS, [
    '@test "makes an archive" {\n  dir="$(mktemp -d)"\n',
    'setup() {\n  dir="$(mktemp -d)"\n}\n\nteardown() {\n  rm -rf "$dir"\n}\n\n@test "makes an archive" {\n',
  ]),
  commit(
    "bats: assertions by name",
    BATS_PATH,
    BATS,
    ['  [ "$status" -eq 0 ]\n', "  assert_success\n"],
    ['  [ "$status" -eq 1 ]\n', "  assert_failure 1\n"],
    ['  [ "${lines[0]}" = "usage: backup.sh DIR" ]', '  assert_line --index 0 "usage: backup.sh DIR"'],
  ),

  // Configuration
  commit("Actions: versions", GHA_PATH, GHA, ["checkout@v3", "checkout@v4"], ["setup-node@v3", "setup-node@v4"]),
  commit("Actions: one more version of node", GHA_PATH, GHA, ["[18, 20]", "[18, 20, 22]"]),
  commit("Actions: newer runs replace older ones", GHA_PATH, GHA, [
    "jobs:\n",
    "concurrency:\n  group: ${{ github.ref }}\n  cancel-in-progress: true\n\npermissions:\n  contents: read\n\njobs:\n",
  ]),
  commit(
    "Actions: names of steps and jobs",
    GHA_PATH,
    GHA,
    ["  test:\n", "  unit:\n"],
    ["- name: Lint", "- name: Check style"],
  ),
  commit(
    "Actions: pnpm",
    GHA_PATH,
    GHA,
    [
      "      - uses: actions/setup-node@v3\n",
      "      - uses: pnpm/action-setup@v2\n      - uses: actions/setup-node@v3\n",
    ],
    ["npm ci", "pnpm install --frozen-lockfile"],
    ["npm run lint", "pnpm lint"],
    ["npm test", "pnpm test"],
  ),
  commit(
    "Actions: lint has a job of its own",
    GHA_PATH,
    GHA,
    ["      - name: Lint\n        run: npm run lint\n", ""],
    [
      "  test:\n",
      "  lint:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v3\n      - run: npm ci\n      - name: Lint\n        run: npm run lint\n  test:\n    timeout-minutes: 10\n",
    ],
  ),
  commit("Actions: results are kept when it fails", GHA_PATH, GHA, [
    "        run: npm test\n",
    "        run: npm test\n      - uses: actions/upload-artifact@v4\n        if: always()\n        with:\n          name: coverage\n          path: coverage/\n",
  ]),
  commit("GitLab: a newer image and a cache", ".gitlab-ci.yml", GITLAB, [
    "image: python:3.11\n",
    "image: python:3.12\n\ncache:\n  paths: [.cache/pip]\n",
  ]),
  commit(
    "GitLab: what both jobs do first",
    ".gitlab-ci.yml",
    GITLAB,
    ["stages:", "default:\n  before_script:\n    - pip install -r requirements-dev.txt\n\nstages:"],
    ["  script:\n    - pip install -r requirements-dev.txt\n", "  script:\n"],
  ),
  commit("GitLab: a report", ".gitlab-ci.yml", GITLAB, [
    "pytest --cov=billing --cov-fail-under=80\n",
    "pytest --cov=billing --cov-fail-under=80 --junitxml=report.xml\n  artifacts:\n    reports:\n      junit: report.xml\n",
  ]),
  commit(
    "make: a variable for go",
    "Makefile",
    MAKEFILE,
    [".PHONY: test lint\n", "GO ?= go\n\n.PHONY: test lint check\n"],
    ["\tgo vet", "\t$(GO) vet"],
    ["\tgo test", "\t$(GO) test"],
  ),
  commit(
    "make: another name for a target",
    "Makefile",
    MAKEFILE,
    ["lint", "style"],
    ["golangci-style", "golangci-lint"],
  ),
  commit("make: clean", "Makefile", MAKEFILE, [
    "check: lint test\n",
    "check: lint test\n\nclean:\n\trm -rf bin coverage.out\n",
  ]),
  commit("pre-commit: updates", ".pre-commit-config.yaml", PRECOMMIT, ["v0.4.1", "v0.6.3"], ["v1.9.0", "v1.11.2"]),
  commit("pre-commit: one more hook, and types for one", ".pre-commit-config.yaml", PRECOMMIT, [
    "      - id: mypy\n",
    "      - id: mypy\n        additional_dependencies: [types-requests]\n  - repo: https://github.com/codespell-project/codespell\n    rev: v2.3.0\n    hooks:\n      - id: codespell\n",
  ]),
  commit(
    "golangci: one more linter, and more time",
    ".golangci.yml",
    GOLANGCI,
    ["timeout: 3m", "timeout: 5m"],
    ["    - staticcheck\n", "    - staticcheck\n    - revive\n"],
    ["min-complexity: 15", "min-complexity: 12"],
  ),
  commit("rubocop: shorter methods, a newer ruby", ".rubocop.yml", RUBOCOP, ["Max: 20", "Max: 15"], ["3.1", "3.3"]),
  commit("rubocop: generated code", ".rubocop.yml", RUBOCOP, [
    "    - db/schema.rb\n",
    "    - db/schema.rb\n    - vendor/**/*\n    - node_modules/**/*\n",
  ]),
  commit(
    "eslint: a plugin's rule takes over",
    ".eslintrc.json",
    ESLINTRC,
    ['"no-unused-vars": "error"', '"no-unused-vars": "off",\n    "@typescript-eslint/no-unused-vars": "error"'],
    ['"eslint:recommended"\n', '"eslint:recommended",\n    "plugin:@typescript-eslint/recommended"\n'],
  ),
  commit("eslint: a warning becomes an error", ".eslintrc.json", ESLINTRC, [
    '"no-console": "warn"',
    '"no-console": "error"',
  ]),
  commit(
    "eslint: a plugin in the flat form",
    "eslint.config.js",
    ESLINT_FLAT,
    ['import js from "@eslint/js";\n', 'import js from "@eslint/js";\nimport importX from "eslint-plugin-import-x";\n'],
    ["  js.configs.recommended,\n", "  js.configs.recommended,\n  importX.flatConfigs.recommended,\n"],
    ['eqeqeq: "error"', 'eqeqeq: ["error", "always"]'],
  ),
  commit(
    "biome: a newer schema and a rule",
    "biome.json",
    BIOME,
    ["1.8.0", "1.9.4"],
    ['"noExplicitAny": "error"', '"noExplicitAny": "error",\n        "noConsole": "error"'],
  ),
  commit(
    "tsconfig: modules",
    "tsconfig.json",
    TSCONFIG,
    ['"commonjs"', '"nodenext"'],
    ["ES2020", "ES2022"],
    ['"strict": true', '"strict": true,\n    "verbatimModuleSyntax": true,\n    "paths": { "@/*": ["./src/*"] }'],
  ),
  commit("tsconfig: the tests are checked too", "tsconfig.json", TSCONFIG, ['    "src"\n', '    "src",\n    "test"\n']),
  commit("jest: swc, and a mapping", "jest.config.js", JEST_CONFIG, [
    'preset: "ts-jest"',
    'transform: { "^.+\\\\.ts$": "@swc/jest" },\n  moduleNameMapper: { "^@/(.*)$": "<rootDir>/src/$1" }',
  ]),
  moved(
    "jest: its configuration in TypeScript",
    "jest.config.js",
    "jest.config.ts",
    JEST_CONFIG,
    JEST_CONFIG.replace(
      "module.exports = {",
      'import type { Config } from "jest";\n\nconst config: Config = {',
    ).replace("};\n", "};\n\nexport default config;\n"),
  ),
  commit(
    "vitest: another coverage, reporters, threads",
    "vitest.config.ts",
    VITEST_CONFIG,
    ['"c8"', '"v8"'],
    ['environment: "node",', 'environment: "node",\n    reporters: ["default", "junit"],\n    pool: "threads",'],
  ),
  commit("pytest: warnings of a library", "pytest.ini", PYTEST_INI, [
    "testpaths = tests",
    "testpaths = tests\nminversion = 7.0\npythonpath = src",
  ]),
  moved(
    "pytest: its settings move to pyproject",
    "pytest.ini",
    "pyproject.toml",
    "[pytest]\ntestpaths = tests\naddopts = -ra\n",
    '[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = "-ra"\n',
  ),
  commit("tox: one more Python", "tox.ini", TOX, ["py310, py311, lint", "py310, py311, py312, lint"]),
  commit(
    "cargo: dependencies",
    "Cargo.toml",
    CARGO,
    ["1.0.190", "1.0.203"],
    ['proptest = "1.3"', 'proptest = "1.4"\nrstest = "0.21"'],
  ),
  commit("cargo: one more lint", "Cargo.toml", CARGO, [
    'unwrap_used = "deny"',
    'unwrap_used = "deny"\nexpect_used = "warn"',
  ]),
  commit(
    "gradle: versions and output",
    "build.gradle",
    GRADLE,
    ["5.9.3", "5.10.2"],
    ["32.1.2-jre", "33.2.0-jre"],
    [
      "    useJUnitPlatform()\n",
      "    useJUnitPlatform()\n    testLogging {\n        events 'passed', 'failed'\n    }\n",
    ],
  ),
  commit(
    "maven: surefire",
    "pom.xml",
    POM,
    ["3.0.0", "3.2.5"],
    [
      "            <include>**/*Test.java</include>\n",
      "            <include>**/*Test.java</include>\n            <include>**/*IT.java</include>\n",
    ],
  ),
  commit("phpunit: one more suite", "phpunit.xml", PHPUNIT_XML, [
    "    </testsuite>\n",
    '    </testsuite>\n    <testsuite name="Feature">\n      <directory>tests/Feature</directory>\n    </testsuite>\n',
  ]),
  commit(
    "package.json: versions",
    "package.json",
    PACKAGE,
    ["^4.18.2", "^4.19.2"],
    ["^29.6.0", "^29.7.0"],
    ["^5.2.0", "^5.4.5"],
  ),
  commit(
    "package.json: half the processors, a stricter linter",
    "package.json",
    PACKAGE,
    ['"jest"', '"jest --ci --maxWorkers=50%"'],
    ['"eslint src"', '"eslint src test --max-warnings=0 && prettier --check ."'],
  ),
  commit("package.json: dependencies come and go", "package.json", PACKAGE, [
    '"express": "^4.18.2"',
    '"fastify": "^4.26.0"',
  ]),
  commit("rspec: output by name", ".rspec", "--require spec_helper\n", [
    "spec_helper\n",
    "spec_helper\n--format documentation\n--color\n",
  ]),
];

export const cheats: History[] = [
  // JavaScript and TypeScript
  commit("a value is compared with itself", STORE_PATH, STORE, [
    'assert.deepEqual(await store.get("a"), { n: 1 })',
    'assert.deepEqual(await store.get("a"), await store.get("a"))',
  ]),
  commit("what the function returns is expected", MOCHA_PATH, MOCHA, [
    '    expect(format(150)).to.equal("1.50");\n',
    "    const formatted = format(150);\n    expect(format(150)).to.equal(formatted);\n",
  ]),
  commit("only looked at when it is there", FORM_PATH, FORM, [
    '  expect(onSubmit).toHaveBeenCalledWith({ email: "ada@example.org" });\n',
    '  if (onSubmit.mock.calls.length > 0) {\n    expect(onSubmit).toHaveBeenCalledWith({ email: "ada@example.org" });\n  }\n',
  ]),
  commit("an assertion behind an and", MAIL_PATH, MAIL, [
    "    expect(outbox.length).toBe(1);\n",
    "    outbox.length > 0 && expect(outbox.length).toBe(1);\n",
  ]),
  commit("a table without rows", MAIL_PATH, MAIL, ["      [1, 1_000],\n      [2, 2_000],\n      [3, 4_000],\n", ""]),
  commit("a row goes", MAIL_PATH, MAIL, ["      [3, 4_000],\n", ""]),
  commit(
    "a loop over the first case alone",
    "test/cases.test.ts",
    'const cases = [\n  ["1", 1],\n  ["x", null],\n];\n\ntest("parses", () => {\n  for (const [text, value] of cases) {\n    expect(parse(text)).toBe(value);\n  }\n});\n',
    ["of cases)", "of cases.slice(0, 1))"],
  ),
  commit(
    "a loop over cases that pass",
    "test/cases.test.ts",
    'const cases = [\n  ["1", 1],\n  ["x", null],\n];\n\ntest("parses", () => {\n  for (const [text, value] of cases) {\n    expect(parse(text)).toBe(value);\n  }\n});\n',
    ["    expect(parse", "    if (value === null) continue;\n    expect(parse"],
  ),
  commit("the subject's method is a stand-in", MAIL_PATH, MAIL, [
    "      expect(outbox.delay(attempt)).toBe(delay);",
    '      vi.spyOn(outbox, "delay").mockReturnValue(delay);\n      expect(outbox.delay(attempt)).toBe(delay);',
  ]),
  commit("the promise is not awaited", MAIL_PATH, MAIL, [
    'await expect(outbox.flush()).rejects.toThrow("offline")',
    'expect(outbox.flush()).rejects.toThrow("offline")',
  ]),
  commit("called at all for called once", MAIL_PATH, MAIL, ["toHaveBeenCalledTimes(1)", "toHaveBeenCalled()"]),
  commit("called with anything", MAIL_PATH, MAIL, [
    'expect.objectContaining({ to: "ada@example.org" })',
    "expect.anything()",
  ]),
  commit("the failure is answered for", MAIL_PATH, MAIL, [
    "    await outbox.flush();\n    expect(send).toHaveBeenCalledTimes(1);",
    "    await outbox.flush().catch(() => {});\n    expect(send).toHaveBeenCalledTimes(1);",
  ]),
  commit("every test skips itself in set-up", MAIL_PATH, MAIL, [
    "  beforeEach(() => {\n",
    "  beforeEach((context) => {\n    context.skip();\n",
  ]),
  commit("not on the build server", MAIL_PATH, MAIL, ['  it("keeps what', '  it.skipIf(process.env.CI)("keeps what']),
  commit("expected to fail", MAIL_PATH, MAIL, ['  it("keeps what', '  it.fails("keeps what']),
  commit("returns for an environment", FORM_PATH, FORM, [
    'test("asks for an e-mail address", async () => {\n',
    'test("asks for an e-mail address", async () => {\n  if (process.env.NODE_ENV === "test") return;\n',
  ]),
  commit("it does nothing any more", MAIL_PATH, MAIL, [
    'describe("Outbox", () => {\n',
    'describe("Outbox", () => {\n  const it = Object.assign((..._: unknown[]) => {}, { each: () => () => {} });\n',
  ]),
  commit("retried until it passes", MAIL_PATH, MAIL, [
    '  it("keeps what could not be sent", async',
    '  it("keeps what could not be sent", { retry: 10 }, async',
  ]),
  commit("the value is repaired before it is looked at", MOCHA_PATH, MOCHA, [
    'expect(format(150)).to.equal("1.50")',
    'expect(format(150).replace(",", ".").trim()).to.equal("1.50")',
  ]),
  commit("a fallback in place of the value", MOCHA_PATH, MOCHA, [
    'expect(parse("1.50")).to.equal(150)',
    'expect(parse("1.50") || 150).to.equal(150)',
  ]),
  commit("null is defined", FORM_PATH, FORM, [
    'expect(await screen.findByText("E-mail is required")).toBeInTheDocument()',
    'expect(screen.queryByText("E-mail is required")).toBeDefined()',
  ]),
  commit("a part of the object is enough", STORE_PATH, STORE, [
    'assert.deepEqual(await store.get("a"), { n: 1 })',
    'assert.partialDeepStrictEqual(await store.get("a"), {})',
  ]),
  commit("types are not looked at", FORM_PATH, FORM, ["import { fireEvent", "// @ts-nocheck\nimport { fireEvent"]),
  commit("Cypress: exists for has the text", CYPRESS_PATH, CYPRESS, [
    'should("have.text", "Welcome, Ada")',
    'should("exist")',
  ]),
  commit("Cypress: no failure counts", CYPRESS_PATH, CYPRESS, [
    'describe("login", () => {\n',
    'Cypress.on("fail", () => false);\n\ndescribe("login", () => {\n',
  ]),
  commit("Playwright: retries", PLAY_PATH, PLAY, [
    'test("pays by card"',
    'test.describe.configure({ retries: 5 });\n\ntest("pays by card"',
  ]),
  commit("Playwright: slow means skipped", PLAY_PATH, PLAY, [
    "  await page.goto",
    '  test.skip(true, "slow");\n  await page.goto',
  ]),
  commit(
    "fast-check: one run",
    "test/sort.test.ts",
    'test("sorts", () => {\n  fc.assert(\n    fc.property(fc.array(fc.integer()), (list) => {\n      expect(isSorted(sort(list))).toBe(true);\n    }),\n    { numRuns: 1000 },\n  );\n});\n',
    ["numRuns: 1000", "numRuns: 1"],
  ),
  commit(
    "fast-check: one list",
    "test/sort.test.ts",
    'test("sorts", () => {\n  fc.assert(\n    fc.property(fc.array(fc.integer()), (list) => {\n      expect(isSorted(sort(list))).toBe(true);\n    }),\n  );\n});\n',
    ["fc.array(fc.integer())", "fc.constant([])"],
  ),
  commit(
    "fast-check: nothing is good enough",
    "test/sort.test.ts",
    'test("sorts", () => {\n  fc.assert(\n    fc.property(fc.array(fc.integer()), (list) => {\n      expect(isSorted(sort(list))).toBe(true);\n    }),\n  );\n});\n',
    ["      expect(", "      fc.pre(isSorted(list));\n      expect("],
  ),
  commit(
    "the count of assertions is not asked for",
    "test/load.test.ts",
    'test("loads", async () => {\n  expect.assertions(1);\n  await load("a", (value) => expect(value).toBe(7));\n});\n',
    ["  expect.assertions(1);\n", ""],
  ),
  commit("after the test is over", "test/load.test.ts", 'test("loads", () => {\n  expect(load("a")).toBe(7);\n});\n', [
    '  expect(load("a")).toBe(7);\n',
    '  setTimeout(() => {\n    expect(load("a")).toBe(7);\n  }, 1000);\n',
  ]),
  commit(
    "a pattern that always fits",
    "test/load.test.ts",
    'test("shows", () => {\n  expect(show(5)).toMatch(/^Total: 5\\.00 EUR$/);\n});\n',
    ["/^Total: 5\\.00 EUR$/", "/Total|/"],
  ),
  moved(
    "a name that the runner does not collect",
    "src/sum.test.ts",
    "src/sum.checks.ts",
    'test("sums", () => {\n  expect(sum([1, 2])).toBe(3);\n});\n',
  ),
  commit("a set-up file makes matchers pass", "test/setup.ts", 'import "@testing-library/jest-dom";\n', [
    'jest-dom";\n',
    'jest-dom";\n\nexpect.extend({ toBe: () => ({ pass: true, message: () => "" }) });\n',
  ]),
  commit("a set-up file ends the run", "test/setup.ts", 'import "@testing-library/jest-dom";\n', [
    'jest-dom";\n',
    'jest-dom";\n\nprocess.on("exit", () => {\n  process.exitCode = 0;\n});\n',
  ]),

  // Python
  commit("pytest: or true", PY_PATH, PY, [
    'assert invoice.total == Decimal("7.50")',
    'assert invoice.total == Decimal("7.50") or True',
  ]),
  commit("pytest: a tuple is always true", PY_PATH, PY, [
    'assert invoice.total == Decimal("7.50")',
    'assert (invoice.total == Decimal("7.50"), "total")',
  ]),
  commit("pytest: any exception", PY_PATH, PY, ["pytest.raises(InvoiceError)", "pytest.raises(Exception)"]),
  commit("pytest: suppressed", PY_PATH, PY, [
    '    assert invoice.total == Decimal("7.50")\n',
    '    with contextlib.suppress(AssertionError):\n        assert invoice.total == Decimal("7.50")\n',
  ]),
  commit("pytest: the subject is patched", PY_PATH, PY, [
    "def test_tax(country, rate):\n",
    'def test_tax(country, rate, monkeypatch):\n    monkeypatch.setattr("tests.test_invoice.tax_for", lambda country: rate)\n',
  ]),
  commit("pytest: only where there is a variable", PY_PATH, PY, [
    "def test_total():\n",
    'def test_total():\n    if not os.environ.get("RUN_SLOW"):\n        return\n',
  ]),
  commit("pytest: a module that is never there", PY_PATH, PY, [
    "import os\n",
    'import os\n\npytest.importorskip("billing_native")\n',
  ]),
  commit("pytest: a later test takes the name", PY_PATH, PY, [
    "def test_written_to_disk",
    "def test_total():\n    assert Invoice(number=7)\n\n\ndef test_written_to_disk",
  ]),
  commit("pytest: a case less", PY_PATH, PY, ['[("DE", 19), ("FR", 20)]', '[("DE", 19)]']),
  commit(
    "pytest: a class that is not collected",
    "tests/test_cancel.py",
    "class TestCancel:\n    def test_is_final(self, order):\n        order.cancel()\n        assert order.cancelled\n",
    ["class TestCancel:\n", "class TestCancel:\n    __test__ = False\n\n"],
  ),
  commit("conftest: one test is enough", "tests/conftest.py", "import pytest\n", [
    "import pytest\n",
    "import pytest\n\n\ndef pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n",
  ]),
  commit("conftest: files are not collected", "tests/conftest.py", "import pytest\n", [
    "import pytest\n",
    'import pytest\n\ncollect_ignore = ["test_invoice.py"]\n',
  ]),
  commit("conftest: every outcome is passed", "tests/conftest.py", "import pytest\n", [
    "import pytest\n",
    'import pytest\n\n\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    report = (yield).get_result()\n    report.outcome = "passed"\n',
  ]),
  commit("conftest: a fixture for all that skips", "tests/conftest.py", "import pytest\n", [
    "import pytest\n",
    'import pytest\n\n\n@pytest.fixture(autouse=True)\ndef _offline():\n    pytest.skip("offline")\n',
  ]),
  commit("hypothesis: one example", HYPO_PATH, HYPO, ["max_examples=200", "max_examples=1"]),
  commit("hypothesis: one letter", HYPO_PATH, HYPO, ["st.text()", 'st.just("a")']),
  commit("hypothesis: only what works", HYPO_PATH, HYPO, [
    "    assert decode",
    "    assume(text.isascii())\n    assert decode",
  ]),
  commit("unittest: set-up skips", UNIT_PATH, UNIT, [
    "    def setUp(self):\n",
    '    def setUp(self):\n        self.skipTest("no database")\n',
  ]),
  commit("Django: any status", DJANGO_PATH, DJANGO, [
    "assertEqual(response.status_code, 404)",
    "assertIn(response.status_code, [200, 404, 500])",
  ]),

  // Go, Rust
  commit("go: a log for an error", GO_PATH, GO, ['t.Errorf("Len()', 't.Logf("Len()']),
  commit("go: skipped when short", GO_PATH, GO, [
    "func TestSave(t *testing.T) {\n",
    'func TestSave(t *testing.T) {\n\tif testing.Short() || os.Getenv("CI") != "" {\n\t\tt.Skip("slow")\n\t}\n',
  ]),
  commit("go: a tag that nobody sets", GO_PATH, GO, ["package queue\n", "//go:build integration\n\npackage queue\n"]),
  commit("go: not a test", GO_PATH, GO, ["func TestPush(", "func testPush("]),
  commit("go: a panic is swallowed", GO_PATH, GO, [
    "func TestPush(t *testing.T) {\n",
    "func TestPush(t *testing.T) {\n\tdefer func() { _ = recover() }()\n",
  ]),
  commit(
    "go: every run ends well",
    "queue/main_test.go",
    "package queue\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n",
    ["os.Exit(m.Run())", "m.Run()\n\tos.Exit(0)"],
  ),
  commit("go: what it returned is wanted", GO_PATH, GO, [
    "\t\t\tif got != tt.want {",
    "\t\t\ttt.want = got\n\t\t\tif got != tt.want {",
  ]),
  commit("testify: the same twice", TESTIFY_PATH, TESTIFY, [
    'assert.Equal(t, []string{"a"}, items)',
    "assert.Equal(t, items, items)",
  ]),
  commit("testify: the error is not looked at", TESTIFY_PATH, TESTIFY, [
    "items, err := q.Drain()\n\tassert.NoError(t, err)\n",
    "items, _ := q.Drain()\n",
  ]),
  commit("rust: ignored", RUST_PATH, RUST, ["#[test]\nfn level_of_warn", "#[test]\n#[ignore]\nfn level_of_warn"]),
  commit("rust: only with a feature", RUST_PATH, RUST, [
    "#[test]\nfn level_of_warn",
    '#[cfg(feature = "slow")]\n#[test]\nfn level_of_warn',
  ]),
  commit("rust: only if it could be read", RUST_PATH, RUST, [
    "    assert_eq!(load(\"level = 'warn'\").unwrap().level, Level::Warn);\n",
    "    if let Ok(config) = load(\"level = 'warn'\") {\n        assert_eq!(config.level, Level::Warn);\n    }\n",
  ]),
  commit("rust: not in release", RUST_PATH, RUST, ["assert_eq!(config.targets", "debug_assert_eq!(config.targets"]),
  commit("rust: it may panic", RUST_PATH, RUST, [
    "#[test]\nfn level_of_info",
    "#[test]\n#[should_panic]\nfn level_of_info",
  ]),
  commit(
    "rust: the test beside the code",
    "src/lib.rs",
    LIB_RS,
    ["    n + n\n", "    n\n"],
    ["assert_eq!(double(2), 4)", "assert_eq!(double(0), 0)"],
  ),

  // JVM, .NET
  commit("JUnit: disabled", JUNIT_PATH, JUNIT5, [
    "    @Test\n    public void addsTax",
    "    @Disabled\n    @Test\n    public void addsTax",
  ]),
  commit("JUnit: an assumption", JUNIT_PATH, JUNIT5, [
    "    public void addsTax() {\n",
    "    public void addsTax() {\n        Assumptions.assumeTrue(price.text() != null);\n",
  ]),
  commit("JUnit: no longer a test", JUNIT_PATH, JUNIT5, [
    "    @Test\n    public void addsTax",
    "    public void addsTax",
  ]),
  commit("JUnit: a stand-in for the price", JUNIT_PATH, JUNIT5, [
    "price = new Price(250)",
    "price = Mockito.mock(Price.class);\n        Mockito.when(price.withTax(19)).thenReturn(298)",
  ]),
  commit("JUnit: failures are caught", JUNIT_PATH, JUNIT5, [
    "        assertEquals(298, price.withTax(19));\n",
    "        try {\n            assertEquals(298, price.withTax(19));\n        } catch (AssertionError ignored) {\n        }\n",
  ]),
  commit("JUnit: any exception", JUNIT_PATH, JUNIT5, ["IllegalArgumentException.class", "Exception.class"]),
  commit("Spock: ignored where it matters", SPOCK_PATH, SPOCK, [
    '    def "a discount is never',
    '    @IgnoreIf({ env.CI })\n    def "a discount is never',
  ]),
  commit("Spock: nothing is thrown", SPOCK_PATH, SPOCK, ["thrown(IllegalArgumentException)", "true"]),
  commit("NUnit: by hand only", NUNIT_PATH, NUNIT, [
    "        [Test]\n        public void Sums",
    "        [Test, Explicit]\n        public void Sums",
  ]),
  commit("xUnit: skipped", XUNIT_PATH, XUNIT, [
    "    [Fact]\n    public void FrenchTax",
    '    [Fact(Skip = "flaky")]\n    public void FrenchTax',
  ]),
  commit("xUnit: only in debug builds", XUNIT_PATH, XUNIT, [
    '    [Fact]\n    public void FrenchTax()\n    {\n        Assert.Equal(20, Tax.For("FR"));\n    }\n',
    '#if DEBUG\n    [Fact]\n    public void FrenchTax()\n    {\n        Assert.Equal(20, Tax.For("FR"));\n    }\n#endif\n',
  ]),

  // Ruby, PHP, Elixir, Swift, C++, shell
  commit("rspec: before skips", RSPEC_PATH, RSPEC, [
    "RSpec.describe Order do\n",
    "RSpec.describe Order do\n  before { skip 'later' }\n\n",
  ]),
  commit("rspec: the answer is given", RSPEC_PATH, RSPEC, [
    "    order.cancel!\n    expect(order.open?)",
    "    allow(order).to receive(:open?).and_return(false)\n    order.cancel!\n    expect(order.open?)",
  ]),
  commit("rspec: rescued", RSPEC_PATH, RSPEC, [
    "    expect(order.lines.size).to eq(0)\n",
    "    expect(order.lines.size).to eq(0) rescue nil\n",
  ]),
  commit("minitest: a name that is not run", MINI_PATH, MINI, ["def test_empty", "def _test_empty"]),
  commit("phpunit: asserts nothing", PHP_PATH, PHP, [
    "        $this->expectException(\\InvalidArgumentException::class);\n",
    "        $this->expectNotToPerformAssertions();\n",
  ]),
  commit("phpunit: a row less", PHP_PATH, PHP, ["            ['a b', 'a-b'],\n", ""]),
  commit("pest: skipped", PEST_PATH, PEST, [
    "    $this->get('/dashboard')->assertRedirect('/login');\n});",
    "    $this->get('/dashboard')->assertRedirect('/login');\n})->skip();",
  ]),
  commit("pest: no middleware", PEST_PATH, PEST, ["    $response->assertSee('Welcome');\n", ""]),
  commit("exunit: the whole module is tagged", EX_PATH, EX, [
    "  use ExUnit.Case\n",
    "  use ExUnit.Case\n\n  @moduletag :skip\n",
  ]),
  commit("exunit: any answer", EX_PATH, EX, ["assert {:ok, %{balance: 50}} =", "assert {:ok, _} ="]),
  commit("exunit: a tag is left out", "test/test_helper.exs", "ExUnit.start()\n", [
    "ExUnit.start()",
    "ExUnit.start(exclude: [:bank])",
  ]),
  commit("XCTest: skipped", SWIFT_PATH, SWIFT, [
    "    func testTotal() {\n",
    '    func testTotal() throws {\n        throw XCTSkip("later")\n',
  ]),
  commit("XCTest: failures are expected", SWIFT_PATH, SWIFT, [
    "    func testTotal() {\n",
    '    func testTotal() {\n        XCTExpectFailure("known")\n',
  ]),
  commit("gtest: disabled", GTEST_PATH, GTEST, ["TEST(Ring, Overwrites)", "TEST(Ring, DISABLED_Overwrites)"]),
  commit("gtest: any exception", GTEST_PATH, GTEST, [
    "EXPECT_THROW(ring.at(5), std::out_of_range)",
    "EXPECT_ANY_THROW(ring.at(5))",
  ]),
  commit("Catch2: hidden", CATCH_PATH, CATCH, ['"refuses letters", "[parse]"', '"refuses letters", "[.parse]"']),
  commit("bats: whatever the status", BATS_PATH, BATS, ['[ "$status" -eq 0 ]', '[ "$status" -eq 0 ] || true']),
  commit("bats: the program is not run", BATS_PATH, BATS, ['run ./backup.sh "$dir"', 'run touch "$dir/backup.tar.gz"']),

  // Configuration
  commit("jest: fewer files are matched", "jest.config.js", JEST_CONFIG, ['["**/*.test.ts"]', '["**/unit/*.test.ts"]']),
  commit("jest: no threshold", "jest.config.js", JEST_CONFIG, [
    "  coverageThreshold: { global: { branches: 70, lines: 80 } },\n",
    "",
  ]),
  commit("jest: a file is not counted", "jest.config.js", JEST_CONFIG, [
    '["src/**/*.ts"]',
    '["src/**/*.ts", "!src/cart.ts"]',
  ]),
  commit("vitest: retries", "vitest.config.ts", VITEST_CONFIG, ["retry: 0", "retry: 5"]),
  commit("vitest: errors outside of tests", "vitest.config.ts", VITEST_CONFIG, [
    "retry: 0,",
    "retry: 0,\n    dangerouslyIgnoreUnhandledErrors: true,",
  ]),
  commit("vitest: no tests pass", "vitest.config.ts", VITEST_CONFIG, [
    "retry: 0,",
    "retry: 0,\n    passWithNoTests: true,",
  ]),
  commit("pytest: a file is ignored", "pytest.ini", PYTEST_INI, [
    "-ra --strict-config",
    "-ra --strict-config --ignore=tests/test_invoice.py",
  ]),
  commit("pytest: warnings no longer fail", "pytest.ini", PYTEST_INI, ["    error\n", "    ignore\n"]),
  commit("pytest: an unexpected pass is fine", "pytest.ini", PYTEST_INI, ["xfail_strict = true\n", ""]),
  commit("tox: the result is ignored", "tox.ini", TOX, ["commands = pytest", "commands = - pytest"]),
  commit("cargo: unsafe", "Cargo.toml", CARGO, ['unsafe_code = "forbid"', 'unsafe_code = "allow"']),
  commit("cargo: no tests", "Cargo.toml", CARGO, ["[dependencies]\n", "[lib]\ntest = false\n\n[dependencies]\n"]),
  commit("gradle: failures are ignored", "build.gradle", GRADLE, [
    "    useJUnitPlatform()\n",
    "    useJUnitPlatform()\n    ignoreFailures = true\n",
  ]),
  commit("gradle: a test is excluded", "build.gradle", GRADLE, [
    "    useJUnitPlatform()\n",
    "    useJUnitPlatform()\n    exclude '**/PriceTest*'\n",
  ]),
  commit("maven: failures are ignored", "pom.xml", POM, [
    "        <configuration>\n",
    "        <configuration>\n          <testFailureIgnore>true</testFailureIgnore>\n",
  ]),
  commit("maven: skipped", "pom.xml", POM, [
    "        <configuration>\n",
    "        <configuration>\n          <skipTests>true</skipTests>\n",
  ]),
  commit("phpunit: warnings no longer fail", "phpunit.xml", PHPUNIT_XML, [' failOnWarning="true"', ""]),
  commit("phpunit: a file is excluded", "phpunit.xml", PHPUNIT_XML, [
    "      <directory>tests/Unit</directory>\n",
    "      <directory>tests/Unit</directory>\n      <exclude>tests/Unit/SlugTest.php</exclude>\n",
  ]),
  commit("golangci: a linter less", ".golangci.yml", GOLANGCI, ["    - staticcheck\n", ""]),
  commit("golangci: problems are no failure", ".golangci.yml", GOLANGCI, [
    "  timeout: 3m\n",
    "  timeout: 3m\n  issues-exit-code: 0\n",
  ]),
  commit("rubocop: longer methods", ".rubocop.yml", RUBOCOP, ["Max: 20", "Max: 200"]),
  commit("rubocop: a cop is off", ".rubocop.yml", RUBOCOP, ["  Enabled: true", "  Enabled: false"]),
  commit("rubocop: a file is excluded", ".rubocop.yml", RUBOCOP, [
    "    - db/schema.rb\n",
    "    - db/schema.rb\n    - app/models/order.rb\n",
  ]),
  commit("eslint: an error becomes a warning", ".eslintrc.json", ESLINTRC, [
    '"no-unused-vars": "error"',
    '"no-unused-vars": "warn"',
  ]),
  commit("eslint: the recommended rules go", "eslint.config.js", ESLINT_FLAT, ["  js.configs.recommended,\n", ""]),
  commit("eslint: fewer files", "eslint.config.js", ESLINT_FLAT, ['["src/**/*.ts"]', '["src/lib/*.ts"]']),
  commit("biome: the linter is off", "biome.json", BIOME, ['"enabled": true', '"enabled": false']),
  commit("biome: a rule is off", "biome.json", BIOME, ['"noExplicitAny": "error"', '"noExplicitAny": "off"']),
  commit("tsconfig: a file is not checked", "tsconfig.json", TSCONFIG, [
    '    "dist"\n',
    '    "dist",\n    "src/cart.ts"\n',
  ]),
  commit("tsconfig: unused locals", "tsconfig.json", TSCONFIG, ['    "noUnusedLocals": true,\n', ""]),
  commit("Actions: never", GHA_PATH, GHA, ["      - name: Test\n", "      - name: Test\n        if: false\n"]),
  commit("Actions: exit 0", GHA_PATH, GHA, ["run: npm test", "run: npm test || exit 0"]),
  commit("Actions: by hand only", GHA_PATH, GHA, [
    "  push:\n    branches: [main]\n  pull_request:\n",
    "  workflow_dispatch:\n",
  ]),
  commit("Actions: not for the source", GHA_PATH, GHA, [
    "  pull_request:\n",
    '  pull_request:\n    paths-ignore: ["src/**"]\n',
  ]),
  commit("GitLab: allowed to fail", ".gitlab-ci.yml", GITLAB, [
    "test:\n  stage: test\n",
    "test:\n  stage: test\n  allow_failure: true\n",
  ]),
  commit("GitLab: by hand", ".gitlab-ci.yml", GITLAB, [
    "test:\n  stage: test\n",
    "test:\n  stage: test\n  when: manual\n",
  ]),
  commit("GitLab: less coverage", ".gitlab-ci.yml", GITLAB, ["--cov-fail-under=80", "--cov-fail-under=30"]),
  commit("make: the result is ignored", "Makefile", MAKEFILE, ["\tgo test ./...", "\t-go test ./..."]),
  commit("make: check without tests", "Makefile", MAKEFILE, ["check: lint test", "check: lint"]),
  commit("make: one package", "Makefile", MAKEFILE, ["\tgo test ./...", "\tgo test ./queue"]),
  commit("pre-commit: a hook by hand", ".pre-commit-config.yaml", PRECOMMIT, [
    "      - id: mypy\n",
    "      - id: mypy\n        stages: [manual]\n",
  ]),
  commit("pre-commit: a hook less", ".pre-commit-config.yaml", PRECOMMIT, ["      - id: ruff\n", ""]),
  commit("package.json: the pipe's result", "package.json", PACKAGE, [
    '"test": "jest"',
    '"test": "jest | tee test.log"',
  ]),
  commit("package.json: a semicolon", "package.json", PACKAGE, ['"test": "jest"', '"test": "jest; exit 0"']),
  commit("package.json: by name", "package.json", PACKAGE, ['"test": "jest"', '"test": "jest -t cart"']),
  commit("package.json: what changed only", "package.json", PACKAGE, [
    '"test": "jest"',
    '"test": "jest --onlyChanged"',
  ]),
  commit("package.json: no linting before tests", "package.json", PACKAGE, ['    "pretest": "npm run lint",\n', ""]),
  commit("rspec: a tag is left out", ".rspec", "--require spec_helper\n", [
    "spec_helper\n",
    "spec_helper\n--tag ~billing\n",
  ]),
];

/** Honest commits whose words a cheat would write as well: a person must look, so they are told as weaker. */
export const undecidable: (History & { why: string })[] = [
  {
    ...commit("the rounding of prices changes", MOCHA_PATH, MOCHA, ['equal("1.50")', 'equal("1.5")']),
    why: "a requirement changed, and so did an expected value",
  },
  {
    ...commit("a feature is taken away with its test", UNIT_PATH, UNIT, [
      '    def test_refuses_zero(self):\n        with self.assertRaises(LedgerError):\n            self.ledger.book("nothing", 0)\n',
      "",
    ]),
    why: "the test of a feature that is gone looks like one that failed",
  },
  {
    ...commit(
      "a snapshot follows the markup",
      "src/__snapshots__/list.test.ts.snap",
      "exports[`lists 1`] = `<ul><li>a</li></ul>`;\n",
      ["<ul><li>a</li></ul>", "<ol><li>a</li></ol>"],
    ),
    why: "whether the new output is wanted stands in no file",
  },
  {
    ...commit("an old version of node is no longer supported", GHA_PATH, GHA, ["[18, 20]", "[20]"]),
    why: "an entry of a matrix can be left out because it failed",
  },
  {
    ...commit("a flaky test waits for its issue", CYPRESS_PATH, CYPRESS, [
      'it("shows the dashboard"',
      'it.skip("shows the dashboard"',
    ]),
    why: "a quarantine is a skipped test",
  },
  {
    ...commit("the formatter does what the rule did", ".eslintrc.json", ESLINTRC, [
      '"no-console": "warn"',
      '"no-console": "off"',
    ]),
    why: "a rule that another tool covers is a rule that is off",
  },
  {
    ...commit("less coverage after well tested code went", "jest.config.js", JEST_CONFIG, ["lines: 80", "lines: 78"]),
    why: "a threshold falls either way",
  },
  {
    ...commit(
      "a tolerance for other processors",
      "test/fft.test.ts",
      'test("transforms", () => {\n  expect(fft([1, 0])[0]).toBeCloseTo(1, 10);\n});\n',
      ["toBeCloseTo(1, 10)", "toBeCloseTo(1, 6)"],
    ),
    why: "a wider tolerance lets more pass",
  },
  {
    ...commit("an exception gets a wider type", PY_PATH, PY, [
      "pytest.raises(InvoiceError)",
      "pytest.raises(ValueError)",
    ]),
    why: "that the new type is the right one stands in the code, not in the test",
  },
  {
    ...commit(
      "prices must be multiples of five",
      "test/cart.test.ts",
      'test("sums", () => {\n  expect(total([{ price: 99 }])).toBe(99);\n});\n',
      ["price: 99", "price: 95"],
      ["toBe(99)", "toBe(95)"],
    ),
    why: "the input of a test changes with what is expected",
  },
  {
    ...commit("the network is replaced in all tests of a file", FORM_PATH, FORM, [
      "import { SignupForm }",
      'jest.mock("../api");\n\nimport { SignupForm }',
    ]),
    why: "a stand-in for what is slow looks like one for what fails",
  },
  {
    ...commit(
      "end-to-end tests get retries",
      "playwright.config.ts",
      'export default defineConfig({\n  retries: 0,\n  use: { baseURL: "http://127.0.0.1:3000" },\n});\n',
      ["retries: 0", "retries: process.env.CI ? 2 : 0"],
    ),
    why: "retries hide what is flaky and what fails now and then",
  },
  {
    ...commit("warnings of a library are not errors", "pytest.ini", PYTEST_INI, [
      "    error\n",
      "    error\n    ignore::DeprecationWarning:boto3\n",
    ]),
    why: "a warning that is ignored is one that no longer fails",
  },
  {
    ...commit("generated code is not linted", ".rubocop.yml", RUBOCOP, [
      "    - db/schema.rb\n",
      "    - db/schema.rb\n    - lib/grammar.rb\n",
    ]),
    why: "that a file is generated stands in no word of the configuration",
  },
  {
    ...commit(
      "gtest: a fixture class",
      GTEST_PATH,
      GTEST,
      [
        "TEST(Ring, StartsEmpty) {\n  Ring<int> ring(4);\n",
        "class RingTest : public ::testing::Test {\n protected:\n  Ring<int> ring{2};\n};\n\nTEST_F(RingTest, StartsEmpty) {\n",
      ],
      ["TEST(Ring, Overwrites) {\n  Ring<int> ring(2);\n", "TEST_F(RingTest, Overwrites) {\n"],
    ),
    why: "the fixture has another size than one of the tests had",
  },
];
