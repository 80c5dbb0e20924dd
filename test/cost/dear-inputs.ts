import { fromHex } from '../../src/trusted/base/bytes.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { hexOf, paymentTo, psbtOf, testKey } from '../../src/trusted/chains/bitcoin/testing/psbt.ts'

/** Typed data of 62 structs, each of which reaches all of them: the text of each type is the text of all. */
export function structsThatReferToEachOther(seed: number): string {
  const numbers = Array.from({ length: 62 }, (_, at) => at)
  const plain = Array.from({ length: 10 }, (_, at) => ({ name: `f${at}${'x'.repeat(12)}`, type: 'uint256' }))
  const types = Object.fromEntries(
    numbers.map((at) => [`T${at}`, at === 0 ? numbers.slice(1).map(listOf) : [listOf(0), ...plain]]),
  )
  const values = Object.fromEntries(plain.map(({ name }) => [name, seed]))
  const message = Object.fromEntries(numbers.slice(1).map((at) => [`of${at}`, [{ of0: [], ...values }]]))
  return JSON.stringify({ types, domain: {}, primaryType: 'T0', message })
}

function listOf(at: number) {
  return { name: `of${at}`, type: `T${at}[]` }
}

/** As long as one may be, so that 62 of them fill a body. */
export function proposedPolicies(count: number) {
  return Array.from({ length: count }, (_, at) => ({
    policyName: `Draft ${at}`,
    effect: 'EFFECT_ALLOW' as const,
    condition: `activity.type == 'A'${' || true'.repeat(2_040)}`,
  }))
}

/** A PSBT of about as many inputs of a key as one of 131,072 bytes has. */
export function transactionOf(publicKeyHex: string, script: 'wpkh' | 'pkh'): string {
  const publicKey = present(fromHex(publicKeyHex), 'a public key in hexadecimal')
  const key = { ...testKey(1), publicKey }
  const payment = paymentTo(script, key, testKey(2))
  return hexOf(
    psbtOf(Array.from({ length: script === 'pkh' ? 500 : 700 }, () => ({ payment, value: 10_000n }))),
  )
}

/** Typed data of two texts that differ in their last character alone. */
export function twoLongTexts(characters: number): string {
  const types = {
    Both: [
      { name: 'one', type: 'string' },
      { name: 'other', type: 'string' },
    ],
  }
  const message = { one: `${'x'.repeat(characters - 1)}y`, other: `${'x'.repeat(characters - 1)}z` }
  return JSON.stringify({ types, domain: {}, primaryType: 'Both', message })
}

/** Each compares the two some 180 times. */
export function comparesLongTexts(count: number) {
  const same = "eth.eip_712.message['one'] == eth.eip_712.message['other']"
  return Array.from({ length: count }, (_, at) => ({
    policyName: `Compares ${at}`,
    effect: 'EFFECT_ALLOW' as const,
    condition: `activity.kind == 'SIGN_RAW_PAYLOAD' && (${Array.from({ length: 250 }, () => same).join(' || ')})`,
    notes: '',
  }))
}
