import { expect, test } from "bun:test";
import { shellCommand } from "../../src/core/shell-command.ts";

test("a gate's command goes to the platform's shell unchanged", () => {
  const command = `echo "a b" && exit 1`;
  expect(shellCommand(command, "linux")).toEqual({ argv: ["sh", "-c", command] });
  expect(shellCommand(command, "win32")).toEqual({
    argv: ["cmd.exe", "/d", "/s", "/c", "%RALPH_GATE%"],
    env: { RALPH_GATE: command },
  });
});

test.each([
  ["./gradlew test", ".\\gradlew test"],
  ["cd api && ./mvnw -B test && ../x/y.cmd a/b", "cd api && .\\mvnw -B test && ..\\x\\y.cmd a/b"],
  ["vendor/bin/phpunit tests/unit", "vendor\\bin\\phpunit tests/unit"],
  ["go test ./api/... https://x/y", "go test ./api/... https://x/y"],
  ["npm test /q", "npm test /q"],
  ['bash -c "cd x && ./run.sh" | ./filter', 'bash -c "cd x && ./run.sh" | .\\filter'],
])("a gate's program %p is called by its Windows path on Windows", (command, said) => {
  expect(shellCommand(command, "win32").env).toEqual({ RALPH_GATE: said });
});
