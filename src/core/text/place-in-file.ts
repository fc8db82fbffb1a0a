/**
 * `file:line` of an error in a file: where its stack first names that file, or where it does not parse; the file alone if the
 * error does not tell. A stack may name the same file by another path, so its name decides.
 */
export function placeInFile(file: string, error: unknown): string {
  if (!(error instanceof Error)) return file;
  const name = file.replace(/^.*[\\/]/, "");
  const frame = (error.stack ?? "")
    .split("\n")
    .find((line) => line.includes(`/${name}:`) || line.includes(`\\${name}:`));
  const line = frame?.slice(frame.lastIndexOf(`${name}:`) + name.length + 1).match(/^\d+/)?.[0] ?? parsedLine(error);
  return line === undefined ? file : `${file}:${line}`;
}

/** Bun's errors of a file that does not parse say so. */
function parsedLine(error: Error): string | undefined {
  const position: unknown = "position" in error ? error.position : null;
  if (typeof position !== "object" || position === null || !("line" in position)) return undefined;
  return typeof position.line === "number" ? String(position.line) : undefined;
}
