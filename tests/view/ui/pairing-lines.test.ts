import { describe, expect, test } from "bun:test";
import { encodeQR } from "qr";
import decodeQR from "qr/decode.js";
import { pairingAddress, pairingLines } from "../../../src/view/ui/pairing-lines.ts";
import { qrLines } from "../../../src/view/ui/qr-lines.ts";

const WORDS = { origin: "https://desk.example:7543", code: "K7Q2M9XP", control: true, minutes: 5 };
const squares = encodeQR(pairingAddress(WORDS), "raw", { ecc: "low", border: 4 });

/** What a camera sees: each half block a square of some pixels. @param ink brightness of the text, and of what is behind it */
function seen(lines: readonly string[], ink: { text: number; behind: number }): string {
  const SCALE = 4;
  const rows = lines.flatMap((line) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal's language
    const blocks = [...line.replaceAll(/\u001b\[[0-9;]*m/g, "")];
    return [blocks.map((one) => "█▀".includes(one)), blocks.map((one) => "█▄".includes(one))];
  });
  const size = Math.min(rows.length, rows[0]?.length ?? 0);
  const data = new Uint8Array((size * SCALE) ** 2 * 4);
  for (let y = 0; y < size * SCALE; y += 1)
    for (let x = 0; x < size * SCALE; x += 1) {
      const isInk = rows[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)] ?? false;
      const at = (y * size * SCALE + x) * 4;
      data.fill(isInk ? ink.text : ink.behind, at, at + 3);
      data[at + 3] = 255;
    }
  return decodeQR({ width: size * SCALE, height: size * SCALE, data });
}

describe("the QR code in the terminal", () => {
  test("is read back as the address, in colours of its own", () => {
    const lines = qrLines(squares, true);
    for (const line of lines) expect(line).toStartWith("\u001b[38;5;16;48;5;231m");
    expect(seen(lines, { text: 0, behind: 255 })).toBe("https://desk.example:7543/#K7Q2M9XP");
  });

  test("is read back without colours, light text on a dark terminal", () => {
    const lines = qrLines(squares, false);
    expect(lines.join("")).not.toContain("\u001b");
    expect(seen(lines, { text: 230, behind: 20 })).toBe("https://desk.example:7543/#K7Q2M9XP");
  });

  test("stands above its address, and is left away where it has no room", () => {
    const wide = pairingLines({ ...WORDS, squares, columns: squares.length, color: true });
    expect(wide).toContain("  https://desk.example:7543/#K7Q2M9XP");
    expect(wide.join("\n")).toContain("▀");
    expect(pairingLines({ ...WORDS, control: false, squares, columns: squares.length - 1, color: true })).toEqual([
      "Pair a device, to look only: once, within 5 minutes.",
      `The QR code needs ${squares.length} columns. Without it:`,
      "  https://desk.example:7543/#K7Q2M9XP",
      "  or https://desk.example:7543/ and the code K7Q2-M9XP",
    ]);
  });
});
