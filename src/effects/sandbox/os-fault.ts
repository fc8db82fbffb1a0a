import type { SandboxNetwork } from "../../core/sandbox/network.ts";
import type { Host } from "../../driver.ts";
import { bwrapCommand } from "./bwrap.ts";
import { lastWords } from "./last-words.ts";

/** Why a sandbox cannot work, and the command or the words that help. */
export type SandboxFault = { what: string; hint: string };

const TRY_MS = 10_000;

/** How packages are installed, by the program that does it. */
const INSTALLERS: readonly (readonly [program: string, command: string])[] = [
  ["apt-get", "sudo apt-get install"],
  ["dnf", "sudo dnf install"],
  ["pacman", "sudo pacman -S"],
  ["zypper", "sudo zypper install"],
  ["apk", "sudo apk add"],
];

/** What keeps bubblewrap from working here; null if nothing does. */
export async function osFault(host: Host, network: SandboxNetwork): Promise<SandboxFault | null> {
  if (host.platform !== "linux")
    return {
      what: "SANDBOX=os works on Linux only, so far.",
      hint: "Take a container: --sandbox=docker or --sandbox=podman",
    };
  const needed = [["bwrap", "bubblewrap"], ...(typeof network === "string" ? [] : [["socat", "socat"]])] as const;
  const missing = needed.flatMap(([program = "", name = ""]) => (host.which(program) === null ? [name] : []));
  if (missing.length > 0)
    return {
      what: `SANDBOX=os needs ${missing.join(" and ")}, which ${missing.length === 1 ? "is" : "are"} not installed.`,
      hint: installHint(missing, host),
    };
  const trial = bwrapCommand(["/bin/sh", "-c", "exit 0"], {
    mounts: [],
    network: "none",
    proxySocket: null,
    cwd: "/",
    isRoot: host.isRoot,
  });
  const answer = await host.run(trial, TRY_MS);
  if (answer.exit_code === 0) return null;
  const said = lastWords(answer);
  return {
    what: `bubblewrap does not work here: ${said}`,
    hint: /uid map|namespace|permission|not permitted/i.test(said)
      ? "The system must allow user namespaces: sudo sysctl kernel.unprivileged_userns_clone=1 (Debian), or an AppArmor profile for bwrap (Ubuntu 24.04: sudo apt-get install apparmor-profiles)"
      : "Try it by itself: bwrap --ro-bind / / true",
  };
}

/** The command that installs packages here. */
function installHint(names: readonly string[], host: Host): string {
  const found = INSTALLERS.find(([program]) => host.which(program) !== null);
  return found === undefined ? `Install ${names.join(" and ")}.` : `Install it with: ${found[1]} ${names.join(" ")}`;
}
