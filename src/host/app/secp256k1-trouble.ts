import type { VaultReady } from '../../protocol/envelope.ts'
import { ConfigError } from './config-error.ts'

/** The problem with signing on secp256k1 on this machine, and its remedy. */
export function secp256k1Trouble(secp256k1: VaultReady['secp256k1']): string | undefined {
  return secp256k1 === 'native'
    ? undefined
    : 'secp256k1 runs without its native library, some 30 times slower and not in constant time: npm has no binary of it for this machine, or it was not ' +
        'installed. Build it once (docs/decisions/dependencies.md), or allow this with CLAVIGER_ALLOW_SLOW_SECP256K1=true'
}

/** @throws ConfigError unless it was allowed */
export function refuseSlowSecp256k1(secp256k1: VaultReady['secp256k1'], isAllowed: boolean): void {
  const trouble = secp256k1Trouble(secp256k1)
  if (trouble !== undefined && !isAllowed) throw new ConfigError([trouble])
}
