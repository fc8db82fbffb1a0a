import { expect, test } from "bun:test";
import { isTestFile } from "../../../src/core/answer/test-file.ts";

const TESTS = [
  "src/tests.rs",
  "tests/a.ts",
  "src\\__tests__\\a.ts",
  "spec/models/user_spec.rb",
  "src/a.test.tsx",
  "a.spec.js",
  "pkg/a_test.go",
  "test_a.py",
  "conftest.py",
  "src/main/UserServiceTest.java",
  "check.bats",
  "e2e/login.ts",
];
for (const path of TESTS) test(`a test file: ${path}`, () => expect(isTestFile(path)).toBe(true));

const OTHERS = ["src/a.ts", "src/latest.ts", "contest.py", "specs/requirements.md", "src/attest/a.go", "Greatest.java"];
for (const path of OTHERS) test(`not a test file: ${path}`, () => expect(isTestFile(path)).toBe(false));
