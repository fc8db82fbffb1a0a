/** The relevant fields of a package in package-lock.json. */
export type LockedPackage = {
  version?: string;
  integrity?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

export type Lock = { packages: Record<string, LockedPackage> };

const systems = {
  android: "android",
  darwin: "darwin",
  freebsd: "freebsd",
  linux: "linux",
  openharmony: "openharmony",
  win32: "win32",
  windows: "win32",
};
const processors = {
  aarch64: "arm64",
  arm64: "arm64",
  arm: "arm",
  ia32: "ia32",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  wasm32: "wasm32",
  x64: "x64",
};
const libraries = { glibc: "glibc", gnu: "glibc", gnueabihf: "glibc", musl: "musl" };

/** The value that a word in a package's name implies. */
function named(name: string, table: Readonly<Record<string, string>>): string[] | undefined {
  const value = name.split(/[/-]/).flatMap((word) => (Object.hasOwn(table, word) ? [table[word]] : []))[0];
  return value === undefined ? undefined : [value];
}

/** The entry of a platform package, made from its name alone: without integrity, which only its registry knows. */
function platformPackage(name: string, version: string): LockedPackage {
  const [cpu, os, libc] = [named(name, processors), named(name, systems), named(name, libraries)];
  return { version, ...(cpu && { cpu }), dev: true, ...(libc && { libc }), optional: true, ...(os && { os }) };
}

/** Optional packages that another package requires and the lock file lacks, by name and version. */
export function missingOptional({ packages }: Lock): Record<string, string> {
  const asked = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies).filter(
      ([name]) => !(`node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages),
    ),
  );
  return Object.fromEntries(asked);
}

/** The lock file with all optional packages, in npm's order. */
export function completeLock(lock: Lock): Lock {
  const added = Object.entries(missingOptional(lock)).map(
    ([name, version]) => [`node_modules/${name}`, platformPackage(name, version.replace(/^[^\d]*/, ""))] as const,
  );
  const packages = [...Object.entries(lock.packages), ...added].sort(([a], [b]) => a.localeCompare(b, "en"));
  return { ...lock, packages: Object.fromEntries(packages) };
}
