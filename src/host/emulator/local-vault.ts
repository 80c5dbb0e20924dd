import { METHODS, readAnswer, type VaultMethod } from '../../protocol/methods.ts'
import type { Vault } from '../../protocol/vault.ts'
import { openVault } from '../../trusted/vault/vault.ts'

/** A vault in this process, whose answers are read like those of a separate process. */
export function localVault(inputs: Parameters<typeof openVault>[0]): Vault {
  return withAnswersRead(openVault(inputs))
}

function withAnswersRead(vault: Vault): Vault {
  const read = (method: VaultMethod) => async (call?: unknown) => {
    // Each method reads its argument by its own shape.
    const run = vault[method] as (call: unknown) => Promise<unknown>
    return readAnswer(method, await run(call))
  }
  // Every method has its entry, and answers the value that it has read.
  return { ...vault, ...Object.fromEntries(METHODS.map((method) => [method, read(method)])) } as Vault
}
