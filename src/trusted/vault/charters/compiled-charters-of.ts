import type { OfferedCharter } from '../../../protocol/vault.ts'
import type { CompiledCharter, During } from './compiled-charter.ts'
import type { VaultContext } from '../vault-context.ts'

/**
 * The charter of the organization, and that of its parent where it was offered; or the charters that the host must
 * bring whole.
 */
export async function compiledChartersOf(
  vaultContext: Pick<VaultContext, 'compiledCharters'>,
  organizationId: string,
  offered: readonly OfferedCharter[],
  during: During,
): Promise<
  | {
      readonly compiledCharters: {
        readonly own: CompiledCharter
        readonly parent: CompiledCharter | undefined
      }
      readonly missing?: undefined
    }
  | { readonly compiledCharters?: undefined; readonly missing: readonly string[] }
> {
  const own = offered.find((charter) => charter.organizationId === organizationId)
  const ownCompiled = own === undefined ? undefined : await vaultContext.compiledCharters.get(own, during)
  if (ownCompiled === undefined) return { missing: [organizationId] }
  const { parentId } = ownCompiled.charter
  const parent = offered.find((charter) => charter.organizationId === parentId)
  const parentCompiled =
    parent === undefined ? undefined : await vaultContext.compiledCharters.get(parent, during)
  if (parent !== undefined && parentCompiled === undefined) return { missing: [parent.organizationId] }
  return { compiledCharters: { own: ownCompiled, parent: parentCompiled } }
}
