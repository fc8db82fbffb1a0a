import type { BundledPackage } from "./packages.ts";

type Runtime = { version: string };

/** The contents of the release, in CycloneDX 1.6. It has no time or random number, so it is reproducible. */
export function sbom(
  about: { version: string; license: string },
  packages: readonly BundledPackage[],
  { version }: Runtime,
) {
  const ralph = component("application", { name: "ralph", version: about.version, license: about.license });
  const runtime = {
    ...component("framework", { name: "bun", version, license: "MIT" }),
    purl: `pkg:npm/bun@${version}`,
  };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: ralph },
    components: [runtime, ...packages.map(library)],
    dependencies: [
      { ref: ralph["bom-ref"], dependsOn: [runtime, ...packages.map(library)].map((one) => one["bom-ref"]) },
    ],
  };
}

function component(type: string, { name, version, license }: { name: string; version: string; license: string }) {
  return { type, "bom-ref": `${name}@${version}`, name, version, licenses: [licenseOf(license)] };
}

/** One licence by its id, several as an SPDX expression. */
function licenseOf(license: string) {
  const isExpression = /[\s()]/.test(license);
  if (isExpression) return { expression: license };
  return license === "UNKNOWN" ? { license: { name: "unknown" } } : { license: { id: license } };
}

function library({ integrity, ...about }: BundledPackage) {
  const [algorithm, content] = (integrity ?? "").split("-", 2);
  const hash = algorithm === "sha512" && content !== undefined ? Buffer.from(content, "base64").toString("hex") : null;
  const name = about.name.replace("@", "%40");
  return {
    ...component("library", about),
    purl: `pkg:npm/${name}@${about.version}`,
    ...(hash === null ? {} : { hashes: [{ alg: "SHA-512", content: hash }] }),
  };
}
