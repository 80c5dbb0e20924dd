import { present } from '../../base/assert.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { object, oneOf, text, uuid } from '../../catalogue/shape.ts'
import { invalidTransaction, unreadableTransaction } from '../../chains/failures.ts'
import { hashFunctions } from '../../chains/hash-function.ts'
import { payloadEncodings } from '../../chains/payload.ts'
import { readPayload } from '../../chains/read-payload.ts'
import { contractsCalledIn } from '../../chains/contracts-called.ts'
import { checkInterfacesBrought, contractInterfacesChanged } from '../../charter/contract-interfaces.ts'
import { string } from '../../policy/types.ts'
import { entriesOf, interfacesFor, interfacesOf } from '../../objects/contract-interface.ts'
import { payloadFacts, payloadNamespace } from './payload-facts.ts'
import { payloadFailures, signPayloads } from './sign-payload.ts'
import { signingKey, signingKeyFailures, signingNamespace, signingNeeds } from './signing-key.ts'

export const PAYLOAD_CHARACTERS_MAX = 262_144

const how = {
  payload: text({ min: 1, max: PAYLOAD_CHARACTERS_MAX }),
  encoding: oneOf(payloadEncodings),
  hashFunction: oneOf(hashFunctions),
}

const intentV1 = object({ privateKeyId: uuid, ...how })
const intent = object({ signWith: text({ min: 1, max: 256 }), ...how })

export const signature = object({
  r: text({ min: 64, max: 64 }),
  s: text({ min: 64, max: 64 }),
  v: text({ min: 2, max: 2 }),
})

export const signRawPayload = defineActivity({
  operation: 'sign_raw_payload',
  summary: 'Sign a payload with a private key or a wallet account',
  forms: form('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD', intentV1, {
    key: 'signRawPayloadResult',
    shape: signature,
  }).next('ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2', intent, {
    up: ({ privateKeyId, ...rest }) => ({ signWith: privateKeyId, ...rest }),
  }),
  resource: 'PRIVATE_KEY',
  action: 'SIGN',
  authority: { kind: 'policies' },
  amends: false,
  fails: [
    ...signingKeyFailures,
    ...payloadFailures,
    unreadableTransaction,
    invalidTransaction,
    contractInterfacesChanged,
  ],
  example: {
    intent: {
      signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      payload: 'hello',
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    },
    result: { r: '1'.repeat(64), s: '2'.repeat(64), v: '00' },
  },
  params: {
    types: { encoding: string, hash_function: string },
    of: ({ encoding, hashFunction }) => ({ encoding, hash_function: hashFunction }),
  },
  needs: ({ signWith, ...raw }) => ({
    ...signingNeeds(signWith),
    interfaces: interfacesFor(contractsCalledIn(raw)),
  }),
  namespaces: { ...signingNamespace, ...payloadNamespace },
  // Policies are evaluated only for a payload that can be signed: invalid input is refused first, and leaves no record.
  *prepare({ intent: { signWith, ...sent }, rows }) {
    const key = signingKey(rows, signWith)
    const { curve, publicKey } = key
    const interfaces = interfacesOf(rows.interfaces)
    const signer = { signWith, curve, publicKey, interfaces }
    return { key, ...(yield* readPayload({ ...sent, curve }, signer)) }
  },
  facts: ({ prepared: { key, seen } }) => ({ ...key.facts, ...payloadFacts(seen) }),

  async execute({ intent: { signWith: _, ...raw }, charter, rows, prepared: { key, bytes }, work }) {
    checkInterfacesBrought(charter, contractsCalledIn(raw), entriesOf(rows.interfaces))
    const [result] = await signPayloads(key, [bytes], work)
    return { result: present(result, 'a signature for the payload') }
  },
})
