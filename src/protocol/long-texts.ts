/** The path of names and positions from the list of messages to a text, and the text's length in bytes of UTF-8. */
type TextNote = { readonly path: readonly (string | number)[]; readonly bytes: number }

/** Messages, and separately their long texts. */
type TakenOut = {
  readonly messages: readonly unknown[]
  readonly notes: readonly TextNote[]
  readonly texts: readonly string[]
}

/** Shorter texts are as cheap inside the JSON. */
const SHORT_CHARACTERS = 512

/**
 * Records and requests are JSON themselves: inside JSON, one end must escape each of their quotation marks and the
 * other must unescape it. The input is not changed; objects on the path to a long text are copied, with an empty text
 * in its place.
 */
export function takeTextsOut(messages: readonly unknown[]): TakenOut {
  const notes: TextNote[] = []
  const texts: string[] = []
  const path: (string | number)[] = []
  const without = (value: unknown): unknown => {
    if (typeof value === 'string') return isLong(value) ? taken(value) : value
    if (typeof value !== 'object' || value === null) return value
    return Array.isArray(value) ? itemsWithout(value) : fieldsWithout(value as Fields)
  }
  const taken = (text: string): string => {
    notes.push({ path: [...path], bytes: Buffer.byteLength(text) })
    texts.push(text)
    return ''
  }
  const itemsWithout = (items: readonly unknown[]): readonly unknown[] => {
    let copy: unknown[] | undefined
    for (let at = 0; at < items.length; at++) {
      path.push(at)
      const rest = without(items[at])
      path.pop()
      if (rest !== items[at]) (copy ??= [...items])[at] = rest
    }
    return copy ?? items
  }
  const fieldsWithout = (fields: Fields): Fields => {
    let copy: Record<string, unknown> | undefined
    for (const name in fields) {
      path.push(name)
      const rest = without(fields[name])
      path.pop()
      if (rest !== fields[name]) (copy ??= { ...fields })[name] = rest
    }
    return copy ?? fields
  }
  return { messages: itemsWithout(messages), notes, texts }
}

/**
 * Puts texts back in their places, changing the given messages.
 *
 * @param bytes  the texts, one behind the other
 * @returns      the problem; undefined when every text has its place
 */
export function putTextsBack(
  messages: readonly unknown[],
  notes: unknown,
  bytes: Buffer,
): string | undefined {
  if (!Array.isArray(notes)) return 'a frame does not say where its texts belong'
  let at = 0
  for (const note of notes as readonly unknown[]) {
    if (!isNote(note)) return 'a frame does not say where its texts belong'
    const end = at + note.bytes
    if (end > bytes.length || !putBack(messages, note.path, bytes.toString('utf8', at, end)))
      return 'a frame has a text that belongs nowhere'
    at = end
  }
  return at === bytes.length ? undefined : 'a frame has more behind its texts'
}

/** Only an empty text may be replaced. */
function putBack(messages: readonly unknown[], path: TextNote['path'], text: string): boolean {
  const name = path.at(-1)
  const holder = path.slice(0, -1).reduce<unknown>(within, messages)
  if (name === undefined || !isHolder(holder) || within(holder, name) !== '') return false
  holder[name] = text
  return true
}

function within(value: unknown, name: string | number): unknown {
  return isHolder(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

/** A list is accessed by position as an object is by name. */
function isHolder(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
}

type Fields = { readonly [name: string]: unknown }

/** A lone surrogate would not survive the conversion to UTF-8. */
function isLong(text: string): boolean {
  return text.length > SHORT_CHARACTERS && text.isWellFormed()
}

function isNote(note: unknown): note is TextNote {
  const { path, bytes }: Partial<Record<keyof TextNote, unknown>> =
    typeof note === 'object' && note !== null ? note : {}
  return (
    Array.isArray(path) &&
    path.every((name) => typeof name === 'string' || typeof name === 'number') &&
    Number.isSafeInteger(bytes) &&
    Number(bytes) >= 0
  )
}
