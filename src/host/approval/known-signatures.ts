// Derived by `npm run derive` from the list of activities.
import type { KnownActivities } from './known-activity.ts'

export const KNOWN_SIGNATURES: KnownActivities = {
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD: {"kind":"SIGN_RAW_PAYLOAD","summary":"Sign a payload with a private key or a wallet account","resource":"PRIVATE_KEY","action":"SIGN","fields":{"privateKeyId":1,"payload":1,"encoding":1,"hashFunction":1}},
  ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2: {"kind":"SIGN_RAW_PAYLOAD","summary":"Sign a payload with a private key or a wallet account","resource":"PRIVATE_KEY","action":"SIGN","fields":{"signWith":1,"payload":1,"encoding":1,"hashFunction":1}},
  ACTIVITY_TYPE_SIGN_RAW_PAYLOADS: {"kind":"SIGN_RAW_PAYLOADS","summary":"Sign several payloads with one private key or wallet account; all are signed, or none","resource":"PRIVATE_KEY","action":"SIGN","fields":{"signWith":1,"payloads":1,"encoding":1,"hashFunction":1}},
  ACTIVITY_TYPE_SIGN_TRANSACTION: {"kind":"SIGN_TRANSACTION","summary":"Sign a transaction with a private key or a wallet account","resource":"PRIVATE_KEY","action":"SIGN","nextBy":{"field":"signWith","type":"ACTIVITY_TYPE_SIGN_TRANSACTION_V2"},"fields":{"privateKeyId":1,"unsignedTransaction":1,"type":1}},
  ACTIVITY_TYPE_SIGN_TRANSACTION_V2: {"kind":"SIGN_TRANSACTION","summary":"Sign a transaction with a private key or a wallet account","resource":"PRIVATE_KEY","action":"SIGN","fields":{"signWith":1,"unsignedTransaction":1,"type":1}},
}
