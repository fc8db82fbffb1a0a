type Warning = { type: "note"; level: "warn"; text: string };

/** The event that warns a person of something. */
export function warning(text: string): Warning {
  return { type: "note", level: "warn", text };
}
