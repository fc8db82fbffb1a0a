import { describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parseRalphrc } from "../../src/core/settings/ralphrc.ts";
import { assignment } from "../../src/setup/assignment.ts";
import { seed } from "../seed.ts";

const hostile = [
  "$(touch pwned)",
  "`touch pwned`",
  "x'; touch pwned; echo '",
  'x"; touch pwned; echo "',
  "'\"; touch pwned #",
  "\\\"; touch pwned; \\'",
  "a\ntouch pwned",
  "${IFS}$(touch${IFS}pwned)",
  "'$(touch pwned)\\",
  "x && touch pwned",
  "~/x # no comment",
  "",
  "!!",
];

describe("a line of .ralphrc", () => {
  test.each(hostile)("returns the value %p unchanged", (value) => {
    const { assignments, problems } = parseRalphrc(assignment("K", value), { env: {} });
    expect(problems).toEqual([]);
    expect(assignments).toEqual([{ key: "K", value: value.replaceAll("\n", " "), line: 1 }]);
  });

  test("returns every text without control characters unchanged", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(..."'\"\\$`{}();&|<> #=~!"),
            fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
          ),
        }),
        (value) => {
          // biome-ignore lint/suspicious/noControlCharactersInRegex: what the line replaces
          const kept = value.toWellFormed().replace(/[\x00-\x1f\x7f\ufeff]+/g, " ");
          const { assignments, problems } = parseRalphrc(`${assignment("K", value)}\n`, { env: { HOME: "/h" } });
          expect(problems).toEqual([]);
          expect(assignments[0]?.value).toBe(kept);
        },
      ),
      { seed, numRuns: 500 },
    );
  });

  test.skipIf(Bun.which("bash") === null)("runs no command when the old bash loop sources it", () => {
    const folder = mkdtempSync(join(tmpdir(), "ralph-rc-"));
    try {
      writeFileSync(join(folder, "rc"), hostile.map((value, n) => assignment(`K${n}`, value)).join("\n"));
      const shell = Bun.spawnSync(["bash", "-c", "source ./rc && printf '%s' \"$K2\""], { cwd: folder });
      expect(shell.stdout.toString()).toBe(hostile[2] ?? "");
      expect(existsSync(join(folder, "pwned"))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
