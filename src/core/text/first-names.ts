/** The first `most` of some names, and how many more there are: `a, b and 3 more`. */
export function firstNames(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return names.slice(0, most).join(", ") + more;
}
