import type { OfferedCharter } from '../../../protocol/vault.ts'
import type { CompiledCharter } from './compiled-charter.ts'
import type { During } from './compiled-charters.ts'
import type { VaultContext } from '../vault-context.ts'

/** The charter of the addressed organization, and that of its parent where it was offered. */
export type OwnAndParent = {
  readonly own: CompiledCharter
  readonly parent: CompiledCharter | undefined
}

/** The charters that a request rests on, or those that the host must bring whole. */
export async function compiledChartersOf(
  { compiledCharters }: Pick<VaultContext, 'compiledCharters'>,
  organizationId: string,
  offered: readonly OfferedCharter[],
  during: During,
): Promise<
  | ({ readonly kind: 'compiled' } & OwnAndParent)
  | { readonly kind: 'needs'; readonly charters: readonly string[] }
> {
  const ownRow = offered.find((charter) => charter.organizationId === organizationId)
  const own = ownRow && (await compiledCharters.get(ownRow, during))
  if (own === undefined) return { kind: 'needs', charters: [organizationId] }
  const { parentId } = own.charter
  const parentRow = offered.find((charter) => charter.organizationId === parentId)
  const parent = parentRow && (await compiledCharters.get(parentRow, during))
  if (parentRow !== undefined && parent === undefined)
    return { kind: 'needs', charters: [parentRow.organizationId] }
  return { kind: 'compiled', own, parent }
}
