import { present } from '../src/trusted/base/assert.ts'
import type { Offer } from './offer.ts'
import { apiPrivateKey } from './raw-limits.ts'
import type { Signer } from './service.ts'
import { stamped } from './stamped.ts'

export type SignatureOrder = {
  readonly load: 'signatures'
  readonly requests: number
  readonly as: Signer
  readonly signWith: readonly string[]
  /** Of the keys' curve; SHA-256 unless told. */
  readonly hashFunction?: 'HASH_FUNCTION_NOT_APPLICABLE'
}

/** Raw signatures with these keys in turn, stamped beforehand. */
export function preparedSignatures(order: SignatureOrder): Pick<Offer, 'next' | 'count'> {
  const { requests, signWith, as, hashFunction = 'HASH_FUNCTION_SHA256' } = order
  const stamper = { publicKey: as.publicKey, key: apiPrivateKey(Buffer.from(as.privateKey, 'hex')) }
  const now = Date.now() - 60_000
  const run = Math.random().toString(36).slice(2)
  const prepared = Array.from({ length: requests }, (_, index) =>
    stamped(
      'sign_raw_payload',
      {
        type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
        // As clients send them: five requests to a millisecond, in order.
        timestampMs: String(now + Math.floor(index / 5)),
        organizationId: as.organizationId,
        parameters: {
          signWith: present(signWith[(index * 7919) % signWith.length], 'a key to sign with'),
          payload: `request ${index} of ${run}`,
          encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
          hashFunction,
        },
      },
      stamper,
    ),
  )
  return {
    count: requests,
    next: (task, answer) => (answer === undefined ? prepared[task] : undefined),
  }
}
