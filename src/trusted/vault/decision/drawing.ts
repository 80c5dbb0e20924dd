import type { Drawing, DrawingPurpose, World } from '../../base/world.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * Decides with the randomness of this decision, where the world has one for each. A decision without a ticket, or whose
 * unit is not committed, leaves the same random bytes to the next decision.
 */
export function withDrawing<T extends object>(
  vaultContext: VaultContext,
  decide: (vaultContext: VaultContext) => Promise<T>,
): Promise<T> {
  const drawing = vaultContext.world.drawing?.()
  return drawing === undefined ? decide(vaultContext) : ended({ ...vaultContext, drawing }, drawing, decide)
}

/** The random bytes for this purpose; only computed where the world has a seed. */
export function randomBytesAt(
  { world, drawing }: Pick<VaultContext, 'world' | 'drawing'>,
  purpose: () => DrawingPurpose,
): World['randomBytes'] {
  return drawing === undefined ? world.randomBytes : drawing.at(purpose())
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
