/** What keeps bubblewrap from working. */
import { describe, expect, test } from "bun:test";
import type { Host } from "../../../src/driver.ts";
import { osFault } from "../../../src/effects/sandbox/os-fault.ts";

type Machine = { platform?: NodeJS.Platform; programs: readonly string[]; answer?: Awaited<ReturnType<Host["run"]>> };

const host = ({ platform = "linux", programs, answer = { exit_code: 0, stdout: "", stderr: "" } }: Machine): Host => ({
  platform,
  env: {},
  cwd: "/p",
  home: "/h",
  isRoot: false,
  which: (program) => (programs.includes(program) ? `/usr/bin/${program}` : null),
  run: async () => answer,
});

describe("the sandbox os", () => {
  test.each(["darwin", "win32"] as const)(
    "refuses %s, whatever is installed there, and names what works",
    async (platform) => {
      const fault = await osFault(host({ platform, programs: ["bwrap", "socat"] }), "none");
      expect(fault?.what).toContain("works on Linux only");
      expect(fault?.hint).toContain("--sandbox=podman");
    },
  );

  test("names what is missing and how it is installed", async () => {
    const fault = await osFault(host({ programs: ["bwrap", "dnf"] }), ["example.org"]);
    expect(fault).toEqual({
      what: "SANDBOX=os needs socat, which is not installed.",
      hint: "Install it with: sudo dnf install socat",
    });
    const both = await osFault(host({ programs: [] }), ["example.org"]);
    expect(both).toEqual({
      what: "SANDBOX=os needs bubblewrap and socat, which are not installed.",
      hint: "Install bubblewrap and socat.",
    });
  });

  test("tells what bubblewrap says where it does not work, and nothing where it does", async () => {
    const works = host({ programs: ["bwrap"] });
    expect(await osFault(works, "none")).toBeNull();
    const fails = host({
      programs: ["bwrap"],
      answer: { exit_code: 1, stdout: "", stderr: "bwrap: setting up uid map: no\n" },
    });
    const fault = await osFault(fails, "none");
    expect(fault?.what).toBe("bubblewrap does not work here: bwrap: setting up uid map: no");
    expect(fault?.hint).toContain("user namespaces");
  });
});
