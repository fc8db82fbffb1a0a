import type { Release } from "../../../src/core/release/release.ts";
import { TARGETS, type Target } from "../build/targets.ts";

/** The data in the package managers' files. */
export type About = { version: string; description: string; license: string; homepage: string };

/** SHA-256 of the `.zip` of a target, hexadecimal. */
export type Sums = ReadonlyMap<string, string>;

const asset = ({ name }: Target, ending: string) => `ralph-${name}.${ending}`;

/** The address of a release's file. */
function addressOf({ homepage, version }: About, file: string): string {
  return `${homepage}/releases/download/v${version}/${file}`;
}

/** `latest.json`. Addresses are relative, so a mirror is a plain copy of the files. */
export function latest(
  about: Pick<Release, "version" | "notes" | "date">,
  assets: readonly { target: Target; sha256: string; size: number; signature: string | null }[],
): Release {
  const platforms = assets.map(({ target, ...rest }) => [target.name, { url: asset(target, "zst"), ...rest }] as const);
  return { ...about, platforms: Object.fromEntries(platforms) };
}

/** A Homebrew formula. */
export function homebrew(about: About, sums: Sums): string {
  const files = (os: Target["os"], libc: Target["libc"]) =>
    TARGETS.filter((target) => target.os === os && target.libc === libc).flatMap((target) => {
      const file = asset(target, "zip");
      return [
        `    on_${target.cpu === "x64" ? "intel" : "arm"} do`,
        `      url ${JSON.stringify(addressOf(about, file))}`,
        `      sha256 ${JSON.stringify(sums.get(file) ?? "")}`,
        "    end",
      ];
    });
  return [
    "class Ralph < Formula",
    `  desc ${JSON.stringify(about.description.replace(/\.$/, ""))}`,
    `  homepage ${JSON.stringify(about.homepage)}`,
    `  version ${JSON.stringify(about.version)}`,
    `  license ${JSON.stringify(about.license)}`,
    "",
    ...["  on_macos do", ...files("darwin", null), "  end", ""],
    ...["  on_linux do", ...files("linux", "glibc"), "  end", ""],
    "  def install",
    '    bin.install "ralph"',
    '    generate_completions_from_executable(bin/"ralph", "completions")',
    "  end",
    "",
    "  test do",
    '    assert_equal version.to_s, shell_output("#{bin}/ralph --version").strip',
    "  end",
    "end",
    "",
  ].join("\n");
}

/** A Scoop manifest. */
export function scoop(about: About, sums: Sums) {
  const one = (cpu: Target["cpu"]) => {
    const file = `ralph-windows-${cpu}.zip`;
    return { url: addressOf(about, file), hash: sums.get(file) ?? "" };
  };
  const { version, description, homepage, license } = about;
  const newest = (cpu: Target["cpu"]) => ({ url: `${homepage}/releases/download/v$version/ralph-windows-${cpu}.zip` });
  return {
    version,
    description,
    homepage,
    license,
    architecture: { "64bit": one("x64"), arm64: one("arm64") },
    bin: "ralph.exe",
    checkver: { url: `${homepage}/releases/latest/download/latest.json`, jsonpath: "$.version" },
    autoupdate: {
      architecture: { "64bit": newest("x64"), arm64: newest("arm64") },
      hash: { url: "$baseurl/SHA256SUMS" },
    },
  };
}
