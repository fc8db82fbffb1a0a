import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { probeImage, starts } from "./probe-image.ts";
import type { Engine } from "./sandboxed-project.ts";

/** Some machines start containers only with the older runtime, without a manager of control groups and with few files. */
const CAREFUL = `[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
`;

/** Why bubblewrap cannot work here; null if it can. */
function bubblewrapFault(): string | null {
  if (process.platform !== "linux") return "it is for Linux";
  if (Bun.which("bwrap") === null) return "bubblewrap is not installed";
  if (Bun.which("socat") === null) return "socat is not installed";
  const trial = Bun.spawnSync(["bwrap", "--unshare-user", "--unshare-net", "--ro-bind", "/", "/", "true"]);
  return trial.exitCode === 0 ? null : `bubblewrap does not work: ${trial.stderr.toString().trim()}`;
}

/** Podman of the user root only: another user's images lie in the home, and tests have homes of their own. */
function podman(): Engine[] | string {
  if (process.platform !== "linux") return "it is for Linux";
  if (process.getuid?.() !== 0) return "its images are root's";
  if (Bun.which("podman") === null) return "podman is not installed";
  const file = join(mkdtempSync(join(tmpdir(), "ralph-podman-")), "containers.conf");
  writeFileSync(file, CAREFUL);
  const image = probeImage("podman");
  const settings: Record<string, string>[] = [{}, { CONTAINERS_CONF: file }];
  const works = image === null ? undefined : settings.find((env) => starts("podman", image, env));
  if (image === null || works === undefined)
    return "podman starts no container, or makes no image, of this machine's programs";
  const env = { ...works, SANDBOX_IMAGE: image, SANDBOX_MEMORY: "1g" };
  return [
    { name: "podman", engine: "podman", flags: ["--sandbox=podman"], env },
    { name: "docker's words, which podman carries out", engine: "docker", flags: ["--sandbox=docker"], env },
  ];
}

const noBubblewrap = bubblewrapFault();
const ofPodman = podman();

/** Why an engine's tests do not run here, in words for the name of a test that is skipped. */
export const skipped: readonly string[] = [
  ...(noBubblewrap === null ? [] : [`os: ${noBubblewrap}`]),
  ...(typeof ofPodman === "string" ? [`podman: ${ofPodman}`] : []),
];

/** The engines that this machine can run. */
export const engines: readonly Engine[] = [
  ...(noBubblewrap === null
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
  ...(typeof ofPodman === "string" ? [] : ofPodman),
];
