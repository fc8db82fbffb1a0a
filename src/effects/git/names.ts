/**
 * File names as strings. Most are UTF-8; bytes that are not become lone surrogates (U+DC80 to U+DCFF), so that two names
 * never become one string and the way back to bytes exists.
 */
const STRICT = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The name in `bytes[from, to)`. */
export function decodeName(bytes: Buffer, from: number, to: number): string {
  const name = bytes.toString("utf8", from, to);
  return name.includes("\ufffd") ? decodeOdd(bytes.subarray(from, to)) : name;
}

/** What the file system calls take: the string, or the bytes it stands for. */
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

function decodeOdd(bytes: Buffer): string {
  let name = "";
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes[at] ?? 0);
    const text = length === 0 ? null : strictly(bytes.subarray(at, at + length));
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

function strictly(bytes: Buffer): string | null {
  try {
    return STRICT.decode(bytes);
  } catch {
    return null;
  }
}
