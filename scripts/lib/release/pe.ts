/** Numbers of resource types (winuser.h). */
const RT_GROUP_ICON = 14;
const RT_VERSION = 16;
const SECTION = 40;
const IS_FOLDER = 0x80000000;

/** What Windows shows of a program: the texts of its version resource, and how many icons it has. */
export type ProgramResources = { texts: string[]; icons: number };

/** Reads the resources of a program (PE/COFF, "The .rsrc section"). @throws Error if it has none */
export function readResources(program: Buffer): ProgramResources {
  const section = resourceSection(program);
  const at = (type: number) => contentsOf(program, section, type);
  return {
    texts: at(RT_VERSION).flatMap((content) => content.toString("utf16le").match(/[\x20-\x7e]{2,}/g) ?? []),
    icons: at(RT_GROUP_ICON).reduce((sum, content) => sum + content.readUInt16LE(4), 0),
  };
}

type Section = { file: number; memory: number };

function resourceSection(program: Buffer): Section {
  const header = program.readUInt32LE(60);
  const first = header + 24 + program.readUInt16LE(header + 20);
  for (let index = 0; index < program.readUInt16LE(header + 6); index++) {
    const at = first + index * SECTION;
    if (program.toString("latin1", at, at + 8).startsWith(".rsrc"))
      return { file: program.readUInt32LE(at + 20), memory: program.readUInt32LE(at + 12) };
  }
  throw new Error("it has no resources");
}

/** The resources of a type, in all languages: folders by type, name and language, then the place of the content. */
function contentsOf(program: Buffer, { file, memory }: Section, type: number): Buffer[] {
  const below = (folder: number) => {
    const count = program.readUInt16LE(file + folder + 12) + program.readUInt16LE(file + folder + 14);
    return Array.from({ length: count }, (_, index) => {
      const entry = file + folder + 16 + index * 8;
      return { id: program.readUInt32LE(entry), place: (program.readUInt32LE(entry + 4) & ~IS_FOLDER) >>> 0 };
    });
  };
  const leaves = below(0)
    .filter(({ id }) => id === type)
    .flatMap(({ place }) => below(place))
    .flatMap(({ place }) => below(place));
  return leaves.map(({ place }) => {
    const start = file + program.readUInt32LE(file + place) - memory;
    return program.subarray(start, start + program.readUInt32LE(file + place + 4));
  });
}
