import { expect, test } from "bun:test";
import { gateProgram } from "../../../src/core/decide/gate-program.ts";

test.each([
  ["npm test", "npm"],
  ["  ./check.sh --all", "./check.sh"],
  ["CI=1 NAME='a b' npm test", "npm"],
  ["make&&make install", "make"],
  ['"/opt/my tools/run" x', "/opt/my tools/run"],
  ["cd sub && npm test", null],
  ["[ -f x ]", null],
  ["test -f x", null],
  ["$CHECK", null],
  ["(cd x; make)", null],
  ["", null],
])("the gate command %p starts %p", (command, program) => expect(gateProgram(command)).toBe(program));
