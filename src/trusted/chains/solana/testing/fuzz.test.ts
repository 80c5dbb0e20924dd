import assert from 'node:assert/strict'
import { test } from 'node:test'
import { VersionedTransaction } from '@solana/web3.js'
import fc from 'fast-check'
import { toHex } from '../../../base/bytes.ts'
import { Failure } from '../../../base/failure.ts'
import type { SeenFields } from '../../transaction.ts'
import { decodeMessage, type Message } from '../message.ts'
import { readSolanaMessage } from '../raw-message.ts'
import { readSolanaTransaction } from '../transaction.ts'
import { arbitraryChange, arbitraryMessage } from './arbitrary.ts'
import { encodeMessage, encodeTransaction } from './encode.ts'
import { aMessage } from './messages.ts'
import { web3View } from './web3-view.ts'

test('whatever is written is read, as web3.js reads it', () => {
  fc.assert(
    fc.property(arbitraryMessage, (message) => {
      const wire = encodeTransaction(message, emptySlots(message))
      // What of it validators run although more or less is there than they need is the one thing that is refused.
      const why = refusal(wire, message)
      if (why === undefined) assert.ok(expectAgreement(wire, message))
      else assert.match(why, /is malformed|of a transaction|is looked up twice/)
    }),
    { numRuns: 1500 },
  )
})

test('bytes that were changed anywhere are refused, or read as web3.js reads them', () => {
  const changes = fc.array(arbitraryChange, { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(arbitraryMessage, changes, (message, made) => {
      const written = encodeTransaction(message, emptySlots(message))
      expectAgreement(
        made.reduce((bytes, change) => change(bytes), written),
        message,
      )
    }),
    { numRuns: 4000 },
  )
})

test('bytes that are anything are refused or read as web3.js reads them, and never end in a bug', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1400 }), (bytes) => {
      expectAgreement(bytes, aMessage({}))
      readOrRefuse(() => readSolanaMessage(bytes, []))
    }),
    { numRuns: 2000 },
  )
})

test('a bare message shows what its transaction shows', () => {
  fc.assert(
    fc.property(arbitraryMessage, (message) => {
      const seen = readOrRefuse(() => readSolanaMessage(encodeMessage(message), []))
      assert.deepEqual(seen, accepted(encodeTransaction(message, emptySlots(message)), message))
    }),
    { numRuns: 500 },
  )
})

/** True when it was accepted; then it was read like web3.js does, and writing it again gives the same bytes. */
function expectAgreement(wire: Uint8Array, message: Message): boolean {
  const seen = accepted(wire, message)
  if (seen === undefined) return false
  const theirs = VersionedTransaction.deserialize(wire)
  const tx = txOf(seen)
  const view = web3View(wire)
  for (const name of Object.keys(view)) assert.deepEqual(tx[name], view[name], name)
  for (const [name, alias] of ALIASES) assert.equal(tx[name], tx[alias])
  const again = encodeTransaction(decodeMessage(theirs.message.serialize()), theirs.signatures)
  assert.deepEqual(Buffer.from(again), Buffer.from(wire))
  return true
}

const ALIASES = [
  ['account_keys', 'static_account_keys'],
  ['program_keys', 'top_level_program_keys'],
  ['instructions', 'top_level_instructions'],
] as const

function accepted(wire: Uint8Array, message: Message): SeenFields | undefined {
  return readOrRefuse(() => read(wire, message))
}

/** For the first signer of the message, which a change may have replaced. */
function read(wire: Uint8Array, message: Message): SeenFields {
  const at = 1 + 64 * (wire[0] ?? 0) + (message.version === 'legacy' ? 4 : 5)
  const publicKey = toHex(wire.subarray(at, at + 32))
  return readSolanaTransaction(toHex(wire), { curve: 'CURVE_ED25519', publicKey }, []).seen
}

function refusal(wire: Uint8Array, message: Message): string | undefined {
  try {
    read(wire, message)
    return undefined
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    return error.message
  }
}

function readOrRefuse<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    return undefined
  }
}

function txOf(seen: SeenFields): SeenFields {
  const { tx } = seen['solana'] as { readonly tx: SeenFields }
  return tx
}

function emptySlots({ requiredSignatures }: Message): Uint8Array[] {
  return Array.from({ length: requiredSignatures }, () => new Uint8Array(64))
}
