import type { Drawing, Place, World } from '../base/world.ts'
import type { VaultContext } from './vault-context.ts'

/**
 * Decides with the randomness of this decision, where the world has one for each. Of what is decided without a ticket, or whose
 * unit does not come to be, the next decision draws the same.
 */
export function withDrawing<T extends object>(
  vaultContext: VaultContext,
  decide: (vaultContext: VaultContext) => Promise<T>,
): Promise<T> {
  const drawing = vaultContext.world.drawing?.()
  return drawing === undefined ? decide(vaultContext) : ended({ ...vaultContext, drawing }, drawing, decide)
}

/** The random bytes of what is made at this place, which is asked for only where it matters. */
export function randomBytesAt(
  { world, drawing }: Pick<VaultContext, 'world' | 'drawing'>,
  place: () => Place,
): World['randomBytes'] {
  return drawing === undefined ? world.randomBytes : drawing.at(place())
}

async function ended<T extends object>(
  vaultContext: VaultContext,
  drawing: Drawing,
  decide: (vaultContext: VaultContext) => Promise<T>,
): Promise<T> {
  let ticket: number | undefined
  try {
    const decided = await decide(vaultContext)
    if ('ticket' in decided && typeof decided.ticket === 'number') ({ ticket } = decided)
    return decided
  } finally {
    drawing.end(ticket)
  }
}
