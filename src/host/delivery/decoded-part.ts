/** A part of an address without its percent encoding; undefined if that encoding is wrong. */
export function decodedPart(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
