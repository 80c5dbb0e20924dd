import { utf8 } from '../../trusted/base/bytes.ts'
import { checkStamp } from './asker-stamp.ts'
import { type Fingerprint, fingerprintOf } from './fingerprint.ts'
import type { StampCheck } from './stamp-check.ts'
import { type Words, wordsOf } from './words.ts'

/**
 * An activity as it is shown to an approver. `words`, `fingerprint` and `stamp` follow from the bytes of the request;
 * only the fields under `host` are the word of the host.
 */
export type CheckedActivity = {
  readonly words: Words
  readonly fingerprint: Fingerprint
  readonly stamp: StampCheck
  /** The reasons why it cannot be approved here; empty if it can. */
  readonly refusals: readonly string[]
  readonly host: HostWord
}

type HostWord = {
  readonly activityId: string
  readonly status: string
  /** The user who sent the request. */
  readonly askerId: string
  readonly votes: readonly ToldVote[]
  readonly canApprove: boolean
  readonly canReject: boolean
}

/** `castAt`: milliseconds since 1970, and NaN if the host gives none. */
type ToldVote = { readonly userId: string; readonly selection: string; readonly castAt: number }

/**
 * Checks an activity in a service's answer, using only the bytes in its first vote.
 *
 * @param shown           the activity in an answer of `get_activity` or `list_activities`; it may be any value
 * @param organizationId  of the approver: a vote counts only there
 * @returns               undefined if it contains no request
 */
export async function checkActivity(
  shown: unknown,
  organizationId: string,
): Promise<CheckedActivity | undefined> {
  const votes = listIn(shown, 'votes')
  const [first] = votes
  const message = memberOf(first, 'message')
  if (typeof message !== 'string') return undefined
  const request = utf8(message)
  const words = await wordsOf(request)
  const fingerprint = fingerprintOf(request)
  const stamp = message.isWellFormed()
    ? await checkStamp(
        {
          publicKey: textIn(first, 'publicKey'),
          signature: textIn(first, 'signature'),
          scheme: textIn(first, 'scheme'),
        },
        request,
      )
    : ({ kind: 'wrong' } as const)
  const told = {
    fingerprint: textIn(shown, 'fingerprint'),
    type: textIn(shown, 'type'),
    organizationId: textIn(shown, 'organizationId'),
    timestampMs: textIn(shown, 'timestampMs'),
  }
  return {
    words,
    fingerprint,
    stamp,
    refusals: [
      ...(message.isWellFormed() ? [] : ['The request from the server is not a Unicode text.']),
      ...words.refusals,
      ...(words.type === '' ? [] : contradictions(told, words, organizationId)),
      ...(told.fingerprint === fingerprint.text
        ? []
        : [
            'The server names another fingerprint than that of the request that it shows. It leaves out the token or the code of a request that has one.',
          ]),
      ...STAMPS[stamp.kind],
    ],
    host: {
      activityId: textIn(shown, 'id'),
      status: textIn(shown, 'status'),
      askerId: textIn(first, 'userId'),
      votes: votes.map(toldVote),
      canApprove: memberOf(shown, 'canApprove') === true,
      canReject: memberOf(shown, 'canReject') === true,
    },
  }
}

function toldVote(vote: unknown): ToldVote {
  const seconds = textIn(memberOf(vote, 'createdAt'), 'seconds')
  const castAt = /^\d{1,12}$/.test(seconds) ? Number(seconds) * 1_000 : Number.NaN
  return { userId: textIn(vote, 'userId'), selection: textIn(vote, 'selection'), castAt }
}

const STAMPS: { readonly [kind in StampCheck['kind']]: readonly string[] } = {
  verified: [],
  wrong: ['The stamp of the person who asked is not over these bytes.'],
  unknown: ['The stamp of the person who asked is of a kind that cannot be verified here.'],
}

/** If the host contradicts the bytes, all its statements are rejected. */
function contradictions(
  told: { readonly type: string; readonly organizationId: string; readonly timestampMs: string },
  words: Words,
  organizationId: string,
): readonly string[] {
  return [
    ...(told.type === words.type ? [] : ['The server names another type of activity than the request.']),
    ...(told.timestampMs === words.timestampMs ? [] : ['The server names another time than the request.']),
    ...(told.organizationId === words.organizationId && words.organizationId === organizationId
      ? []
      : ['The request is for another organization than the one in which you vote.']),
  ]
}

function listIn(value: unknown, name: string): readonly unknown[] {
  const list = memberOf(value, name)
  return Array.isArray(list) ? list : []
}

function textIn(value: unknown, name: string): string {
  const text = memberOf(value, name)
  return typeof text === 'string' ? text : ''
}

/** For a JSON value: an own member, or undefined. */
function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined
}
