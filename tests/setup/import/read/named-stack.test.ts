import { expect, test } from "bun:test";
import { namedStack } from "../../../../src/setup/import/read/named-stack.ts";

test.each([
  ["# A\n## 4. Tech stack\n- Node 22\n- **Fastify** 5.\n## Risks\n- rain\n", "Node 22; Fastify 5"],
  ["## Stack\nNode 22, Fastify and SQLite.\n", "Node 22, Fastify and SQLite"],
  ["## Stack\n| Part | Choice |\n|--|--|\n| Server | Fastify |\n", "Server: Fastify"],
  ["## Constraints\n- **Stack:** Python 3.13\n", "Python 3.13"],
  ["## Features\n- a stack of cards\n", null],
])("the stack that a document names, from %j", (text, stack) => expect(namedStack(text)).toBe(stack));
