import type { Fields, Value } from './types.ts'
import { isFields, isList, textOf } from './values.ts'
import { Problem } from './problem.ts'

/** A value as the language writes it, cut to a length that people can read: `'0xAb'`, `[1, 2, …]`, `{to: 'x'}`. */
export function shown(value: Value): string {
  return shownWithin(value, { left: CHARACTERS_MAX })
}

const CHARACTERS_MAX = 512

/** The room that is left. Each part uses some of it in turn; parts after the end of the room are not looked at. */
type Room = { left: number }

function shownWithin(value: Value | Problem | undefined, room: Room): string {
  if (value === undefined || value instanceof Problem) return '?'
  const text = textOf(value)
  if (text !== undefined) return `'${cut(text, room)}'`
  if (isList(value)) return `[${few(value, (item) => shownWithin(item, room), room)}]`
  if (!isFields(value)) return cut(String(value), room)
  const field = (name: string): string => `${cut(name, room)}: ${shownWithin(value[name], room)}`
  return `{${few(namesIn(value), field, room)}}`
}

/**
 * The names of a struct, as many as there is room for. A large one may be shown thousands of times, and is listed once.
 */
function namesIn(fields: Fields): readonly string[] {
  const known = NAMES.get(fields) ?? Object.keys(fields).slice(0, CHARACTERS_MAX)
  NAMES.set(fields, known)
  return known
}

const NAMES = new WeakMap<Fields, readonly string[]>()

function few<T>(items: readonly T[], show: (item: T) => string, room: Room): string {
  const told: string[] = []
  for (const item of items) {
    if (room.left <= 0) return [...told, '…'].join(', ')
    // Brackets and commas take room too, so that lists of empty lists have an end.
    room.left -= 2
    told.push(show(item))
  }
  return told.join(', ')
}

function cut(text: string, room: Room): string {
  const length = Math.max(0, room.left)
  room.left -= text.length
  return text.length <= length ? text : `${text.slice(0, length)}…`
}
