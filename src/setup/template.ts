/**
 * Puts values in the place of `{{NAME}}`, in one pass: what a value holds is never expanded again.
 * @throws TypeError for a name without a value; templates are ours, so a test finds it
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll("\r\n", "\n").replace(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new TypeError(`a template asks for ${name}, and there is no such value`);
    return value;
  });
}
