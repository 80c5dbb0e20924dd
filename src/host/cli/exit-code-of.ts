import { RootKeyError } from '../../trusted/vault/keys/root-key-error.ts'
import { ConfigError } from '../app/config-error.ts'
import { EmptyStore } from '../app/empty-store.ts'
import { CopyError, StorageUnreachable } from '../copies/copy-error.ts'
import { VaultError, VaultUnavailable } from '../link/vault-link.ts'
import { WrongRootKey } from '../rotation/root-proof.ts'
import { isStoreOutage } from '../store/outage.ts'
import { StoreError } from '../store/store-error.ts'
import { CommandError } from './command-error.ts'
import type { EVERY_EXIT_CODE } from './exit-codes.ts'
import { ServiceError, ServiceUnreachable } from './signed-query.ts'
import { UsageError } from './usage.ts'

const FAILED = 1
const MISUSED = 2
const UNREACHABLE = 4

const FAILURES = [
  CommandError,
  ConfigError,
  CopyError,
  EmptyStore,
  RootKeyError,
  ServiceError,
  StoreError,
  VaultError,
  WrongRootKey,
]

/**
 * The exit code of a command that threw this error.
 *
 * @returns undefined for a bug, which shows its stack; any other error has a message that an operator can act on
 */
export function exitCodeOf(error: unknown): keyof typeof EVERY_EXIT_CODE | undefined {
  if (error instanceof UsageError) return MISUSED
  if (error instanceof ServiceUnreachable || error instanceof VaultUnavailable) return UNREACHABLE
  if (error instanceof StoreError && error.kind === 'unavailable') return UNREACHABLE
  if (error instanceof StorageUnreachable) return UNREACHABLE
  if (FAILURES.some((kind) => error instanceof kind)) return FAILED
  // In the middle of its work an engine reports a full disk or a lost connection itself.
  if (isStoreOutage(error) || isDiskFull(error)) return UNREACHABLE
  // A system error, such as a port in use, names the call and the path itself.
  return error instanceof Error && 'syscall' in error ? FAILED : undefined
}

function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
