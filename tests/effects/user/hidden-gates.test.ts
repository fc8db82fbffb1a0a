import { describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RalphError } from "../../../src/core/errors.ts";
import { createHiddenGates, withoutHiddenGates } from "../../../src/effects/user/hidden-gates.ts";
import { testFolder } from "../../folders.ts";

const root = testFolder("hidden");
const [project, home] = [join(root, "project"), join(root, "home")];
const put = (path: string, text: string, mode = 0o644): string => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
};
mkdirSync(project, { recursive: true });
const script = put("home/checks/prices.sh", "#!/bin/sh\n# requirement: prices have two decimals\nexit 0\n", 0o755);
const plain = put("home/checks/plain.sh", "exit 0\n");
const module = put("home/checks/it's.mjs", "/* Requirement: no prices below zero */\n");
const inside = put("project/check.sh", "exit 0\n", 0o755);
const gates = createHiddenGates(project, { platform: "linux", env: { XDG_STATE_HOME: join(root, "state") }, home });

describe("a hidden gate", () => {
  test.each([
    ["a program by its path", script, `'${script}'`, "prices have two decimals"],
    ["a script below the home folder", "~/checks/plain.sh", `sh '${plain}'`, null],
    ["a command, with what its script requires", `node "${module}" --strict`, null, "no prices below zero"],
    ["a path from the project", "../home/checks/plain.sh", `sh '${plain}'`, null],
    ["a command of the PATH", "npm run check", null, null],
    ["a command with its code in itself", "node -e 'process.exit(0)'", null, null],
  ])("may be %s", (_name, entry, command, requirement) => {
    expect(gates.open([entry])).toEqual([{ command: command ?? entry, requirement }]);
  });

  const refused = (entry: string): RalphError => {
    try {
      gates.open([entry]);
    } catch (error) {
      if (error instanceof RalphError) return error;
    }
    throw new Error("it was not refused");
  };

  test.each([["check.sh"], [inside], [`sh ${inside}`], ["./check.sh --fast"]])(
    "is refused inside the project: %s",
    (entry) => {
      expect(refused(entry)).toMatchObject({ code: "environment", exit: 7 });
      expect(refused(entry).message).toContain("lies inside the project");
    },
  );

  test("is refused as a link to a file inside the project", () => {
    const link = join(root, "home/link.sh");
    symlinkSync(inside, link);
    expect(refused(link).message).toContain("lies inside the project");
  });

  test("is refused where its file is missing", () => {
    expect(refused("/nowhere/check.sh").message).toContain("is not there");
  });

  test("has its output outside the project", () => {
    const file = gates.outputFile("0001", "3-1.out");
    expect(file).toStartWith(join(root, "state"));
    expect(existsSync(dirname(file))).toBe(true);
  });
});

test("nothing that a run starts finds in its environment where the hidden gates are", () => {
  expect(withoutHiddenGates({ HIDDEN_GATES: "/x", PATH: "/bin" })).toEqual({ PATH: "/bin" });
});
