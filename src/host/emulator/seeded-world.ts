import type { Ms, DrawingPurpose, World } from '../../trusted/base/world.ts'
import type { SettledUnits } from '../../protocol/vault.ts'
import { Ordinals, type OrdinalsState } from './ordinals.ts'
import { seededBytes } from './seeded-bytes.ts'

export type SeededWorld = World & {
  /** Called with the outcome of units, like the vault. */
  readonly settled: (units: SettledUnits) => void
  readonly ordinals: () => OrdinalsState
}

type Drawn = Map<string, { readonly ordinal: number; readonly randomBytes: World['randomBytes'] }>

/**
 * Randomness from the seed, the organization, the user, the kind of the new object and its number. Other requests
 * before it, at the same time or in between do not change it.
 */
export function seededWorld(of: {
  readonly seed: string
  readonly now: () => Ms
  readonly ordinals?: OrdinalsState
}): SeededWorld {
  const { seed, now } = of
  const ordinals = new Ordinals(of.ordinals)
  const underWay = new Map<number, Drawn>()
  const settle = (ticket: number, isMade: boolean): void => {
    for (const [label, { ordinal }] of underWay.get(ticket) ?? [])
      if (isMade) ordinals.made(label, ordinal)
      else ordinals.free(label, ordinal)
    underWay.delete(ticket)
  }
  return {
    now,
    elapsed: now,
    randomBytes: seededBytes(seed),
    drawing: () => {
      const drawn: Drawn = new Map()
      return {
        at: (purpose) => {
          const label = labelOf(purpose)
          const earlier = drawn.get(label)
          if (earlier !== undefined) return earlier.randomBytes
          const ordinal = ordinals.take(label)
          const randomBytes = inOrder(ordinal, seededBytes(JSON.stringify([seed, label, ordinal])))
          drawn.set(label, { ordinal, randomBytes })
          return randomBytes
        },
        end: (ticket) => {
          if (ticket !== undefined) underWay.set(ticket, drawn)
          else for (const [label, { ordinal }] of drawn) ordinals.free(label, ordinal)
        },
      }
    },
    settled: ({ committed, unknown, dropped }) => {
      for (const ticket of [...committed, ...unknown]) settle(ticket, true)
      for (const ticket of dropped) settle(ticket, false)
    },
    ordinals: () => ordinals.state(),
  }
}

/**
 * The first id begins with its ordinal, so that objects of one kind with the same time stand in the order of their
 * creation.
 */
function inOrder(ordinal: number, randomBytes: World['randomBytes']): World['randomBytes'] {
  let isFirst = true
  return (length) => {
    const bytes = randomBytes(length)
    if (length !== ID_BYTES || !isFirst) return bytes
    isFirst = false
    bytes.set([(ordinal >> 8) & 0x0f, ordinal & 0xff])
    return bytes
  }
}

/** The draw of an id (`base/ids.ts`): its first 12 bits follow the time. */
const ID_BYTES = 10

function labelOf({ organizationId, userId, kind }: DrawingPurpose): string {
  return `${kind} ${userId} ${organizationId}`
}
