import type { Vault } from '../../../protocol/vault.ts'

/** A vault that only proves, in the way that a test defines. */
export function provingVault(parts: Pick<Vault, 'proveRoot'> & Partial<Pick<Vault, 'settled'>>): Vault {
  const unused = async (): Promise<never> => {
    throw new Error('this vault only proves')
  }
  return {
    settled: () => {},
    decide: unused,
    identify: unused,
    check: unused,
    establish: unused,
    openJob: unused,
    signWebhook: unused,
    rehearse: unused,
    verify: unused,
    copyKey: unused,
    restored: unused,
    announceRestore: unused,
    announceRecovery: unused,
    heartbeat: unused,
    serviceKeys: unused,
    checkRootProof: unused,
    rereadRootKey: unused,
    reseal: unused,
    erase: unused,
    eraseUser: unused,
    ...parts,
  }
}
