import { isJsonObject, type JsonObject, type JsonValue } from '../../base/strict-json.ts'
import type { Activity } from '../../catalogue/activity.ts'
import { isList, type Personal } from '../../catalogue/personal.ts'
import type { ActivitiesByType } from '../../catalogue/submission.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import { claimsOf, handlesIn } from './handles.ts'
import { votesOf } from '../records/votes.ts'

/**
 * The data of one person in a record: its paths below `intent` and `result`, and the person's id, where there is one.
 */
export type Subject = { readonly paths: readonly (readonly string[])[]; readonly userId?: string }

/** The persons whose data the request and the result of a record contain. */
export function subjectsOf(
  row: ActivityRow,
  { intent = null, result = null }: JsonObject,
  types: ActivitiesByType,
): readonly Subject[] {
  const activity = types.get(row.type)?.activity
  if (activity?.personal === undefined) return []
  const [resultKey] = isJsonObject(result) ? Object.keys(result) : []
  const answer = resultKey === undefined ? null : (fieldOf(result, resultKey) ?? null)
  const paths = [['intent'], ...(resultKey === undefined ? [] : [['result', resultKey]])]
  const { personal } = activity
  if (personal.of === 'contact') return [{ paths }]
  if (personal.of === 'one') return [{ paths, ...known(ownerOf(activity, row, intent, answer)) }]
  return entriesOf(personal, intent, answer)
}

function entriesOf(
  personal: Extract<Personal, { readonly entries: string }>,
  intent: JsonValue,
  answer: JsonValue,
): readonly Subject[] {
  const list = listIn(intent, personal.entries)
  const ids = personal.of === 'made' ? listIn(answer, personal.ids) : []
  const entries = list.map((_, at) => ({
    paths: [['intent', personal.entries, String(at)]],
    ...known(ids[at]),
  }))
  const beside = (personal.of === 'made' ? (personal.beside ?? []) : []).flatMap((name) => {
    const value = fieldOf(intent, name)
    return value === undefined ? [] : [{ name, value }]
  })
  const handles = beside.flatMap(({ value }) => handlesIn(value))
  const named = list.findIndex((entry) => handlesIn(entry).some((handle) => handles.includes(handle)))
  const paths = beside.map(({ name }) => ['intent', name])
  return [...entries, { paths, ...known(ids.length === 1 ? ids[0] : ids[named]) }]
}

/** Of an activity that is about one user. */
function ownerOf(
  { authority }: Activity,
  { votes }: ActivityRow,
  intent: JsonValue,
  answer: JsonValue,
): JsonValue | undefined {
  const named = fieldOf(answer, 'userId') ?? fieldOf(intent, 'userId')
  if (named !== undefined) return named
  const session = fieldOf(answer, 'session')
  const ofSession = typeof session === 'string' ? claimsOf(session)?.['user_id'] : undefined
  // Of one's own credentials, where nobody else is named.
  return ofSession ?? (authority.kind === 'ownCredentials' ? votesOf(votes)[0]?.userId : undefined)
}

function known(userId: JsonValue | undefined): Pick<Subject, 'userId'> {
  return typeof userId === 'string' && userId !== '' ? { userId } : {}
}

function fieldOf(value: JsonValue, name: string): JsonValue | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

function listIn(value: JsonValue, name: string): readonly JsonValue[] {
  const list = fieldOf(value, name)
  return isList(list) ? list : []
}
