/** A project that widens the sandbox which its user asked for. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cleanUp } from "../support/harness.ts";
import { engines } from "./engines.ts";
import { sandboxedProject } from "./sandboxed-project.ts";

afterAll(cleanUp);

const UNTRUSTED = { RALPH_TRUST: "" };
const canRun = engines.some(({ engine }) => engine === "os");

test.skipIf(!canRun)("is refused until its user agrees, and `ralph trust` is where", async () => {
  const made = sandboxedProject('echo "$PROVIDER_KEY" > src/a.txt\n', {
    ...UNTRUSTED,
    PROVIDER_KEY: "secret-4711",
  });
  made.write(".ralph/.ralphrc", "SANDBOX_ALLOW_DOMAINS=*\nSANDBOX_ENV=PROVIDER_KEY\n");
  const refused = await made.ralph("run", "--max-iterations", "1", "--sandbox");
  expect(refused.exit).toBe(7);
  expect(refused.stderr).toContain("SANDBOX_ALLOW_DOMAINS  *");
  expect(refused.stderr).toContain("SANDBOX_ENV            PROVIDER_KEY");
  expect(made.read("src/a.txt")).toBe("a\n");
  const shown = await made.ralph("trust");
  expect([shown.exit, shown.stdout.includes("SANDBOX_ENV")]).toEqual([7, true]);
  expect((await made.ralph("trust", "--yes")).exit).toBe(0);
  const agreed = await made.ralph("run", "--max-iterations", "1", "--sandbox");
  expect({ exit: agreed.exit, stderr: agreed.stderr }).toEqual({ exit: 4, stderr: "" });
  expect(made.read("src/a.txt")).toBe("secret-4711\n");
});

test("is refused where the user's own file names the sandbox and nothing else", async () => {
  const made = sandboxedProject("", UNTRUSTED);
  made.write(".ralph/.ralphrc", "SANDBOX_ALLOW_DOMAINS=*\n");
  mkdirSync(join(made.out, "home/.config/ralph"), { recursive: true });
  writeFileSync(join(made.out, "home/.config/ralph/ralphrc"), "SANDBOX=os\n");
  const refused = await made.ralph("run", "--max-iterations", "1");
  expect(refused.exit).toBe(7);
  expect(refused.stderr).toContain("SANDBOX_ALLOW_DOMAINS  *");
});
