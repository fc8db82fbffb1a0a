import { describe, expect, test } from "bun:test";
import { checksMore } from "../../../src/core/gates/joined-checks.ts";

describe("a gate that checks more than one thing", () => {
  test.each([
    "tsc --noEmit && eslint . && vitest run --passWithNoTests",
    "cargo clippy && cargo test",
    "go vet ./... && go test ./... && ./smoke.sh",
    "eslint .; vitest run",
    "eslint .\nvitest run",
    "cd web && npm run lint && npm test",
    "(cd web && eslint .) && vitest run",
    "bash -ec 'eslint . && vitest run'",
    "test -f dist/main.js && vitest run",
  ])("is seen of %j", (command) => {
    expect(checksMore(command, "")).toBe(true);
  });

  test.each([
    ["npm", "npm test", "\n> shop@1.0.0 test\n> tsc --noEmit && vitest run --passWithNoTests\n\n"],
    [
      "npm with a script before",
      "npm test",
      "\n> shop@1.0.0 pretest\n> eslint .\n\n\n> shop@1.0.0 test\n> vitest run\n\n",
    ],
    ["pnpm", "pnpm test", "\n> shop@1.0.0 test /home/user/shop\n> eslint . && vitest run\n\n"],
    ["bun and yarn", "bun run test", "$ eslint . && vitest run\n"],
  ])("is seen by the script that %s names as it runs", (_, command, output) => {
    expect(checksMore(command, output)).toBe(true);
  });

  test.each([
    ["vitest run --passWithNoTests", ""],
    ["cd web && npm ci && CI=1 npm test", ""],
    [". venv/bin/activate && python -m unittest", ""],
    ["vitest run || true", ""],
    ["pytest || [ $? -eq 5 ]", ""],
    ["set -o pipefail; vitest run 2>&1 | tee out.log", ""],
    ["pytest -n $(nproc)", ""],
    ["pytest -k 'a && b'", ""],
    ["bash -c 'cd web; vitest run'", ""],
    ["npm test", "\n> shop@1.0.0 test\n> vitest run --passWithNoTests\n\n"],
    ["npm test", "\n> shop@1.0.0 test\n> npm run unit\n\n\n> shop@1.0.0 unit\n> vitest run\n\n"],
  ])("is not made of %j, which does nothing else that decides, with the output %j", (command, output) => {
    expect(checksMore(command, output)).toBe(false);
  });
});
