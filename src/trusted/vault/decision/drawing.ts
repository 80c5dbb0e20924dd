import type { Drawing, DrawingPurpose, World } from '../../base/world.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * Decides with the randomness of this decision, where the world has one for each. A decision without a unit, or whose
 * unit is not committed, leaves the same random bytes to the next decision.
 *
 * @param ticketOf  the ticket of the decided unit; undefined where there is none
 */
export function withDrawing<T>(
  vaultContext: VaultContext,
  decide: (vaultContext: VaultContext) => Promise<T>,
  ticketOf: (decided: T) => number | undefined,
): Promise<T> {
  const drawing = vaultContext.world.drawing?.()
  return drawing === undefined
    ? decide(vaultContext)
    : ended(drawing, () => decide({ ...vaultContext, drawing }), ticketOf)
}

/** The random bytes for this purpose; only computed where the world has a seed. */
export function randomBytesAt(
  { world, drawing }: Pick<VaultContext, 'world' | 'drawing'>,
  purpose: () => DrawingPurpose,
): World['randomBytes'] {
  return drawing === undefined ? world.randomBytes : drawing.at(purpose())
}

async function ended<T>(
  drawing: Drawing,
  decide: () => Promise<T>,
  ticketOf: (decided: T) => number | undefined,
): Promise<T> {
  let ticket: number | undefined
  try {
    const decided = await decide()
    ticket = ticketOf(decided)
    return decided
  } finally {
    drawing.end(ticket)
  }
}
