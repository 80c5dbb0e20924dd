import { createHash } from 'node:crypto'
import { present } from '../src/trusted/base/assert.ts'
import type { Offer } from './offer.ts'
import { apiPrivateKey } from './raw-limits.ts'
import type { Signer } from './service.ts'
import { stamped } from './stamped.ts'
import { etherTransfer, tokenTransfer } from './transfers.ts'

export type ActivityOrder = {
  readonly load: 'activities'
  readonly what: Asked
  readonly requests: number
  readonly as: Signer
  /** Addresses or ids to sign with in turn; for new accounts the wallet. */
  readonly subjects: readonly string[]
  /** How many such requests there were before: no two are the same. */
  readonly earlier: number
}

export type Asked = keyof typeof REQUESTS

export const PAYLOADS_AT_ONCE = 1_000
export const ACCOUNTS_AT_ONCE = 100

/** Activities of one kind, about these subjects in turn, stamped beforehand. */
export function preparedActivities(order: ActivityOrder): Pick<Offer, 'next' | 'count'> {
  const { requests, subjects, as, earlier } = order
  const stamper = { publicKey: as.publicKey, key: apiPrivateKey(Buffer.from(as.privateKey, 'hex')) }
  const { operation, type, parameters } = REQUESTS[order.what]
  const now = Date.now() - 60_000
  const prepared = Array.from({ length: requests }, (_, index) => {
    const subject = present(subjects[(index * 7919) % subjects.length], 'something that it is about')
    // As clients send them: five requests to a millisecond, in order.
    const timestampMs = String(now + Math.floor(index / 5))
    const request = { type, timestampMs, organizationId: as.organizationId }
    return stamped(operation, { ...request, parameters: parameters(subject, earlier + index) }, stamper)
  })
  return {
    count: requests,
    next: (task, answer) => (answer === undefined ? prepared[task] : undefined),
  }
}

type Request = {
  readonly operation: string
  readonly type: string
  readonly parameters: (subject: string, serial: number) => object
}

const REQUESTS = {
  'raw signatures': {
    operation: 'sign_raw_payload',
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    parameters: (signWith: string, serial: number) => ({
      signWith,
      payload: `request ${serial}`,
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    }),
  },
  'ether transfers': transactions(etherTransfer),
  'token transfers': transactions(tokenTransfer),
  'lists of digests': {
    operation: 'sign_raw_payloads',
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS',
    parameters: (signWith: string, serial: number) => ({
      signWith,
      payloads: Array.from({ length: PAYLOADS_AT_ONCE }, (_, at) => digestOf(`${serial} ${at}`)),
      encoding: 'PAYLOAD_ENCODING_HEXADECIMAL',
      hashFunction: 'HASH_FUNCTION_NO_OP',
    }),
  },
  'new accounts': {
    operation: 'create_wallet_accounts',
    type: 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS',
    parameters: (walletId: string, serial: number) => ({
      walletId,
      accounts: Array.from({ length: ACCOUNTS_AT_ONCE }, (_, at) =>
        ethereumAccount(serial * ACCOUNTS_AT_ONCE + at),
      ),
    }),
  },
} satisfies Readonly<Record<string, Request>>

export function ethereumAccount(index: number) {
  return {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: `m/44'/60'/0'/0/${index}`,
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
}

function transactions(unsigned: (nonce: number) => string): Request {
  return {
    operation: 'sign_transaction',
    type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2',
    parameters: (signWith, serial) => ({
      signWith,
      unsignedTransaction: unsigned(serial),
      type: 'TRANSACTION_TYPE_ETHEREUM',
    }),
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
