import type { Vault } from '../../protocol/vault.ts'
import type { VaultLink } from './vault-link.ts'

/** A vault that this process started, or that it is connected to. */
export type RunningVault = Pick<VaultLink, 'vault' | 'ready'> & {
  /** Of the process, where this one started it. */
  readonly pid: number | undefined
  /** Resolves when it will not come back: with what its process ended by, an exit code or a signal, or that it was left. */
  readonly ended: Promise<string>
  /** Ends it, by force where it does not end by itself, and waits until it has; a vault that others started is left. */
  readonly end: () => Promise<void>
  /** What is to be done each time it comes back, before anybody else may ask it: it may be another one, and has no memory. */
  readonly onReturn: (prepare: (vault: Vault) => Promise<void>) => void
}
