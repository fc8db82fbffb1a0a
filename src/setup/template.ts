/**
 * Replaces each `{{NAME}}` by its value, in one pass: values are never expanded again.
 * @throws TypeError for a name without a value; templates are ours, so a test finds it
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll("\r\n", "\n").replace(/\{\{([A-Z_]+)\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new TypeError(`no value for the template's ${name}`);
    return value;
  });
}
