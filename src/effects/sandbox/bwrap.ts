import { lstatSync, readlinkSync } from "node:fs";
import type { SandboxNetwork } from "../../core/sandbox/network.ts";
import type { Mount } from "../../core/sandbox/policy.ts";
import { PROXY_SOCKET, WITH_PROXY } from "./inside.ts";

/** What of the system is there inside, read-only; a link stays a link. `/var`, `/run`, `/sys` and other folders are not. */
const SYSTEM = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix",
  "/gnu",
  "/snap",
];

/** Files of the kernel that a user of number 0 may write even without capabilities: bubblewrap covers only their folders. */
const KERNEL = ["/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/mtrr", "/proc/acpi", "/proc/fs"];

/** So much fits into its temporary folder, which lies in memory. */
const TMP_BYTES = 2 * 1024 ** 3;

export type Enclosure = {
  mounts: readonly Mount[];
  network: SandboxNetwork;
  /** The socket of the proxy, where the network is a list of hosts. */
  proxySocket: string | null;
  cwd: string;
  isRoot: boolean;
};

/**
 * The command that runs `argv` in a sandbox of bubblewrap: namespaces of its own, no capabilities, and of the file system only
 * what is mounted. It ends with the process that starts it.
 */
export function bwrapCommand(argv: readonly string[], enclosure: Enclosure): string[] {
  const { mounts, network, proxySocket, cwd, isRoot } = enclosure;
  const spaces = ["user", "pid", "ipc", "uts"].map((space) => `--unshare-${space}`);
  return [
    "bwrap",
    ...spaces,
    "--unshare-cgroup-try",
    ...(network === "open" ? [] : ["--unshare-net"]),
    ...["--die-with-parent", "--cap-drop", "ALL", "--hostname", "sandbox"],
    ...["--perms", "0755", "--tmpfs", "/"],
    ...SYSTEM.flatMap(systemMount),
    ...["--dev", "/dev", "--proc", "/proc"],
    ...(isRoot ? KERNEL.flatMap((path) => (exists(path) ? ["--ro-bind", path, path] : [])) : []),
    ...["--perms", "1777", "--size", String(TMP_BYTES), "--tmpfs", "/tmp", "--dir", "/var/tmp", "--dir", "/run"],
    // Names are looked up by the agent itself only where it has the whole network.
    ...(network === "open" && exists("/run/systemd/resolve")
      ? ["--ro-bind", "/run/systemd/resolve", "/run/systemd/resolve"]
      : []),
    ...mounts.flatMap(mountWords),
    ...(proxySocket === null ? [] : ["--ro-bind", proxySocket, PROXY_SOCKET]),
    // What was not mounted is read-only as well: nobody builds a home for the next call there.
    ...["--remount-ro", "/", "--chdir", cwd, "--"],
    ...(proxySocket === null ? argv : ["/bin/sh", "-c", WITH_PROXY, "sh", ...argv]),
  ];
}

function systemMount(path: string): string[] {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  return stat.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
}

function mountWords({ path, show, from = path, mayGo }: Mount): string[] {
  switch (show) {
    case "read-only":
      return [mayGo === true ? "--ro-bind-try" : "--ro-bind", from, path];
    case "writable":
      return ["--bind", from, path];
    case "empty":
      return ["--tmpfs", path];
    case "hidden":
      return ["--ro-bind", "/dev/null", path];
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
