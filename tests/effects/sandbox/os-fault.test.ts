/** What keeps bubblewrap, or a container, from working. */
import { describe, expect, test } from "bun:test";
import type { Host } from "../../../src/driver.ts";
import { containerFault } from "../../../src/effects/sandbox/container.ts";
import { osFault } from "../../../src/effects/sandbox/os-fault.ts";
import type { SandboxSettings } from "../../../src/effects/sandbox/sandbox.ts";

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

  test.each([
    [1, "exit code 1"],
    [null, "it gave no answer in time, or was killed"],
  ])("tells how bubblewrap ended that says nothing: %p", async (exit_code, how) => {
    const silent = host({ programs: ["bwrap"], answer: { exit_code, stdout: "", stderr: "" } });
    expect((await osFault(silent, "none"))?.what).toBe(`bubblewrap does not work here: ${how}`);
  });
});

describe("a container", () => {
  test.each([
    [1, "exit code 1"],
    [null, "it gave no answer in time, or was killed"],
  ])("tells how an engine ended that says nothing, and waits for it once: %p", async (exit_code, how) => {
    const asked: string[][] = [];
    const machine: Host = {
      ...host({ programs: ["docker"] }),
      run: async (argv) => {
        asked.push([...argv]);
        return { exit_code, stdout: "", stderr: "" };
      },
    };
    const settings = { SANDBOX_IMAGE: "mine" } as SandboxSettings;
    const check = { engine: "docker", settings, host: machine, network: "none", agents: [], project: "/p" } as const;
    expect((await containerFault(check))?.what).toBe(`docker does not answer: ${how}`);
    expect(asked.length).toBe(exit_code === null ? 1 : 2);
  });
});
