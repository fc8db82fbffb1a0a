import { createRequire } from "node:module";

type Language = { lang: number; codepage: number };
type Entry = { type: number | string; id: number | string; lang: number | string };
type Program = { generate(): ArrayBuffer };
type Resources = { entries: Entry[]; outputResource(program: Program): void };
type Numbers = [major: number, minor: number, micro: number, revision: number];
type VersionInfo = {
  lang: number;
  setFileVersion(...numbers: [...Numbers, lang: number]): void;
  setProductVersion(...numbers: [...Numbers, lang: number]): void;
  setStringValues(language: Language, values: Readonly<Record<string, string>>): void;
  getStringValues(language: Language): Readonly<Record<string, string>>;
  outputToResourceEntries(entries: Entry[]): void;
};
type IconGroup = { id: number | string; icons: readonly unknown[] };

type Resedit = {
  NtExecutable: { from(bytes: Uint8Array, options: { ignoreCert: boolean }): Program };
  NtExecutableResource: { from(program: Program): Resources };
  Resource: {
    VersionInfo: { createEmpty(): VersionInfo; fromEntries(entries: readonly Entry[]): VersionInfo[] };
    IconGroupEntry: {
      fromEntries(entries: readonly Entry[]): IconGroup[];
      replaceIconsForResource(entries: Entry[], id: number | string, lang: number, icons: readonly unknown[]): void;
    };
  };
  Data: { IconFile: { from(bytes: Uint8Array): { icons: { data: unknown }[] } } };
};

const require = createRequire(import.meta.url);

/** The part of resedit's interface that we use. Its own types would add those of browsers to the whole project. */
export const resedit: Resedit = require("resedit");
