import { TARGETS, type Target } from "../build/targets.ts";

export type NpmAbout = { name: string; version: string; description: string; license: string; repository?: unknown };

/** Name of a platform's package: `ralph-linux-x64-musl`. */
const platformName = ({ name }: NpmAbout, target: Target) => `${name}-${target.name}`;

const shared = ({ version, license, repository }: NpmAbout) => ({
  version,
  license,
  ...(repository === undefined ? {} : { repository }),
});

/** The package that users install. It contains a launcher, and npm picks the one platform package that fits. */
export function mainPackage(about: NpmAbout) {
  return {
    name: about.name,
    description: about.description,
    ...shared(about),
    type: "module",
    bin: { ralph: "ralph.mjs" },
    files: ["ralph.mjs"],
    engines: { node: ">=20" },
    optionalDependencies: Object.fromEntries(TARGETS.map((target) => [platformName(about, target), about.version])),
  };
}

/** The package with a platform's program. */
export function platformPackage(about: NpmAbout, target: Target) {
  const { os, cpu, libc } = target;
  return {
    name: platformName(about, target),
    description: `The program of ${about.name} for ${target.name}.`,
    ...shared(about),
    os: [os],
    cpu: [cpu],
    ...(libc === null ? {} : { libc: [libc] }),
    files: [os === "win32" ? "ralph.exe" : "ralph"],
  };
}
