import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeProbeImage } from "./probe-image.ts";
import type { Engine } from "./sandboxed-project.ts";

/** Some machines start containers only with the older runtime, without a manager of control groups and with few files. */
const CAREFUL = `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
`;
const IMAGE = "localhost/ralph-probes:test";

const canBubblewrap =
  process.platform === "linux" &&
  Bun.which("bwrap") !== null &&
  Bun.spawnSync(["bwrap", "--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "true"]).exitCode === 0;

/** Podman of the user root only: another user's images lie in the home, and tests have homes of their own. */
function podman(): Engine[] {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || Bun.which("podman") === null) return [];
  const file = join(mkdtempSync(join(tmpdir(), "ralph-podman-")), "containers.conf");
  writeFileSync(file, CAREFUL);
  const settings: Record<string, string>[] = [{}, { CONTAINERS_CONF: file }];
  const works = settings.find((env) => makeProbeImage("podman", IMAGE, { ...process.env, ...env }));
  if (works === undefined) return [];
  const env = { ...works, SANDBOX_IMAGE: IMAGE, SANDBOX_MEMORY: "1g" };
  return [
    { name: "podman", engine: "podman", flags: ["--sandbox=podman"], env },
    { name: "docker's words, which podman carries out", engine: "docker", flags: ["--sandbox=docker"], env },
  ];
}

/** The engines that this machine can run. */
export const engines: readonly Engine[] = [
  ...(canBubblewrap
    ? [
        { name: "os", engine: "os" as const, flags: ["--sandbox"], env: {} },
        {
          name: "os without a network",
          engine: "os" as const,
          flags: ["--sandbox=os"],
          env: { SANDBOX_ALLOW_DOMAINS: "none" },
        },
      ]
    : []),
  ...podman(),
];
