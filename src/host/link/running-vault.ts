import type { Vault } from '../../protocol/vault.ts'
import type { VaultLink } from './vault-link.ts'

/** A vault that this process started, or that it is connected to. */
export type RunningVault = Pick<VaultLink, 'vault' | 'ready'> & {
  /** Of the process, where this one started it. */
  readonly pid: number | undefined
  /** Resolves when the vault will not come back, with the exit code or signal of its process, or that it was left. */
  readonly ended: Promise<string>
  /** Ends it, by force where it does not end by itself, and waits until it has; a vault that others started is left. */
  readonly end: () => Promise<void>
  /**
   * Registers a function for each return of the vault, called before other calls: it may be a new process without
   * memory.
   */
  readonly onReturn: (prepare: (vault: Vault) => Promise<void>) => void
}
