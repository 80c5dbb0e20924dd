import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keccak256, recoverAddress } from 'ethers'
import { vectors } from '../../../../test/support/vectors.ts'
import { concat, toHex } from '../../base/bytes.ts'
import { Failure } from '../../base/failure.ts'
import { readBytes, readList, readUint, UINT256_MAX } from './fields.ts'
import { readRlp } from './read-rlp.ts'
import { encodeRlp, type RlpItem, rlpInteger } from './rlp.ts'
import { bytesOf, SECRET, signer } from './testing/transactions.ts'
import { readEthereumTransaction } from './transaction.ts'

// The published tests of the Ethereum clients. Their transactions are signed and ours are not, so each is read twice:
// as it is, and without its signature.

test('a signed transaction is not read, unless its signature is the nothing of an unsigned one', () => {
  const cases = allCases()
  const read = cases.filter(({ bytes }) => isRead(toHex(bytes)))

  assert.equal(cases.length, 210)
  // With r and s of zero, these are what EIP-155 signs for the chain that stands in their v.
  assert.deepEqual(read.map(({ name }) => name).sort(), [
    'ttRSValue/TransactionWithRSvalue0.json',
    'ttSignature/ZeroSigTransaction2.json',
    'ttSignature/ZeroSigTransaction3.json',
    'ttSignature/ZeroSigTransaction4.json',
    'ttSignature/ZeroSigTransaction5.json',
    'ttSignature/ZeroSigTransaction6.json',
  ])
})

test('without its signature a valid one is read, with the digest that its sender signed', () => {
  let valid = 0
  for (const { name, bytes, outcome } of allCases()) {
    if (outcome.exception !== undefined) continue
    const unsigned = withoutSignature(bytes)
    assert.ok(unsigned !== undefined, name)
    const read = readEthereumTransaction(toHex(unsigned.bytes), signer(SECRET), [])
    const signature = { r: `0x${unsigned.r}`, s: `0x${unsigned.s}`, yParity: unsigned.yParity }

    assert.equal(recoverAddress(read.toSign[0]?.bytes ?? '', signature).toLowerCase(), outcome.sender, name)
    const v = unsigned.yParity === 1 ? '01' : '00'
    assert.equal(keccak256(`0x${read.signed([{ r: unsigned.r, s: unsigned.s, v }])}`), outcome.hash, name)
    valid++
  }
  assert.equal(valid, 50)
})

test('without its signature an invalid one is refused, unless only its signature or the rules of a fork were wrong', () => {
  const counts = { refused: 0, beyondReading: 0 }
  for (const { name, bytes, outcome } of allCases()) {
    if (outcome.exception === undefined) continue
    const unsigned = withoutSignature(bytes)
    const isBeyondReading = BEYOND_READING.test(outcome.exception)
    if (isBeyondReading) counts.beyondReading++
    else {
      counts.refused++
      assert.ok(unsigned === undefined || !isRead(toHex(unsigned.bytes)), `${name}: ${outcome.exception}`)
    }
  }
  assert.deepEqual(counts, { refused: 86, beyondReading: 74 })
})

// A signature that is none, a chain other than the one of the test, and what a fork asks of gas and code.
const BEYOND_READING =
  /INVALID_SIGNATURE_VRS|EC_RECOVERY_FAIL|INVALID_CHAINID|_[RSV]$|INTRINSIC_GAS_TOO_LOW|INITCODE_SIZE/

type Outcome = { readonly exception?: string; readonly hash?: string; readonly sender?: string }
type Case = { readonly name: string; readonly bytes: Uint8Array; readonly outcome: Outcome }
type TestFile = {
  readonly [name: string]: { readonly txbytes: string; readonly result: { readonly [fork: string]: Outcome } }
}

function allCases(): readonly Case[] {
  const files = vectors<{ readonly [path: string]: TestFile }>('ethereum/TransactionTests.json')
  return Object.entries(files).flatMap(([path, cases]) =>
    Object.values(cases).map(({ txbytes, result }) => ({
      name: path,
      bytes: bytesOf(txbytes),
      // By the latest fork that the test speaks of.
      outcome: result['Cancun'] ?? result['Shanghai'] ?? result['London'] ?? {},
    })),
  )
}

type Unsigned = {
  readonly bytes: Uint8Array
  readonly r: string
  readonly s: string
  readonly yParity: 0 | 1
}

/** Undefined where the bytes are not those of a list with three fields that could be a signature. */
function withoutSignature(bytes: Uint8Array): Unsigned | undefined {
  const isTyped = (bytes[0] ?? 0) < 0x80
  try {
    const fields = readList(readRlp(isTyped ? bytes.subarray(1) : bytes), 'fields')
    const [v, r, s] = fields.slice(-3)
    const last = readUint(v, UINT256_MAX, 'v')
    const signature = { r: padded(r), s: padded(s) }
    if (isTyped) {
      const unsigned = concat(bytes.subarray(0, 1), encodeRlp(fields.slice(0, -3)))
      return { bytes: unsigned, ...signature, yParity: last === 1n ? 1 : 0 }
    }
    const bound = last >= 35n ? [rlpInteger((last - 35n) / 2n), rlpInteger(0n), rlpInteger(0n)] : []
    const unsigned = encodeRlp([...fields.slice(0, -3), ...bound])
    return { bytes: unsigned, ...signature, yParity: last % 2n === 0n ? 1 : 0 }
  } catch (thrown) {
    assert.ok(thrown instanceof Failure, String(thrown))
    return undefined
  }
}

function padded(item: RlpItem | undefined): string {
  return toHex(readBytes(item, 'a half of the signature')).padStart(64, '0')
}

function isRead(hex: string): boolean {
  try {
    readEthereumTransaction(hex, signer(SECRET), [])
    return true
  } catch (thrown) {
    assert.ok(thrown instanceof Failure, String(thrown))
    return false
  }
}
