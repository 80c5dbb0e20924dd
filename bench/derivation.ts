// node bench/derivation.ts: keys of wallet accounts derived per second on one core, by curve.
import { present } from '../src/trusted/base/assert.ts'
import type { Curve } from '../src/trusted/crypto/curve.ts'
import { deriveKey, deriveKeys, type HdKey } from '../src/trusted/crypto/derivation.ts'
import { ed25519PublicKeyOf } from '../src/trusted/crypto/ed25519.ts'
import { readPath } from '../src/trusted/crypto/hd-path.ts'
import { seedOf } from '../src/trusted/crypto/mnemonic.ts'
import { p256PublicKeyOf } from '../src/trusted/crypto/p256.ts'
import { secp256k1PublicKeyOf } from '../src/trusted/crypto/secp256k1.ts'

const SENTENCE = 'test test test test test test test test test test test junk'
const ACCOUNTS = 1_000
const ROUNDS = 5

type CurveUnderTest = {
  readonly curve: Curve
  readonly name: string
  readonly path: (account: number) => string
  readonly publicKeyOf: (secret: Uint8Array) => string
}

const CURVES: readonly CurveUnderTest[] = [
  {
    curve: 'CURVE_SECP256K1',
    name: 'secp256k1',
    path: (account) => `m/44'/60'/0'/0/${account}`,
    publicKeyOf: secp256k1PublicKeyOf,
  },
  {
    curve: 'CURVE_ED25519',
    name: 'Ed25519',
    path: (account) => `m/44'/501'/0'/${account}'`,
    publicKeyOf: ed25519PublicKeyOf,
  },
  {
    curve: 'CURVE_P256',
    name: 'P-256',
    path: (account) => `m/44'/60'/0'/0/${account}`,
    publicKeyOf: p256PublicKeyOf,
  },
]

/**
 * One line per curve: leaf keys of accounts under one parent that are wanted together, leaf keys wanted one at a time,
 * and the former with their public keys, which is what an account costs before its address and its seal. Then the seed
 * of a sentence.
 */
export function derivationReport(): readonly string[] {
  const seed = seedOf(SENTENCE, '')
  const lines = CURVES.map((of) => curveLine(seed, of))
  const seedMs = secondsPerRound(() => seedOf(SENTENCE, '')) * 1000
  return [
    `accounts derived per second on one core, ${ACCOUNTS} under one parent:`,
    ...lines,
    `the seed of a sentence, once per request: ${seedMs.toFixed(2)} ms`,
  ]
}

function curveLine(seed: Uint8Array, { curve, name, path, publicKeyOf }: CurveUnderTest): string {
  const wanted = Array.from(
    { length: ACCOUNTS },
    (_, account): HdKey => ({ curve, path: present(readPath(path(account)), 'a path') }),
  )
  const together = perSecond(() => deriveKeys(seed, wanted))
  const alone = perSecond(() => wanted.map((hdKey) => deriveKey(seed, hdKey.curve, hdKey.path)))
  const withPublicKeys = perSecond(() => deriveKeys(seed, wanted).map(publicKeyOf))
  return `${name.padEnd(10)} together ${together}, with public keys ${withPublicKeys}, one at a time ${alone}`
}

function perSecond(derive: () => unknown): string {
  return (ACCOUNTS / secondsPerRound(derive)).toFixed(0)
}

/** The best of some rounds after a first one that is not counted. */
function secondsPerRound(run: () => unknown): number {
  run()
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    run()
    return (performance.now() - start) / 1000
  })
  return Math.min(...rounds)
}

if (import.meta.main) {
  for (const line of derivationReport()) process.stdout.write(`${line}\n`)
}
