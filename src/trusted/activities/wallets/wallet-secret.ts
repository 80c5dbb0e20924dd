import { asBuffer, utf8 } from '../../base/bytes.ts'
import { present } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import { Secret } from '../../base/secret.ts'
import { deriveKey } from '../../crypto/derivation.ts'
import { readPath } from '../../crypto/hd-path.ts'
import { seedOf } from '../../crypto/mnemonic.ts'
import { curves } from '../../crypto/curves.ts'

/** The mnemonic and passphrase of a wallet. */
export type Words = {
  /** As `newMnemonic` or `readMnemonic` returns it: one line. */
  readonly sentence: string
  /** Empty for none. */
  readonly passphrase: string
}

/** UTF-8 of the sentence, and of a line feed and the passphrase where there is one. */
export function wordsSecret({ sentence, passphrase }: Words): Secret {
  return new Secret(utf8(passphrase === '' ? sentence : `${sentence}\n${passphrase}`))
}

export function wordsIn(secret: Secret): Words {
  const [sentence = '', ...rest] = asBuffer(secret.reveal()).toString('utf8').split('\n')
  return { sentence, passphrase: rest.join('\n') }
}

/** @returns  what `use` returns; the seed is wiped */
export async function withSeed<T>(
  { sentence, passphrase }: Words,
  work: Work,
  use: (seed: Uint8Array) => Promise<T>,
): Promise<T> {
  work.charge(costs.seed)
  await work.pause()
  const seed = seedOf(sentence, passphrase)
  try {
    return await use(seed)
  } finally {
    seed.fill(0)
  }
}

/**
 * Identifies the seed in the clear: a public key of the tree that no account uses. Testing a guessed seed with it is no
 * cheaper than testing it with an address.
 *
 * @returns  secp256k1, 33 bytes compressed, lowercase hex
 */
export function seedKeyOf(seed: Uint8Array): string {
  const path = present(readPath(SEED_PATH), 'a path of ours')
  const secret = deriveKey(seed, 'CURVE_SECP256K1', path)
  const publicKey = curves.CURVE_SECP256K1.publicKeyOf(secret)
  secret.fill(0)
  return publicKey
}

// The letters "seed" as a number: no published scheme derives there.
const SEED_PATH = "m/1936024932'"
