import type { ActivityRow } from '../../trusted/catalogue/unit.ts'
import { timestamp } from '../../trusted/charter/view.ts'

/**
 * The digest under which a text is stored outside its records, or undefined if each record contains the text.
 *
 * @param hint  texts with the same hint are mostly equal
 */
type Refer = (text: string, hint: string) => string | undefined

/** The text that is stored under a digest; undefined if there is none. */
type TextOf = (digest: string) => string | undefined

/**
 * The form in which a store keeps a record: repetitions are left out, and texts of many records are stored separately,
 * under their digests. The vault and all other readers of a store get the record as it was sealed, so they do not need
 * to know this form.
 *
 * Form 1, in `votes` and `evaluations`; a text that begins with `[` has the earlier form, as the vault made it:
 *
 *     votes        1 (␞ id ␟ userId ␟ user ␟ activityId ␟ selection ␟ message ␟ publicKey ␟ signature ␟ scheme ␟
 *                     seconds ␟ nanos)...
 *     evaluations  1 (␞ createdAt ␟ the rest)...
 *
 * A part is empty if the record contains it elsewhere: the user's id begins the user's snapshot, and times are those of
 * the record. `user` and the rest of an evaluation may be `@` and a digest. A public key may be the digit of the one in
 * the snapshot. In a message U+0001 to U+0004 stand for intent, type, timestamp and organization: JSON has none of
 * these characters.
 *
 * A record in another shape, or with a text that has a special meaning in this form, is stored unchanged.
 */
export function compactRecord(row: ActivityRow, refer: Refer): ActivityRow {
  const { votes, evaluations, type, organizationId } = row
  const isSayable =
    votes.length + evaluations.length <= CHARACTERS_MAX &&
    !hasMark(votes) &&
    !hasMark(evaluations) &&
    !hasMark(type) &&
    !hasMark(organizationId)
  return (isSayable ? compacted(row, refer) : undefined) ?? row
}

/** The record as it was sealed. An impossible record stays as it is stored, and its seal will not fit it. */
export function expandRecord(stored: ActivityRow, textOf: TextOf): ActivityRow {
  if (!isCompact(stored)) return stored
  const votes = expandedVotes(stored, textOf)
  if (votes === undefined) return stored
  const evaluations = expandedEvaluations(stored, votes.ids, textOf)
  if (evaluations === undefined || votes.text.length + evaluations.length > CHARACTERS_MAX) return stored
  return { ...stored, votes: votes.text, evaluations }
}

/** The digests of the texts that are stored outside a record. */
export function digestsIn(stored: ActivityRow): readonly string[] {
  if (!isCompact(stored)) return []
  return [...`${stored.votes}${stored.evaluations}`.matchAll(REFERENCE)].map(([, digest = '']) => digest)
}

const FORM = '1'
const NEXT = '\u001e'
const PART = '\u001f'
const REFERENCE = /\u001f@([\w-]{32})/g
/** No record is longer; but a record with a few references, each to a long text many times, would be. */
const CHARACTERS_MAX = 16 * 1024 * 1024

/** Whether it is in the stored form, instead of the sealed one. */
export function isCompact({ votes }: ActivityRow): boolean {
  return votes.startsWith(FORM)
}

const VOTE = [
  '{"id":"',
  '","userId":"',
  '","user":',
  ',"activityId":"',
  '","selection":"VOTE_SELECTION_',
  '","message":"',
  '","publicKey":"',
  '","signature":"',
  '","scheme":"SIGNATURE_SCHEME_',
  '","createdAt":{"seconds":"',
  '","nanos":"',
  '"}}',
] as const
const PARTS_OF_A_VOTE = VOTE.length - 1

/** Undefined if the vault has written it in a shape that this form does not know. */
function compacted(row: ActivityRow, refer: Refer): ActivityRow | undefined {
  const { votes, activityId, createdAt } = row
  const last = votes.length - 1
  if (votes[0] !== '[' || votes[last] !== ']') return undefined
  const { seconds, nanos } = timestamp(createdAt)
  const said = saidByRecord(row)
  const ids: string[] = []
  let compact = FORM
  let hint = ''
  for (let at = 0; at < last; ) {
    if (at > 0 && votes[at] !== ',') return undefined
    const vote = voteAt(votes, at + 1)
    if (vote === undefined) return undefined
    const user = referredTo(vote.user, vote.userId, refer)
    const userId = unlessSame(vote.userId, userOf(vote.user))
    const ofActivity = unlessSame(vote.activityId, activityId)
    const key = compactKey(vote.user, vote.publicKey)
    const atSeconds = unlessSame(vote.seconds, seconds)
    const atNanos = unlessSame(vote.nanos, nanos)
    if (
      user === undefined ||
      userId === undefined ||
      ofActivity === undefined ||
      key === undefined ||
      atSeconds === undefined ||
      atNanos === undefined
    )
      return undefined
    ids.push(vote.id)
    hint = vote.userId
    compact +=
      NEXT +
      vote.id +
      PART +
      userId +
      PART +
      user +
      PART +
      ofActivity +
      PART +
      vote.selection +
      PART +
      shortened(vote.message, said) +
      PART +
      key +
      PART +
      vote.signature +
      PART +
      vote.scheme +
      PART +
      atSeconds +
      PART +
      atNanos
    at = vote.end
  }
  const evaluations = compactedEvaluations(row, { ids, hint, refer })
  return evaluations === undefined ? undefined : { ...row, votes: compact, evaluations }
}

/** Empty if the text occurs elsewhere; undefined if it is empty itself, because an empty part would be ambiguous. */
function unlessSame(text: string, elsewhere: string): string | undefined {
  if (text === elsewhere) return ''
  return text === '' ? undefined : text
}

type StoredVote = {
  readonly id: string
  readonly userId: string
  readonly user: string
  readonly activityId: string
  readonly selection: string
  readonly message: string
  readonly publicKey: string
  readonly signature: string
  readonly scheme: string
  readonly seconds: string
  readonly nanos: string
  /** The end of it. */
  readonly end: number
}

/** The vote that begins there; undefined if there is none. */
function voteAt(votes: string, from: number): StoredVote | undefined {
  if (!votes.startsWith(VOTE[0], from)) return undefined
  let at = from + VOTE[0].length
  let isVote = true
  const until = (literal: string): string => {
    const end = votes.indexOf(literal, at)
    if (end < 0) isVote = false
    const part = votes.slice(at, end)
    at = end + literal.length
    return part
  }
  const vote = {
    id: until(VOTE[1]),
    userId: until(VOTE[2]),
    user: until(VOTE[3]),
    activityId: until(VOTE[4]),
    selection: until(VOTE[5]),
    message: until(VOTE[6]),
    publicKey: until(VOTE[7]),
    signature: until(VOTE[8]),
    scheme: until(VOTE[9]),
    seconds: until(VOTE[10]),
    nanos: until(VOTE[11]),
  }
  return isVote ? { ...vote, end: at } : undefined
}

function expandedVotes(
  stored: ActivityRow,
  textOf: TextOf,
): { readonly text: string; readonly ids: readonly string[] } | undefined {
  const time = timestamp(stored.createdAt)
  const said = saidByRecord(stored)
  const ids: string[] = []
  let text = ''
  for (const vote of stored.votes.slice(FORM.length + NEXT.length).split(NEXT)) {
    const parts = vote.split(PART)
    const [id = '', userId = '', reference = '', activityId = '', selection = '', message = '', ...proof] =
      parts
    const [publicKey = '', signature = '', scheme = '', seconds = '', nanos = ''] = proof
    const user = meantBy(reference, textOf)
    if (user === undefined || parts.length !== PARTS_OF_A_VOTE) return undefined
    ids.push(id)
    text +=
      `${ids.length === 1 ? '' : ','}${VOTE[0]}${id}${VOTE[1]}${userId === '' ? userOf(user) : userId}` +
      `${VOTE[2]}${user}${VOTE[3]}${activityId === '' ? stored.activityId : activityId}${VOTE[4]}${selection}` +
      `${VOTE[5]}${lengthened(message, said)}${VOTE[6]}${keyAt(user, publicKey) ?? publicKey}${VOTE[7]}${signature}` +
      `${VOTE[8]}${scheme}${VOTE[9]}${seconds === '' ? time.seconds : seconds}${VOTE[10]}${nanos === '' ? time.nanos : nanos}${VOTE[11]}`
    if (text.length > CHARACTERS_MAX) return undefined
  }
  return { text: `[${text}]`, ids }
}

/** Each judgement begins with the id of its vote. */
function compactedEvaluations(
  { evaluations, createdAt }: ActivityRow,
  { ids, hint, refer }: { readonly ids: readonly string[]; readonly hint: string; readonly refer: Refer },
): string | undefined {
  if (evaluations[0] !== '[' || !evaluations.endsWith('}]')) return undefined
  let compact = FORM
  let at = 1
  for (let n = 0; n < ids.length; n++) {
    const begin = beginningOf(ids[n] ?? '')
    const next = ids[n + 1]
    const end =
      next === undefined ? evaluations.length - 2 : evaluations.indexOf(`},${beginningOf(next)}`, at)
    const comma = evaluations.indexOf(',', at + begin.length)
    if (!evaluations.startsWith(begin, at) || comma < 0 || end < comma) return undefined
    const time = unlessSame(evaluations.slice(at + begin.length, comma), String(createdAt))
    const rest = referredTo(evaluations.slice(comma + 1, end), `decided ${hint}`, refer)
    if (time === undefined || rest === undefined) return undefined
    compact += NEXT + time + PART + rest
    at = end + 2
  }
  return compact
}

function expandedEvaluations(
  { evaluations, createdAt }: ActivityRow,
  ids: readonly string[],
  textOf: TextOf,
): string | undefined {
  let text = ''
  const judged = evaluations.slice(FORM.length + NEXT.length).split(NEXT)
  if (judged.length !== ids.length || !evaluations.startsWith(FORM)) return undefined
  for (const [n, judgement] of judged.entries()) {
    const [time = '', reference = '', ...more] = judgement.split(PART)
    const rest = meantBy(reference, textOf)
    if (rest === undefined || more.length > 0) return undefined
    text += `${n === 0 ? '' : ','}${beginningOf(ids[n] ?? '')}${time === '' ? createdAt : time},${rest}}`
    if (text.length > CHARACTERS_MAX) return undefined
  }
  return `[${text}]`
}

function beginningOf(voteId: string): string {
  return `{"voteId":"${voteId}","createdAt":`
}

function referredTo(text: string, hint: string, refer: Refer): string | undefined {
  const digest = refer(text, hint)
  if (digest !== undefined) return `@${digest}`
  return text[0] === '@' ? undefined : text
}

function meantBy(reference: string, textOf: TextOf): string | undefined {
  return reference.startsWith('@') ? textOf(reference.slice(1)) : reference
}

/**
 * The statements of a request about itself, in the order of the characters that stand for them. The request is a JSON
 * text within a vote.
 */
function saidByRecord({ intent, type, timestampMs, organizationId }: ActivityRow): readonly string[] {
  return [JSON.stringify(intent).slice(1, -1), type, String(timestampMs), organizationId]
}

function shortened(message: string, said: readonly string[]): string {
  let text = message
  for (let n = 0; n < said.length; n++) {
    const value = said[n] ?? ''
    const at = text.indexOf(value)
    if (at >= 0) text = text.slice(0, at) + STAND_FOR_SAID[n] + text.slice(at + value.length)
  }
  return text
}

function lengthened(message: string, said: readonly string[]): string {
  return message.replace(STANDS_FOR, (character) => said[character.charCodeAt(0) - 1] ?? '')
}

// oxlint-disable-next-line no-control-regex -- JSON has no such characters, which is why they can stand for something.
const STANDS_FOR = /[\u0001-\u0004]/g
const STAND_FOR_SAID = ['\u0001', '\u0002', '\u0003', '\u0004'] as const
const MARKS = [NEXT, PART, ...STAND_FOR_SAID]

/** Searches for one after the other: that is faster than one pattern for all. */
function hasMark(text: string): boolean {
  for (let n = 0; n < MARKS.length; n++) if (text.includes(MARKS[n] ?? '')) return true
  return false
}

const USER = '{"userId":"'
const KEY = '"publicKey":"'
const KEYS_MAX = 10

/** The user of the snapshot. */
function userOf(user: string): string {
  return textAt(user, USER.length)
}

/** A public key, or its digit if it is among the first of the snapshot; undefined if the text would be ambiguous. */
function compactKey(user: string, publicKey: string): string | undefined {
  if (publicKey.length < 2 || publicKey.includes('"')) return undefined
  let at = user.indexOf(KEY)
  for (let n = 0; n < KEYS_MAX && at >= 0; n++) {
    const from = at + KEY.length
    if (user.startsWith(publicKey, from) && user[from + publicKey.length] === '"') return String(n)
    at = user.indexOf(KEY, from)
  }
  return publicKey
}

function keyAt(user: string, place: string): string | undefined {
  if (!/^\d$/.test(place)) return undefined
  let at = user.indexOf(KEY)
  for (let n = 0; n < Number(place) && at >= 0; n++) at = user.indexOf(KEY, at + KEY.length)
  return at < 0 ? undefined : textAt(user, at + KEY.length)
}

function textAt(json: string, at: number): string {
  return json.slice(at, json.indexOf('"', at))
}
