import type { JsonObject, JsonValue } from '../../trusted/base/strict-json.ts'
import type { ChainWords } from './chains/chain-words.ts'
import { chainsOf } from './chains/list.ts'
import { changeWords } from './change-words.ts'
import { type Fact, fact, type Reading } from './fact.ts'
import { leavesOf } from './leaves.ts'
import { payloadWords } from './payload-words.ts'
import { readRequest, type Request, Unreadable } from './request.ts'
import { several } from './several.ts'
import { transactionWords } from './transaction-words.ts'
import { visible } from './visible.ts'

/** A request in words. They follow from its bytes alone, so that every screen shows the same for the same bytes. */
export type Words = Reading & {
  /** As the service records it. */
  readonly type: string
  readonly organizationId: string
  readonly timestampMs: string
  /** Why the request cannot be approved where it is shown; empty for one that is read whole. */
  readonly refusals: readonly string[]
}

export async function wordsOf(request: Uint8Array): Promise<Words> {
  const read = orUnread(() => ({ request: readRequest(request) }))
  if (!('request' in read)) return read
  const { readAs: type, organizationId, timestampMs, activity } = read.request
  const refusals = activity.isVote === true ? [NO_VOTE] : []
  // A file that cannot be loaded says nothing about the request: it fails as such.
  const chains = await chainsFor(read.request)
  return orUnread(() => ({ type, organizationId, timestampMs, ...readingOf(read.request, chains), refusals }))
}

/** A reader that meets what it was not made for must not show half of it. */
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
}

function readingOf(request: Request, chains: readonly ChainWords[]): Reading {
  const done = contentOf(request, chains)
  return {
    ...done,
    facts: [...done.facts, ...envelopeFacts(request), ...leavesOf(request.parameters, 'parameters')],
  }
}

async function chainsFor({ activity: { kind }, parameters }: Request): Promise<readonly ChainWords[]> {
  switch (kind) {
    case 'SIGN_TRANSACTION':
      return await chainsOf({ transaction: textOf(parameters, 'type') })
    case 'SIGN_RAW_PAYLOAD':
    case 'SIGN_RAW_PAYLOADS':
      return await chainsOf(howOf(parameters))
  }
  return []
}

function howOf(parameters: JsonObject) {
  return {
    encoding: textOf(parameters, 'encoding'),
    hashFunction: textOf(parameters, 'hashFunction'),
  }
}

function contentOf({ activity, parameters }: Request, chains: readonly ChainWords[]): Reading {
  const signWith = visible(textOf(parameters, 'signWith') || textOf(parameters, 'privateKeyId'))
  const payloadIn = (payload: JsonValue | undefined): Reading => {
    const text = typeof payload === 'string' ? payload : ''
    return payloadWords({ payload: text, ...howOf(parameters) }, signWith, chains)
  }
  switch (activity.kind) {
    case 'SIGN_TRANSACTION': {
      const unsignedTransaction = textOf(parameters, 'unsignedTransaction')
      return transactionWords({ type: textOf(parameters, 'type'), unsignedTransaction }, signWith, chains)
    }
    case 'SIGN_RAW_PAYLOAD':
      return payloadIn(parameters['payload'])
    case 'SIGN_RAW_PAYLOADS':
      return together(listOf(parameters, 'payloads').map(payloadIn))
  }
  return changeWords(activity, parameters)
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

/** The last day that a `Date` has. */
const TIME_MAX = 8.64e15

function textOf(parameters: JsonObject, name: string): string {
  const value = parameters[name]
  return typeof value === 'string' ? value : ''
}

function listOf(parameters: JsonObject, name: string): readonly JsonValue[] {
  const value = parameters[name]
  // `Array.isArray` does not narrow a readonly list.
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}
