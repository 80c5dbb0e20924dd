import type { Member } from '../support/service.ts'
import type { Ask } from './decision.ts'
import { type Organization, walletOf } from './organization.ts'

// What members of the organization ask for in more than one row.

type How = { readonly payload: string; readonly encoding: string; readonly hashFunction: string }

const hello: How = {
  payload: 'hello',
  encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
  hashFunction: 'HASH_FUNCTION_SHA256',
}

export function signsPayload(signWith: string, how: Partial<How> = {}): Ask {
  return { type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', parameters: { signWith, ...hello, ...how } }
}

/** Typed data and authorizations come with a digest of their own, which is not hashed again. */
export function signsStructured(signWith: string, kind: string, payload: object): Ask {
  return signsPayload(signWith, {
    payload: JSON.stringify(payload),
    encoding: `PAYLOAD_ENCODING_${kind}`,
    hashFunction: 'HASH_FUNCTION_NO_OP',
  })
}

type Chain = 'ETHEREUM' | 'SOLANA' | 'BITCOIN' | 'TRON' | 'TEMPO'

/** @param transaction  hexadecimal, with or without `0x`, or the bytes */
export function signsTransaction(signWith: string, chain: Chain, transaction: string | Uint8Array): Ask {
  const unsignedTransaction =
    typeof transaction === 'string' ? transaction : Buffer.from(transaction).toString('hex')
  const parameters = { signWith, type: `TRANSACTION_TYPE_${chain}`, unsignedTransaction }
  return { type: 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2', parameters }
}

export function createsWallet(): Ask {
  return { type: 'ACTIVITY_TYPE_CREATE_WALLET', parameters: walletOf('New') }
}

export function createsPolicy(terms: object = { condition: 'false' }): Ask {
  const parameters = { policyName: 'New', effect: 'EFFECT_DENY', notes: '', ...terms }
  return { type: 'ACTIVITY_TYPE_CREATE_POLICY_V3', parameters }
}

export function createsApiKeyFor({ service }: Organization, { userId }: Member): Ask {
  const { publicKey } = service.newKey()
  const apiKeys = [{ apiKeyName: 'New', publicKey, curveType: 'API_KEY_CURVE_P256' }]
  return { type: 'ACTIVITY_TYPE_CREATE_API_KEYS_V2', parameters: { userId, apiKeys } }
}
