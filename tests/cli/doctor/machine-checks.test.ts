import { expect, test } from "bun:test";
import { machineChecks } from "../../../src/cli/doctor/machine-checks.ts";
import { defaultSettings } from "../../../src/core/settings/settings.ts";

const terminal = { isTty: { stdin: false, stdout: false, stderr: false }, color: false, columns: 80 };

test.each([
  ["linux", true, true, "all that an agent leaves is ended, daemons too"],
  ["linux", false, false, "An agent's daemon that empties its environment is not found here."],
  ["darwin", false, true, "an agent's group and descendants are ended with it"],
  ["win32", false, true, "an agent's descendants are ended with it"],
] as const)(
  "doctor says on %s, where marks are possible: %p, what an end reaches",
  (platform, canMark, isFine, detail) => {
    const facts = { version: "1.0.0", releases: null, platform, canMark };
    const found = machineChecks(terminal, defaultSettings(), facts).find(({ label }) => label === "processes");
    expect(found).toMatchObject({ passed: isFine, required: false, detail });
    if (!isFine) expect(found?.hint).toContain("--allow-ffi");
  },
);
