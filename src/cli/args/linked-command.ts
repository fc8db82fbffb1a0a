/**
 * The command that a link to the program stands for, as the originals' were called: `import` for `ralph-import`. Undefined for the
 * program's own name.
 * @param program the name or path that ralph was started under
 */
export function linkedCommand(program: string): string | undefined {
  return /(?:^|[/\\])ralph-([a-z]+)(?:\.exe)?$/i.exec(program)?.[1]?.toLowerCase();
}
