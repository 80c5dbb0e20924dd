/**
 * JSON for reading, in characters that everybody can see: all others are written as JSON writes them by their number.
 */
export function plainJson(value: unknown): string {
  return asciiJson(JSON.stringify(value, undefined, 2))
}

/** The same JSON in ASCII alone. */
export function asciiJson(json: string): string {
  return json.replace(/[^\n\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
