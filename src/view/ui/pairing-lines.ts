import { qrLines } from "./qr-lines.ts";

export type PairingWords = {
  /** Of the page, without a slash at its end. */
  origin: string;
  code: string;
  control: boolean;
  /** In which the code can be used. */
  minutes: number;
  /** The QR code of `pairingAddress`, with its quiet edge; null where none is drawn. */
  squares: readonly (readonly boolean[])[] | null;
  columns: number;
  color: boolean;
};

/** What the QR code holds: small, so that it stays small. */
export function pairingAddress({ origin, code }: Pick<PairingWords, "origin" | "code">): string {
  return `${origin}/#${code}`;
}

/** How the next device is paired. Where the QR code has no room, its address is told alone. */
export function pairingLines(words: PairingWords): string[] {
  const { origin, code, control, minutes, squares, columns, color } = words;
  const may = control ? "to look and to steer" : "to look only";
  const typed = `${code.slice(0, 4)}-${code.slice(4)}`;
  const fits = squares !== null && squares.length <= columns;
  return [
    `Pair a device, ${may}: once, within ${minutes} minutes.`,
    ...(fits ? ["", ...qrLines(squares, color), ""] : []),
    ...(squares !== null && !fits ? [`The QR code needs ${squares.length} columns. Without it:`] : []),
    `  ${pairingAddress(words)}`,
    `  or ${origin}/ and the code ${typed}`,
  ];
}
