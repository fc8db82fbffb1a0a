/** The machines that ralph is built for. */
export type Target = {
  /** `linux-x64-musl`: the folder below `dist/`, a part of asset names, and the program's name of its own target. */
  name: string;
  /** The npm package with the runtime. */
  runtime: string;
  /** npm's words for the platform. */
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

/** The name for `bun build --target`. */
export const bunTarget = ({ name }: Target) => `bun-${name}`;

/** The target of this machine; null if ralph has none for it. */
export function hostTarget(platform: NodeJS.Platform = process.platform, cpu: string = process.arch): Target | null {
  const libc = platform === "linux" ? (isGlibc() ? "glibc" : "musl") : null;
  return TARGETS.find((one) => one.os === platform && one.cpu === cpu && one.libc === libc) ?? null;
}

/** Node's report names the glibc in use, and nothing under musl. */
function isGlibc(): boolean {
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}
