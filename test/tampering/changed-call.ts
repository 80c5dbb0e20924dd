import fc from 'fast-check'
import type { Recorded } from './recorded-calls.ts'

/** Ways to change a call, a few at a time. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({ at: fc.nat(), how: fc.nat(), from: fc.nat(), value: fc.jsonValue() }),
  { minLength: 1, maxLength: 4 },
)

/** The input of a call after these steps, the call itself left alone. */
export function changed(input: unknown, taken: readonly Step[], others: readonly Recorded[]): unknown {
  return taken.reduce((value, step) => changedOnce(value, step, others), structuredClone(input))
}

export type Step = {
  readonly at: number
  readonly how: number
  readonly from: number
  readonly value: unknown
}
type Place = { readonly holder: Record<string, unknown>; readonly name: string }

/**
 * One value of the message becomes another: of another type, near it, none, or one of the same name out of another
 * message.
 */
function changedOnce(input: unknown, { at, how, from, value }: Step, others: readonly Recorded[]): unknown {
  const root = { input }
  const places = placesIn(root)
  const place = places[at % places.length]
  if (place === undefined) return input
  const { holder, name } = place
  const before = holder[name]
  const elsewhere = placesIn({ input: others[from % others.length]?.input }).filter(
    (item) => item.name === name,
  )
  const other = elsewhere[from % Math.max(1, elsewhere.length)]
  const ways: readonly (() => unknown)[] = [
    () => value,
    () =>
      typeof before === 'number' ? String(before) : typeof before === 'string' ? Number(before) : [before],
    () => (typeof before === 'number' ? before + 1 : `${String(before)} `),
    () => (typeof before === 'number' ? before - 1 : null),
    () => (typeof before === 'number' ? before + 0.5 : `${String(before).slice(0, -1)}\ud800`),
    () => undefined,
    () => (other === undefined ? {} : structuredClone(other.holder[other.name])),
    () => (other === undefined ? [] : structuredClone(other.holder[other.name])),
    () =>
      typeof before === 'object' && before !== null ? { ...before, surplus: value } : { [name]: before },
  ]
  holder[name] = ways[how % ways.length]?.()
  return root.input
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  // Objects and lists are both looked into by name.
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])])
}
