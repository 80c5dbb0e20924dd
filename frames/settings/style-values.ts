/**
 * The styles that a page may set on the text of a frame, each with the values that it may have. Nothing here can take
 * the text out of sight, move it out of its place, or load anything: no function but those of colours, no negative
 * length, no size of nothing.
 */
export const styleValues: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['padding', edges(64)],
  ['margin', edges(64)],
  ['borderWidth', edges(16)],
  ['borderStyle', words('none', 'solid', 'dotted', 'dashed', 'double', 'groove', 'ridge', 'inset', 'outset')],
  ['borderColor', isColour],
  ['borderRadius', edges(64)],
  ['fontSize', length(8, 64)],
  ['fontWeight', either(words('normal', 'bold', 'bolder', 'lighter'), (value) => /^[1-9]00$/.test(value))],
  ['fontFamily', (value) => /^[\w\s,'"-]{1,200}$/.test(value)],
  ['color', isColour],
  ['labelColor', isColour],
  ['backgroundColor', isColour],
  ['width', either(words('auto'), share, length(64, 4096))],
  ['height', either(words('auto'), share, length(16, 4096))],
  ['maxWidth', either(words('none'), share, length(64, 4096))],
  ['maxHeight', either(words('none'), share, length(16, 4096))],
  ['lineHeight', either(words('normal'), (value) => /^[1-3](\.\d{1,3})?$/.test(value), length(12, 128))],
  ['boxShadow', either(words('none'), isShadow)],
  ['textAlign', words('left', 'right', 'center', 'start', 'end', 'justify')],
  ['overflowWrap', words('normal', 'break-word', 'anywhere')],
  ['wordWrap', words('normal', 'break-word', 'anywhere')],
  ['resize', words('none', 'both', 'vertical', 'horizontal')],
])

function words(...allowed: readonly string[]): (value: string) => boolean {
  return (value) => allowed.includes(value)
}

function either(...checks: readonly ((value: string) => boolean)[]): (value: string) => boolean {
  return (value) => checks.some((check) => check(value))
}

/**
 * Pixels of a length; undefined for anything else. A root element has the browser's 16 pixels, and no style can change
 * it.
 */
function pixels(value: string): number | undefined {
  if (value === '0') return 0
  const [, amount = '', unit = ''] = /^(\d{1,4}(?:\.\d{1,4})?)(px|rem|em|pt)$/.exec(value) ?? []
  return amount === '' ? undefined : Number(amount) * (PIXELS[unit] ?? 1)
}

const PIXELS: Readonly<Record<string, number>> = { rem: 16, em: 16, pt: 4 / 3 }

function length(least: number, most: number): (value: string) => boolean {
  return (value) => {
    const size = pixels(value)
    return size !== undefined && size >= least && size <= most
  }
}

/** One to four lengths. */
function edges(most: number): (value: string) => boolean {
  const isLength = length(0, most)
  return (value) => {
    const parts = value.split(' ')
    return parts.length <= 4 && parts.every(isLength)
  }
}

/** A part of what is around the text that still shows it. */
function share(value: string): boolean {
  const [, amount = '0'] = /^(\d{1,3})(%|vw|vh)$/.exec(value) ?? []
  return Number(amount) >= 50 && Number(amount) <= 100
}

/** Without transparency, but for one of 1, which is none. */
function isColour(value: string): boolean {
  return (
    /^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ||
    /^rgba?\( ?\d{1,3}, ?\d{1,3}, ?\d{1,3}(, ?1(\.0+)?)? ?\)$/i.test(value) ||
    (/^[a-z]{3,24}$/i.test(value) && !COLOUR_KEYWORDS.test(value))
  )
}

// Words that stand for a colour which is decided elsewhere, or for none. A shadow that is inset has the colour of the
// text where none is named, and lies behind it.
const COLOUR_KEYWORDS = /^(transparent|inherit|initial|unset|revert|currentcolor|inset)$/i

function isShadow(value: string): boolean {
  const [, lengths = '', colour = ''] = /^((?:[\d.]+(?:px)? ){2,4})(\S.*)$/.exec(value) ?? []
  return edges(32)(lengths.trim()) && isColour(colour)
}
