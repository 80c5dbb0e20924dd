import { defineFailure, Failure, INVALID_ARGUMENT } from '../../base/failure.ts'
import type { Steps } from '../../base/work.ts'
import { defineActivity } from '../../catalogue/activity.ts'
import { form } from '../../catalogue/form.ts'
import { list, object, oneOf, refined, text, type TypeOf } from '../../catalogue/shape.ts'
import { hashFunctions } from '../../chains/hash-function.ts'
import { payloadEncodings } from '../../chains/payload.ts'
import { readPayload } from '../../chains/read-payload.ts'
import { contractsCalledIn } from '../../chains/contracts-called.ts'
import { forManyCalls } from '../../chains/read-once.ts'
import { checkInterfacesBrought, contractInterfacesChanged } from '../../charter/contract-interfaces.ts'
import { string } from '../../policy/types.ts'
import { entriesOf, interfacesFor, interfacesOf } from '../../objects/contract-interface.ts'
import { payloadFacts, payloadNamespace } from './payload-facts.ts'
import { schemeOf, signPayloads } from './sign-payload.ts'
import { PAYLOAD_CHARACTERS_MAX, signature } from './sign-raw-payload.ts'
import { signingKey, signingKeyFailures, signingNamespace, signingNeeds } from './signing-key.ts'

const PAYLOADS_MAX = 1_000
const CHARACTERS_MAX = 2 * PAYLOAD_CHARACTERS_MAX
// A Schnorr signature takes milliseconds, and the vault's other requests wait meanwhile.
const SCHNORR_PAYLOADS_MAX = 100
// Ten of the longest; reading them takes a quarter of a second.
const INTERFACE_CHARACTERS_MAX = 4_000_000

const intent = object({
  signWith: text({ min: 1, max: 256 }),
  payloads: refined(list(text({ min: 1, max: PAYLOAD_CHARACTERS_MAX }), { min: 1, max: PAYLOADS_MAX }), {
    problem: (payloads) => {
      const characters = payloads.reduce((sum, payload) => sum + payload.length, 0)
      return characters <= CHARACTERS_MAX
        ? undefined
        : `must have at most ${CHARACTERS_MAX} characters in all, not ${characters}`
    },
  }),
  encoding: oneOf(payloadEncodings),
  hashFunction: oneOf(hashFunctions),
})

/** `reason` is the message of the failure that the payload alone would have met. */
const payloadOfListInvalid = defineFailure<{ readonly index: number; readonly reason: string }>({
  kind: 'payloadOfListInvalid',
  code: INVALID_ARGUMENT,
  say: ({ index, reason }) => `${reason} (payloads[${index}])`,
})

const tooManySchnorrPayloads = defineFailure<{ readonly count: number }>({
  kind: 'tooManySchnorrPayloads',
  code: INVALID_ARGUMENT,
  say: ({ count }) =>
    `invalid request body: field \`payloads\` must have at most ${SCHNORR_PAYLOADS_MAX} entries for an address that signs with Schnorr, not ${count}`,
})

const interfacesTooLong = defineFailure<{ readonly characters: number }>({
  kind: 'interfacesTooLong',
  code: INVALID_ARGUMENT,
  say: ({ characters }) =>
    `the interfaces of the called contracts have ${characters} characters together, of at most ${INTERFACE_CHARACTERS_MAX} for one request: split the payloads into several requests`,
})

export const signRawPayloads = defineActivity({
  operation: 'sign_raw_payloads',
  summary: 'Sign several payloads with one private key or wallet account; all are signed, or none',
  forms: form('ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', intent, {
    key: 'signRawPayloadsResult',
    shape: object({ signatures: list(signature, { max: PAYLOADS_MAX }) }),
  }),
  resource: 'PRIVATE_KEY',
  action: 'SIGN',
  authority: { kind: 'policies' },
  amends: false,
  fails: [
    ...signingKeyFailures,
    payloadOfListInvalid,
    tooManySchnorrPayloads,
    interfacesTooLong,
    contractInterfacesChanged,
  ],
  example: {
    intent: {
      signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
      payloads: ['hello', 'world'],
      encoding: 'PAYLOAD_ENCODING_TEXT_UTF8',
      hashFunction: 'HASH_FUNCTION_SHA256',
    },
    result: {
      signatures: [
        { r: '1'.repeat(64), s: '2'.repeat(64), v: '00' },
        { r: '3'.repeat(64), s: '4'.repeat(64), v: '01' },
      ],
    },
  },
  params: {
    types: { encoding: string, hash_function: string },
    of: ({ encoding, hashFunction }) => ({ encoding, hash_function: hashFunction }),
  },
  needs: ({ signWith, ...intent }) => ({
    ...signingNeeds(signWith),
    interfaces: interfacesFor(calledBy(intent)),
  }),
  namespaces: { ...signingNamespace, ...payloadNamespace },
  // As with a single payload: invalid input is refused before policies are evaluated.
  *prepare({ intent, rows }) {
    const key = signingKey(rows, intent.signWith)
    const count = intent.payloads.length
    if (count > SCHNORR_PAYLOADS_MAX && schemeOf(key) !== 'curve') throw tooManySchnorrPayloads({ count })
    const { curve, publicKey } = key
    const { signWith } = intent
    const interfaces = interfacesOf(rows.interfaces).map(forManyCalls)
    const characters = interfaces.reduce((sum, { text }) => sum + text.length, 0)
    if (characters > INTERFACE_CHARACTERS_MAX) throw interfacesTooLong({ characters })
    const signer = { signWith, curve, publicKey, interfaces }
    return {
      key,
      payloads: yield* eachOf(intent, (payload) => readPayload({ ...intent, payload, curve }, signer)),
    }
  },
  facts: ({ prepared: { key } }) => key.facts,
  // Includes payloads without facts, because limits count them.
  eachFacts: ({ prepared: { payloads } }) => payloads.map(({ seen }) => payloadFacts(seen)),

  async execute({ intent, charter, rows, prepared: { key, payloads }, work }) {
    checkInterfacesBrought(charter, calledBy(intent), entriesOf(rows.interfaces))
    return {
      result: {
        signatures: await signPayloads(
          key,
          payloads.map(({ bytes }) => bytes),
          work,
        ),
      },
    }
  },
})

type Payloads = Omit<TypeOf<typeof intent>, 'signWith'>

function calledBy({ payloads, ...how }: Payloads): readonly string[] {
  return payloads.flatMap((payload) => contractsCalledIn({ ...how, payload }))
}

/** Applies a function to each payload; a failure names the payload. */
function* eachOf<T>({ payloads }: Payloads, make: (payload: string) => Steps<T>): Steps<readonly T[]> {
  const made: T[] = []
  for (const [index, payload] of payloads.entries()) {
    try {
      made.push(yield* make(payload))
    } catch (error) {
      if (error instanceof Failure) throw payloadOfListInvalid({ index, reason: error.message })
      throw error
    }
  }
  return made
}
