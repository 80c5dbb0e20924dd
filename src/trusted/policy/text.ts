/**
 * The characters `from` (included) to `to` (excluded) of a text, or undefined when it has not so many. A character is
 * a Unicode code point, so that no half of one comes out. Looks no further than `to`.
 */
export function sliceText(text: string, from: number, to: number): string | undefined {
  const start = offsetOf(text, 0, from)
  const end = start === undefined ? undefined : offsetOf(text, start, to - from)
  return end === undefined ? undefined : text.slice(start, end)
}

/** The offset `count` code points after another; undefined beyond the end of the text. */
function offsetOf(text: string, from: number, count: number): number | undefined {
  let at = from
  for (let passed = 0; passed < count; passed += 1) {
    if (at >= text.length) return undefined
    at += isHighSurrogate(text.charCodeAt(at)) && isLowSurrogate(text.charCodeAt(at + 1)) ? 2 : 1
  }
  return at
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** False for the NaN that stands after the last code unit. */
function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/**
 * Whether two texts differ in nothing but the case of ASCII letters. Other letters are never folded: some fold to
 * ASCII.
 */
export function sameButForCase(a: string, b: string): boolean {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at += 1) {
    if (folded(a.charCodeAt(at)) !== folded(b.charCodeAt(at))) return false
  }
  return true
}

function folded(unit: number): number {
  return unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit
}
