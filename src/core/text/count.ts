/** `1 file`, `3 files`, `2 boxes`: the one place where words follow a number. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
