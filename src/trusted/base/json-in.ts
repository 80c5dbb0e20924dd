/** What a text of JSON says, with nothing known of it; undefined where it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
