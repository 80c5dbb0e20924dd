import type { JsonObject, JsonValue } from '../../trusted/base/strict-json.ts'
import { chainsOf } from './chains/list.ts'
import { type Fact, fact, type Reading } from './fact.ts'
import type { KnownActivities } from './known-activity.ts'
import { KNOWN_SIGNATURES } from './known-signatures.ts'
import { leavesOf } from './leaves.ts'
import { payloadWords } from './payload-words.ts'
import { FLAG, openRequest, readRequest, type Request, Unreadable } from './request.ts'
import { several } from './several.ts'
import { transactionWords } from './transaction-words.ts'
import { visible } from './visible.ts'

/** A request in words. They follow only from its bytes, so every screen shows the same for the same bytes. */
export type Words = Required<Reading> & {
  /** The activity type under which the service records it. */
  readonly type: string
  readonly organizationId: string
  readonly timestampMs: string
  /** The reasons why the request cannot be approved here; empty for a request that is read completely. */
  readonly refusals: readonly string[]
}

export async function wordsOf(request: Uint8Array): Promise<Words> {
  const envelope = orUnread(() => ({ opened: openRequest(request) }))
  if (!('opened' in envelope)) return envelope
  // A file that cannot be loaded says nothing about the request, so its error is thrown as such, here and below.
  const known = await knownFor(envelope.opened.type)
  const read = orUnread(() => ({ request: readRequest(envelope.opened, known) }))
  if (!('request' in read)) return read
  const { readAs: type, organizationId, timestampMs, activity } = read.request
  const refusals = activity.isVote === true ? [NO_VOTE] : []
  const say = await contentOf(read.request)
  return orUnread(() => ({ type, organizationId, timestampMs, ...whole(say(), read.request), refusals }))
}

/** Signing requests need only a small part of the known activities, and people wait for these requests. */
async function knownFor(type: string): Promise<KnownActivities> {
  if (Object.hasOwn(KNOWN_SIGNATURES, type)) return KNOWN_SIGNATURES
  return (await import('./known-activities.ts')).KNOWN_ACTIVITIES
}

/** A reader that meets an unexpected value must not show half of it. */
function orUnread<T>(read: () => T): T | Words {
  try {
    return read()
  } catch (error) {
    const why = error instanceof Unreadable ? error.message : 'a reader of this page failed on it'
    return { ...UNREAD, refusals: [`It cannot be read: ${why}`] }
  }
}

const NO_VOTE = 'It is a vote on another activity, and votes are not approved.'

const UNREAD: Omit<Words, 'refusals'> = {
  type: '',
  organizationId: '',
  timestampMs: '',
  sentence: 'This request CANNOT BE READ.',
  facts: [],
  dangers: [],
  unknowable: [],
  isTold: false,
}

function whole(done: Reading, request: Request): Required<Reading> {
  const facts = [...done.facts, ...envelopeFacts(request), ...leavesOf(request.parameters, 'parameters')]
  const isPlain =
    request.activity.kind === 'SIGN_TRANSACTION' &&
    Object.keys(request.sent).length === ENVELOPE_FIELDS &&
    !Object.hasOwn(request.parameters, FLAG) &&
    done.dangers.length + done.unknowable.length === 0 &&
    facts.every(({ tone }) => tone === undefined)
  return { ...done, facts, isTold: isPlain && done.isTold === true }
}

/** `type`, `timestampMs`, `organizationId`, `parameters`. */
const ENVELOPE_FIELDS = 4

function howOf(parameters: JsonObject) {
  return {
    encoding: textOf(parameters, 'encoding'),
    hashFunction: textOf(parameters, 'hashFunction'),
  }
}

/** Loads the parts for this kind of request, and returns the function that makes the words. */
async function contentOf({ activity, parameters }: Request): Promise<() => Reading> {
  const signWith = visible(textOf(parameters, 'signWith') || textOf(parameters, 'privateKeyId'))
  switch (activity.kind) {
    case 'SIGN_TRANSACTION': {
      const type = textOf(parameters, 'type')
      const chains = await chainsOf({ transaction: type })
      const unsignedTransaction = textOf(parameters, 'unsignedTransaction')
      return () => transactionWords({ type, unsignedTransaction }, signWith, chains)
    }
    case 'SIGN_RAW_PAYLOAD':
    case 'SIGN_RAW_PAYLOADS': {
      const how = howOf(parameters)
      const isOne = activity.kind === 'SIGN_RAW_PAYLOAD'
      const payloads = isOne ? [textOf(parameters, 'payload')] : listOf(parameters, 'payloads').map(asText)
      const chains = await chainsOf({ payloads, ...how })
      const payloadIn = (payload: string): Reading => payloadWords({ payload, ...how }, signWith, chains)
      return () => (isOne ? payloadIn(payloads[0] ?? '') : together(payloads.map(payloadIn)))
    }
  }
  const { changeWords } = await import('./change-words.ts')
  return () => changeWords(activity, parameters)
}

function together(readings: readonly Reading[]): Reading {
  const numbered = readings.map(({ sentence }, index) => `${index + 1}. ${sentence}`)
  return {
    sentence: `Sign ${readings.length} payloads. ${several(numbered)}`,
    facts: readings.flatMap(({ sentence, facts }, index): readonly Fact[] => [
      fact(`Payload ${index + 1}`, sentence),
      ...facts.map((each) => ({ ...each, label: `Payload ${index + 1}: ${each.label}` })),
    ]),
    dangers: [...new Set(readings.flatMap(({ dangers }) => dangers))],
    unknowable: readings.flatMap(({ unknowable }) => unknowable),
  }
}

function envelopeFacts({ type, organizationId, timestampMs, sent }: Request): readonly Fact[] {
  const { type: _, organizationId: __, timestampMs: ___, parameters: ____, ...rest } = sent
  const time = Number(timestampMs)
  const isTime = /^\d{1,15}$/.test(timestampMs) && time < TIME_MAX
  return [
    fact('Activity', visible(type)),
    fact('Organization', visible(organizationId), { nameable: organizationId }),
    fact('Asked at', `${isTime ? new Date(time).toISOString() : 'no time'} (${visible(timestampMs)})`),
    ...Object.entries(rest).flatMap(([name, value]) => leavesOf(value, visible(name))),
  ]
}

/** The last day of a `Date`. */
const TIME_MAX = 8.64e15

function textOf(parameters: JsonObject, name: string): string {
  return asText(parameters[name])
}

function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

function listOf(parameters: JsonObject, name: string): readonly JsonValue[] {
  const value = parameters[name]
  // `Array.isArray` does not narrow a readonly list.
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}
