import { lowerAscii } from '../../base/lower-ascii.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import { ERASED, isList, textsIn, withoutPersonal } from '../../catalogue/personal.ts'
import type { ActivitiesByType } from '../../catalogue/submission.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { claimsOf, type Handles, handlesIn } from './handles.ts'
import { type Subject, subjectsOf } from './subjects.ts'
import { type Vote, votesOf } from '../records/votes.ts'

/** The person to erase. The handles, possibly none, identify the person where a record has no id. */
export type ErasedPerson = { readonly userId: string; readonly handles: Handles }

/**
 * A part of a record as it was: its path, such as `intent/users/0` or `votes/0/user`, and its JSON, or a text that is
 * none.
 */
type PersonalPart = { readonly part: string; readonly text: string }

type Said = Pick<ActivityRow, 'intent' | 'result' | 'failure' | 'votes'>

/**
 * A record without the data of one person, and the removed parts. The person is identified by ids that the vault has
 * written, and by handles only where there are none: data about another user stays, whatever its content.
 *
 * @returns undefined where it has no data of that person
 */
export function withoutPerson(
  row: ActivityRow,
  person: ErasedPerson,
  types: ActivitiesByType,
): { readonly said: Said; readonly parts: readonly PersonalPart[] } | undefined {
  const parts: PersonalPart[] = []
  const without = (value: JsonValue, part: string): JsonValue => {
    const rest = withoutPersonal(value)
    const text = JSON.stringify(value)
    if (JSON.stringify(rest) !== text) parts.push({ part, text })
    return rest
  }
  const votes = votesOf(row.votes)
  const before = saidIn(row)
  const subjects = subjectsOf(row, before, types)
  let after = before
  for (const { paths } of subjects.filter((subject) => isAbout(subject, before, person)))
    for (const path of paths) after = changedAt(after, path, (value) => without(value, path.join('/')))
  const failure = failureWithout(row.failure, parts)
  if (row.failure !== null && failure !== row.failure) parts.push({ part: 'failure', text: row.failure })
  // Of a request that was too long, only the beginning was stored.
  const isPersonal = types.get(row.type)?.activity.personal !== undefined
  const isRequestAbout = parts.length > 0 || (isPersonal && isBeginningAbout(row, votes, person))
  const [first] = votes
  const message = isRequestAbout ? first?.message : undefined
  if (message) parts.push({ part: 'votes/0/message', text: message })
  const kept = votes.map((vote, at) => ({
    ...(vote.userId === person.userId ? voteWithout(vote, `votes/${at}`, without) : vote),
    // Others may have voted by sending the same bytes.
    message: vote.message === message ? '' : vote.message,
  }))
  return parts.length === 0
    ? undefined
    : { said: { ...textsOf(after), failure, votes: JSON.stringify(kept) }, parts }
}

/**
 * The handles of a user that a record has under the user's id. Of a request that was not carried out they are only the
 * word of its sender, who can name any id and any address.
 */
export function handlesSaidOf(row: ActivityRow, userId: string, types: ActivitiesByType): readonly string[] {
  const said = saidIn(row)
  const subjects = row.status === 'ACTIVITY_STATUS_COMPLETED' ? subjectsOf(row, said, types) : []
  const named = subjects.filter((subject) => subject.userId === userId)
  const snapshots = votesOf(row.votes).filter((vote) => vote.userId === userId)
  return [
    ...named.flatMap(({ paths }) => paths).map((path) => valueAt(said, path)),
    // The vault wrote each as JSON.
    ...snapshots.map(({ user }) => user as JsonValue),
  ].flatMap(handlesIn)
}

/** Intent and result of a record as one value. */
function saidIn({ intent, result }: ActivityRow): JsonObject {
  // The vault wrote both as JSON, and only a record whose seal was verified is changed.
  return {
    intent: JSON.parse(intent) as JsonValue,
    result: result === null ? null : (JSON.parse(result) as JsonValue),
  }
}

function textsOf({ intent, result }: JsonObject): Pick<ActivityRow, 'intent' | 'result'> {
  return { intent: JSON.stringify(intent), result: result === null ? null : JSON.stringify(result) }
}

function isAbout({ userId, paths }: Subject, said: JsonObject, person: ErasedPerson): boolean {
  if (userId !== undefined) return userId === person.userId
  return paths.some((path) => handlesIn(valueAt(said, path)).some((handle) => person.handles.has(handle)))
}

function isBeginningAbout(
  { status, awaited, intent }: ActivityRow,
  [first]: readonly Vote[],
  { userId, handles }: ErasedPerson,
): boolean {
  if (intent !== '{}' || status !== 'ACTIVITY_STATUS_FAILED' || awaited === 1) return false
  const beginning = lowerAscii(first?.message ?? '')
  return [userId, ...handles].some((word) => isSaidIn(beginning, word))
}

/**
 * As a whole text, as a whole line of one, or where the text is cut off: a part of another contact is somebody else's.
 */
function isSaidIn(json: string, word: string): boolean {
  for (let at = json.indexOf(word); at >= 0; at = json.indexOf(word, at + 1)) {
    const before = json.slice(Math.max(0, at - 2), at)
    const after = json[at + word.length]
    if ((before.endsWith('"') || before.endsWith('\\n')) && (after === undefined || '"\\'.includes(after)))
      return true
  }
  return false
}

/**
 * The public key, the signature and the signed bytes prove which key voted. Data that names the key's owner is removed.
 */
function voteWithout(vote: Vote, path: string, without: (value: JsonValue, part: string) => JsonValue): Vote {
  const stamp = vote.signature.startsWith('{') ? (JSON.parse(vote.signature) as JsonObject) : undefined
  const named = ['credentialId', 'publicKeyAttestation'].filter((name) => stamp?.[name] !== undefined)
  const blank = Object.fromEntries(
    named.map((name) => [name, without(stamp?.[name] ?? '', `${path}/signature/${name}`)]),
  )
  return {
    ...vote,
    user: without(vote.user as JsonValue, `${path}/user`),
    signature: named.length === 0 ? vote.signature : JSON.stringify({ ...stamp, ...blank }),
  }
}

/** A refusal may quote the refused request. */
function failureWithout(failure: string | null, parts: readonly PersonalPart[]): string | null {
  if (failure === null) return null
  const plain = plainText(failure)
  const repeats = parts.flatMap(({ text }) => erasedFrom(text)).some((text) => plain.includes(quoted(text)))
  if (!repeats) return failure
  return JSON.stringify({ ...(JSON.parse(failure) as object), message: ERASED, details: [] })
}

/** The erased texts of a part, with what stands within them: claims of tokens, and the address in a message. */
function erasedFrom(part: string): readonly string[] {
  const value = JSON.parse(part) as JsonValue
  const kept = new Set(textsIn(withoutPersonal(value)))
  const erased = textsIn(value).filter((text) => !kept.has(text))
  const claims = erased.flatMap((text) => textsIn(claimsOf(text) ?? null))
  return [...erased, ...claims, ...handlesIn(value)].filter((text) => text !== '')
}

/** A refusal quotes only the beginning of a long text. */
function quoted(text: string): string {
  return plainText(text).slice(0, QUOTED_CHARACTERS)
}

/** Fewer than any refusal quotes of a longer text. */
const QUOTED_CHARACTERS = 64

/** A refusal quotes texts as JSON in JSON, and hexadecimal texts in either case. */
function plainText(text: string): string {
  return lowerAscii(text.replaceAll('\\', ''))
}

type Path = Subject['paths'][number]

function valueAt(value: JsonValue, path: Path): JsonValue {
  return path.reduce<JsonValue>((at, step) => stepInto(at, step) ?? null, value)
}

function stepInto(value: JsonValue, step: string): JsonValue | undefined {
  if (isJsonObject(value)) return Object.hasOwn(value, step) ? value[step] : undefined
  return isList(value) ? value[Number(step)] : undefined
}

function changedAt(value: JsonObject, path: Path, change: (value: JsonValue) => JsonValue): JsonObject {
  const at = (inner: JsonValue, [step, ...rest]: Path): JsonValue => {
    if (step === undefined) return change(inner)
    if (isList(inner)) return inner.map((entry, n) => (String(n) === step ? at(entry, rest) : entry))
    return isJsonObject(inner) ? { ...inner, [step]: at(inner[step] ?? null, rest) } : inner
  }
  return at(value, path) as JsonObject
}
