import { wordsIn, seedKeyOf } from '../../activities/wallets/wallet-secret.ts'
import type { Secret } from '../../base/secret.ts'
import type { ObjectKind } from '../../catalogue/objects.ts'
import { curves } from '../../crypto/curves.ts'
import { seedOf } from '../../crypto/mnemonic.ts'
import { p256PublicKeyOf, readP256Key } from '../../crypto/p256.ts'
import { type ImportTarget, importTargets, walletImportTargets } from '../../objects/import-target.ts'
import { type PrivateKey, privateKeys } from '../../objects/private-key.ts'
import { type SecretTarget, secretTargets } from '../../objects/secret-target.ts'
import { type Wallet, wallets } from '../../objects/wallet.ts'
import { type WalletAccount, walletAccounts } from '../../objects/wallet-account.ts'

/**
 * Whether the public key in the body of an object is that of its sealed secret; true for a kind that has no public key.
 */
export function isOwnSecret(kind: string, body: unknown, secret: Secret): boolean {
  return checks.get(kind)?.(body, secret) ?? true
}

type Check = (body: unknown, secret: Secret) => boolean

/** The body is one that the kind has parsed. */
function check<B>(kind: ObjectKind<B>, isOwn: (body: B, secret: Secret) => boolean): [string, Check] {
  return [kind.kind, (body, secret) => isOwn(body as B, secret)]
}

const ofCurve = (
  { curve, publicKey }: Pick<PrivateKey | WalletAccount, 'curve' | 'publicKey'>,
  secret: Secret,
) => curves[curve].publicKeyOf(secret.reveal()) === publicKey

const ofTarget = ({ targetPublic }: Pick<ImportTarget | SecretTarget, 'targetPublic'>, secret: Secret) =>
  readP256Key(p256PublicKeyOf(secret.reveal()))?.uncompressed === targetPublic

function ofWallet({ seedKey }: Wallet, secret: Secret): boolean {
  const { sentence, passphrase } = wordsIn(secret)
  const seed = seedOf(sentence, passphrase)
  try {
    return seedKeyOf(seed) === seedKey
  } finally {
    seed.fill(0)
  }
}

const checks: ReadonlyMap<string, Check> = new Map([
  check(privateKeys, ofCurve),
  check(walletAccounts, ofCurve),
  check(wallets, ofWallet),
  check(importTargets, ofTarget),
  check(walletImportTargets, ofTarget),
  check(secretTargets, ofTarget),
])
