import type { Ms, DrawingPurpose, World } from '../../trusted/base/world.ts'
import type { SettledUnits } from '../../protocol/vault.ts'
import { Ordinals, type OrdinalsState } from './ordinals.ts'
import { seededBytes } from './seeded-bytes.ts'

export type SeededWorld = World & {
  /** Told what became of units, as the vault is. */
  readonly settled: (units: SettledUnits) => void
  readonly ordinals: () => OrdinalsState
}

type Drawn = Map<string, { readonly ordinal: number; readonly randomBytes: World['randomBytes'] }>

/**
 * Randomness that follows from the seed, the organization, the user, the kind of what is made and how many of them
 * there are: whatever else is asked before, beside or in between changes nothing of it.
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
 * The first id begins as its ordinal says, so that things of one kind that are made at one instant stand in the order
 * of their making.
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

/** What an id draws (`base/ids.ts`): its first 12 bits come behind the time. */
const ID_BYTES = 10

function labelOf({ organizationId, userId, kind }: DrawingPurpose): string {
  return `${kind} ${userId} ${organizationId}`
}
