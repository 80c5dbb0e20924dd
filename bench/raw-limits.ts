import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { randomBytes, sign } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPrivateKey } from 'node:crypto'
import { present } from '../src/trusted/base/assert.ts'
import { p256PublicKeyOf, p256VerifyKey, verifyP256 } from '../src/trusted/crypto/p256.ts'
import { nativeBackend, nobleBackend } from '../src/trusted/crypto/secp256k1-backend.ts'
import { generateSecp256k1Secret } from '../src/trusted/crypto/secp256k1.ts'

/** Microseconds of one append of 2 kB with fdatasync, median of 300, in the folder that the stores will use. */
export function diskSyncMicroseconds(): number {
  const folder = mkdtempSync(join(tmpdir(), 'claviger-bench-'))
  const file = openSync(join(folder, 'sync'), 'w')
  const block = Buffer.alloc(2048)
  const times: number[] = []
  for (let round = 0; round < 300; round++) {
    const start = performance.now()
    writeSync(file, block)
    fdatasyncSync(file)
    times.push((performance.now() - start) * 1000)
  }
  closeSync(file)
  rmSync(folder, { recursive: true })
  return present(times.toSorted((a, b) => a - b)[150], 'the median')
}

/**
 * Microseconds of CPU of the cryptography that no design can avoid: one P-256 verification and one secp256k1 signature.
 * The best of some slices of so many calls, after a warm-up.
 */
export function rawCryptoMicroseconds({ calls, slices } = { calls: 4_000, slices: 5 }): {
  readonly verify: number
  readonly sign: number
} {
  const apiSecret = Buffer.from('11'.repeat(32), 'hex')
  const key = present(p256VerifyKey(p256PublicKeyOf(apiSecret)), 'a P-256 key')
  const body = randomBytes(400)
  const signature = sign('sha256', body, apiPrivateKey(apiSecret))
  const secret = generateSecp256k1Secret((length) => randomBytes(length))
  const backend = nativeBackend ?? nobleBackend
  const digests = Array.from({ length: 64 }, () => randomBytes(32))
  return {
    verify: cpuMicroseconds(() => void verifyP256(key, body, signature)),
    sign: cpuMicroseconds((at) => void backend.sign(present(digests[at % 64], 'a digest'), secret)),
  }

  function cpuMicroseconds(run: (at: number) => void): number {
    for (let at = 0; at < calls / 2; at++) run(at)
    const taken = Array.from({ length: slices }, () => {
      const start = process.cpuUsage()
      for (let at = 0; at < calls; at++) run(at)
      const { user, system } = process.cpuUsage(start)
      return (user + system) / calls
    })
    return Math.min(...taken)
  }
}

/** The head of a PKCS#8 P-256 private key, followed by its 32 bytes. */
export function apiPrivateKey(secret: Uint8Array) {
  const head = '3041020100301306072a8648ce3d020106082a8648ce3d030107042730250201010420'
  return createPrivateKey({
    key: Buffer.concat([Buffer.from(head, 'hex'), secret]),
    format: 'der',
    type: 'pkcs8',
  })
}
