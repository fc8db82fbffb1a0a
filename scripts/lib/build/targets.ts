/** The machines that ralph is built for. */
export type Target = {
  /** `linux-x64-musl`: folder below `dist/`, part of the names of release assets, and what the program calls itself. */
  name: string;
  /** npm package that holds the runtime. */
  runtime: string;
  /** Words that npm uses for the platform. */
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
  libc: "glibc" | "musl" | null;
};

const PACKAGE_SYSTEMS = { linux: "linux", darwin: "darwin", win32: "windows" } as const;
const PACKAGE_PROCESSORS = { x64: "x64", arm64: "aarch64" } as const;

function target(os: Target["os"], cpu: Target["cpu"], libc: Target["libc"] = null): Target {
  const system = PACKAGE_SYSTEMS[os];
  const suffix = libc === "musl" ? "-musl" : "";
  return {
    name: `${system}-${cpu}${suffix}`,
    runtime: `@oven/bun-${system}-${PACKAGE_PROCESSORS[cpu]}${suffix}`,
    os,
    cpu,
    libc,
  };
}

export const TARGETS: readonly Target[] = [
  target("linux", "x64", "glibc"),
  target("linux", "arm64", "glibc"),
  target("linux", "x64", "musl"),
  target("linux", "arm64", "musl"),
  target("darwin", "x64"),
  target("darwin", "arm64"),
  target("win32", "x64"),
  target("win32", "arm64"),
];

/** What `bun build --target` calls it. */
export const bunTarget = ({ name }: Target) => `bun-${name}`;

/** The target of this machine; null where ralph has none. */
export function hostTarget(platform: NodeJS.Platform = process.platform, cpu: string = process.arch): Target | null {
  const libc = platform === "linux" ? (isGlibc() ? "glibc" : "musl") : null;
  return TARGETS.find((one) => one.os === platform && one.cpu === cpu && one.libc === libc) ?? null;
}

/** Node's report names the glibc that the process runs with, and nothing under musl. */
function isGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}
