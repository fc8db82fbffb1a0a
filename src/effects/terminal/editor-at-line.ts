/** Editors that take a line as `--goto FILE:LINE`, and those that take it as `FILE:LINE`. */
const GOTO = /^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/;
const COLON = /^(?:subl|sublime_text|zed|zeditor|hx|helix)$/;
/** Editors that take `+LINE` before the file. */
const PLUS = /^(?:vi|vim|nvim|gvim|mvim|nano|pico|emacs|emacsclient|micro|kak|joe|mg|ne|jed|view)$/;

/**
 * The words that open a file in an editor; at a line if the editor is known to take one.
 * @param line from 1; null for none
 */
export function editorAtLine(editor: readonly string[], file: string, line: number | null): string[] {
  const name = (editor[0] ?? "")
    .replace(/^.*[\\/]/, "")
    .replace(/\.(?:exe|cmd)$/i, "")
    .toLowerCase();
  if (line !== null && GOTO.test(name)) return [...editor, "--goto", `${file}:${line}`];
  if (line !== null && COLON.test(name)) return [...editor, `${file}:${line}`];
  return line !== null && PLUS.test(name) ? [...editor, `+${line}`, file] : [...editor, file];
}
