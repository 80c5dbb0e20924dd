import * as z from 'zod'
import type { Agent } from './agent.ts'
import { asData, type Data } from './data.ts'

/** The record of an activity, as far as it is read here. */
export const activityShape = z.object({
  id: z.guid(),
  type: z.string(),
  status: z.string(),
  timestampMs: z.string(),
  fingerprint: z.string(),
  intent: z.record(z.string(), z.unknown()),
  result: z.object({
    signTransactionResult: z.object({ signedTransaction: z.string() }).optional(),
    signRawPayloadResult: z.object({ r: z.string(), s: z.string(), v: z.string() }).optional(),
  }),
  votes: z.array(z.object({ userId: z.string(), selection: z.string() })),
  failure: z.object({ message: z.string() }).nullish(),
})

export type Activity = z.infer<typeof activityShape>

/** The user who asked for an activity casts the first vote. */
export function isOf(activity: Activity, { userId }: Agent): boolean {
  return activity.votes[0]?.userId === userId
}

const WAITING = ['ACTIVITY_STATUS_CONSENSUS_NEEDED', 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED']

export function isWaiting({ status }: Activity): boolean {
  return WAITING.includes(status)
}

/** What came of a request to sign. */
type Outcome = {
  readonly activityId: string
  readonly status: string
  readonly signedTransaction?: string
  readonly signature?: Signature
  readonly failure?: Data
}

/** `hex`: in one piece, as wallets of the chain hand it out. */
type Signature = { readonly r: string; readonly s: string; readonly v: string; readonly hex?: string }

export function outcomeOf(activity: Activity): Outcome {
  const { id, status, result, failure } = activity
  const { signTransactionResult: transaction, signRawPayloadResult: raw } = result
  const hex = raw && joined(raw, signingParameters(activity)?.['hashFunction'])
  return {
    activityId: id,
    status,
    ...(transaction === undefined ? {} : { signedTransaction: transaction.signedTransaction }),
    ...(raw === undefined ? {} : { signature: { ...raw, ...(hex === undefined ? {} : { hex }) } }),
    ...(failure === undefined || failure === null ? {} : { failure: asData(failure.message, 1_000) }),
  }
}

function joined({ r, s, v }: Omit<Signature, 'hex'>, hashFunction: string | undefined): string | undefined {
  // Ed25519 has no v, and messages and typed data of Ethereum add 27 to it.
  if (hashFunction === 'HASH_FUNCTION_NOT_APPLICABLE') return `${r}${s}`
  if (hashFunction === 'HASH_FUNCTION_SHA256') return undefined
  return `0x${r}${s}${(27 + Number.parseInt(v, 16)).toString(16)}`
}

const INTENTS: { readonly [key: string]: readonly string[] } = {
  signTransactionIntentV2: ['signWith', 'unsignedTransaction', 'type'],
  signRawPayloadIntentV2: ['signWith', 'payload', 'encoding', 'hashFunction'],
}

/** The parameters of a request to sign, from its record: the bytes that are signed once it is approved. */
export function signingParameters({ intent }: Activity): { readonly [name: string]: string } | undefined {
  const [[key, value] = ['', undefined]] = Object.entries(intent)
  const names = Object.hasOwn(INTENTS, key) ? INTENTS[key] : undefined
  const { data } = z.record(z.string(), z.string()).safeParse(value)
  return names?.every((name) => data?.[name] !== undefined) === true ? data : undefined
}
