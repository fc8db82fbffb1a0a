import { readMachO } from "./macho.ts";

/** The platform that a program's first bytes name. */
export type Format = {
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64" | "other";
  libc: "glibc" | "musl" | null;
};

const ELF: Readonly<Record<number, Format["cpu"]>> = { 62: "x64", 183: "arm64" };
const PE: Readonly<Record<number, Format["cpu"]>> = { 34404: "x64", 43620: "arm64" };
const PT_INTERP = 3;

/** Reads the headers of a program. @throws Error if it is for none of our systems */
export function formatOf(program: Buffer): Format {
  if (program.readUInt32BE(0) === 0x7f454c46) return elf(program);
  if (program.toString("latin1", 0, 2) === "MZ") return pe(program);
  return { os: "darwin", cpu: readMachO(program).cpu, libc: null };
}

/** The loader that a Linux program names identifies its C library. */
function elf(program: Buffer): Format {
  const [table, size, count] = [
    Number(program.readBigUInt64LE(32)),
    program.readUInt16LE(54),
    program.readUInt16LE(56),
  ];
  const headers = Array.from({ length: count }, (_, index) => table + index * size);
  const at = headers.find((header) => program.readUInt32LE(header) === PT_INTERP);
  const start = at === undefined ? 0 : Number(program.readBigUInt64LE(at + 8));
  const loader = at === undefined ? "" : program.toString("latin1", start, program.indexOf(0, start));
  return {
    os: "linux",
    cpu: ELF[program.readUInt16LE(18)] ?? "other",
    libc: loader.includes("musl") ? "musl" : "glibc",
  };
}

function pe(program: Buffer): Format {
  const header = program.readUInt32LE(60);
  if (program.toString("latin1", header, header + 4) !== "PE\0\0") throw new Error("it is no program for Windows");
  return { os: "win32", cpu: PE[program.readUInt16LE(header + 4)] ?? "other", libc: null };
}
