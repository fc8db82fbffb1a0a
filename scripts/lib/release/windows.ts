import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths.ts";
import { resedit } from "./resedit.ts";

/** What Windows shows of a program. */
export type About = { version: string; description: string; license: string };

const ICON = join(root, "scripts/assets/ralph.ico");
/** US English, Unicode. */
const LANGUAGE = { lang: 1033, codepage: 1200 };

/**
 * A runtime with the name, version and icon of ralph in its resources. Bun's own flags for that are silently ignored
 * outside of Windows. They also come too late: the program is appended to the runtime.
 */
export function branded(runtime: Uint8Array, about: About): Buffer {
  const { Data, NtExecutable, NtExecutableResource, Resource } = resedit;
  // The makers' signature of the runtime does not cover our changes.
  const program = NtExecutable.from(runtime, { ignoreCert: true });
  const resources = NtExecutableResource.from(program);
  resources.entries = resources.entries.filter(({ type }) => type !== 16);
  const info = Resource.VersionInfo.createEmpty();
  info.lang = LANGUAGE.lang;
  const numbers = fourNumbers(about.version);
  info.setFileVersion(...numbers, LANGUAGE.lang);
  info.setProductVersion(...numbers, LANGUAGE.lang);
  info.setStringValues(LANGUAGE, {
    ProductName: "ralph",
    FileDescription: about.description,
    FileVersion: about.version,
    ProductVersion: about.version,
    InternalName: "ralph",
    OriginalFilename: "ralph.exe",
    LegalCopyright: `${about.license} licence; see LICENSES.txt of the release`,
  });
  info.outputToResourceEntries(resources.entries);
  const groups = Resource.IconGroupEntry.fromEntries(resources.entries);
  const images = Data.IconFile.from(readFileSync(ICON)).icons.map(({ data }) => data);
  Resource.IconGroupEntry.replaceIconsForResource(resources.entries, groups[0]?.id ?? 1, LANGUAGE.lang, images);
  resources.outputResource(program);
  return Buffer.from(program.generate());
}

/** What a program has of the texts and icons that `branded` gives it. */
export function brandOf(program: Uint8Array): { texts: Readonly<Record<string, string>>; icons: number } {
  const { NtExecutable, NtExecutableResource, Resource } = resedit;
  const { entries } = NtExecutableResource.from(NtExecutable.from(program, { ignoreCert: true }));
  const [info] = Resource.VersionInfo.fromEntries(entries);
  const groups = Resource.IconGroupEntry.fromEntries(entries);
  return {
    texts: info?.getStringValues(LANGUAGE) ?? {},
    icons: groups.reduce((sum, { icons }) => sum + icons.length, 0),
  };
}

/** `1.2.3-beta.1` as 1.2.3.0: Windows knows numbers only. */
function fourNumbers(version: string): [number, number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.+-]/).map((part) => Number.parseInt(part, 10) || 0);
  return [major, minor, patch, 0];
}
