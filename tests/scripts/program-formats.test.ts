/** Headers, signatures and resources of small programs made here. */
import { describe, expect, test } from "bun:test";
import { createRequire } from "node:module";
import { TARGETS, type Target } from "../../scripts/lib/build/targets.ts";
import { formatOf } from "../../scripts/lib/release/binary-format.ts";
import { checkProgram } from "../../scripts/lib/release/check-program.ts";
import { checkSignature, readMachO, signedAdHoc } from "../../scripts/lib/release/macho.ts";
import { branded, brandOf } from "../../scripts/lib/release/windows.ts";

const PAGES = 3;

/** A Mach-O program of three pages: __TEXT, __LINKEDIT with room for a signature, and its load command. */
function machO(cpu: number): Buffer {
  const code = PAGES * 4_096;
  const bytes = Buffer.alloc(code + 16, 7);
  bytes.fill(0, 0, 200);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(cpu, 4);
  bytes.writeUInt32LE(3, 16);
  const segment = (at: number, name: string, offset: number, size: number) => {
    bytes.writeUInt32LE(0x19, at);
    bytes.writeUInt32LE(72, at + 4);
    bytes.write(name, at + 8);
    bytes.writeBigUInt64LE(BigInt(offset), at + 40);
    bytes.writeBigUInt64LE(BigInt(size), at + 48);
  };
  segment(32, "__TEXT", 0, code - 100);
  segment(104, "__LINKEDIT", code - 100, 116);
  bytes.writeUInt32LE(0x1d, 176);
  bytes.writeUInt32LE(16, 180);
  bytes.writeUInt32LE(code, 184);
  bytes.writeUInt32LE(16, 188);
  return bytes;
}

function elf(machine: number, loader: string): Buffer {
  const bytes = Buffer.alloc(200);
  bytes.writeUInt32BE(0x7f454c46, 0);
  bytes.writeUInt16LE(machine, 18);
  bytes.writeBigUInt64LE(64n, 32);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(1, 56);
  bytes.writeUInt32LE(3, 64);
  bytes.writeBigUInt64LE(130n, 72);
  bytes.write(loader, 130);
  return bytes;
}

const named = (name: string): Target => {
  const found = TARGETS.find((target) => target.name === name);
  if (found === undefined) throw new Error(name);
  return found;
};

describe("a program's headers", () => {
  test.each([
    [elf(62, "/lib64/ld-linux-x86-64.so.2"), { os: "linux", cpu: "x64", libc: "glibc" }],
    [elf(183, "/lib/ld-musl-aarch64.so.1"), { os: "linux", cpu: "arm64", libc: "musl" }],
    [machO(0x01000007), { os: "darwin", cpu: "x64", libc: null }],
    [machO(0x0100000c), { os: "darwin", cpu: "arm64", libc: null }],
  ] as const)("name its platform, case %#", (program, expected) => expect(formatOf(program)).toEqual(expected));

  test("that name another platform fail the check", () => {
    expect(checkProgram(elf(62, "/lib/ld-musl-x86_64.so.1"), named("linux-x64"))).toBe(
      "it is a program for linux x64 musl",
    );
    expect(checkProgram(elf(62, "/lib64/ld.so"), named("linux-x64"))).toBeNull();
  });
  test("fail the check if the parts import each other by another system's paths", () => {
    const part = (name: string) => Buffer.concat([elf(62, "/lib64/ld.so"), Buffer.from(`import("${name}/part.js")`)]);
    expect(checkProgram(part("/$bunfs/root"), named("linux-x64"))).toBeNull();
    expect(checkProgram(part("B:/~BUN/root"), named("linux-x64"))).toContain("where another system has them");
  });
});

describe("a signature for macOS", () => {
  const signed = signedAdHoc(machO(0x01000007), "ralph");

  test("covers every page, and its segment grows with it", () => {
    expect(checkSignature(signed)).toEqual({ isAdHoc: true, identifier: "ralph", pages: PAGES, badPages: 0 });
    const { linkEdit, signature } = readMachO(signed);
    const [start, size] = [signed.readBigUInt64LE(linkEdit + 40), signed.readBigUInt64LE(linkEdit + 48)];
    expect(Number(start + size)).toBe(signed.length);
    expect((signature?.offset ?? 0) + (signature?.size ?? 0)).toBe(signed.length);
    expect(checkProgram(signed, named("darwin-x64"))).toBeNull();
  });

  test.each([0, 1, 2])("no longer holds when page %i is changed", (page) => {
    const changed = Buffer.from(signed);
    changed.writeUInt8(99, page * 4_096 + 300);
    expect(checkSignature(changed)?.badPages).toBe(1);
    expect(checkProgram(changed, named("darwin-x64"))).toContain("its signature does not hold: 1 of 3 pages");
  });

  test("can be replaced", () => {
    expect(signedAdHoc(signed, "ralph").equals(signed)).toBe(true);
  });

  test("is null in an unsigned program", () => {
    expect(checkSignature(machO(0x01000007))).toBeNull();
    expect(checkProgram(machO(0x0100000c), named("darwin-arm64"))).toBe("it has no signature");
  });
});

describe("the resources of a Windows program", () => {
  const empty: { generate(): ArrayBuffer } = createRequire(import.meta.url)("resedit").NtExecutable.createEmpty(
    false,
    false,
  );
  const about = { version: "1.2.3-rc.1", description: "Runs.", license: "MIT" };
  const program = branded(Buffer.from(empty.generate()), about);

  test("name ralph, its version and its icon", () => {
    expect(brandOf(program)).toMatchObject({
      texts: { ProductName: "ralph", FileVersion: "1.2.3-rc.1", FileDescription: "Runs." },
      icons: 4,
    });
  });

  test("are missed where there are none", () => {
    expect(brandOf(Buffer.from(empty.generate()))).toEqual({ texts: {}, icons: 0 });
  });

  test("are reproducible", () => {
    expect(branded(Buffer.from(empty.generate()), about).equals(program)).toBe(true);
  });
});
