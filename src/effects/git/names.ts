/**
 * File names as strings. Bytes that are not UTF-8 become lone surrogates (U+DC80 to U+DCFF): distinct names stay distinct,
 * and the original bytes can be restored.
 */
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The name in `bytes[from, to)`. */
export function decodeName(bytes: Buffer, from: number, to: number): string {
  const name = bytes.toString("utf8", from, to);
  return name.includes("\ufffd") ? decodeInvalidUtf8(bytes.subarray(from, to)) : name;
}

/** Text that may hold bytes that are no UTF-8, in the same way. */
export function decodeExactly(bytes: Buffer): string {
  return decodeName(bytes, 0, bytes.length);
}

/** What file system calls accept: the string, or the bytes that it represents. */
export function encodePath(path: string): string | Buffer {
  if (path.isWellFormed()) return path;
  const parts = path.split(/([\ud800-\udbff][\udc00-\udfff])|([\udc80-\udcff])/).filter((part) => part !== undefined);
  return Buffer.concat(
    parts.map((part) =>
      part.length === 1 && part >= "\udc80" && part <= "\udcff"
        ? Buffer.from([part.charCodeAt(0) - 0xdc00])
        : Buffer.from(part, "utf8"),
    ),
  );
}

/** The bytes of a name, a character each. */
export function bytesOf(name: string): string {
  if (!/[^ -~]/.test(name)) return name;
  const bytes = encodePath(name);
  return (typeof bytes === "string" ? Buffer.from(bytes) : bytes).toString("latin1");
}

function decodeInvalidUtf8(bytes: Buffer): string {
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0);
    const text = length === 0 ? null : decodeStrict(bytes.subarray(at, at + length));
    name += text ?? String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += text === null ? 1 : length;
  }
  return name;
}

function sequenceLength(lead: number): number {
  if (lead < 0x80) return 1;
  if (lead >= 0xc2 && lead < 0xe0) return 2;
  if (lead >= 0xe0 && lead < 0xf0) return 3;
  return lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
}

function decodeStrict(bytes: Buffer): string | null {
  try {
    return STRICT.decode(bytes);
  } catch {
    return null;
  }
}
