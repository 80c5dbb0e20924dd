import { activities } from '../../../trusted/activities/list.ts'
import type { Needs, ObjectsNeed, Opened } from '../../../trusted/catalogue/objects.ts'
import { activitiesByType, anyObject, readIntent } from '../../../trusted/catalogue/submission.ts'
import type { Facts } from '../../../trusted/policy/types.ts'
import { finished } from '../../../trusted/base/work.ts'
import { factsOf, preparedOf } from '../../../trusted/vault/decision/facts.ts'
import type { OpenedRows } from '../../../trusted/vault/decision/open-rows.ts'

/**
 * The facts of a request for policies, from the same code as in the service.
 *
 * @throws Failure  if the service would refuse the request before it evaluates policies
 */
export function factsOfRequest(
  {
    type,
    parameters,
    organizationId = '',
    userId,
  }: {
    readonly type: string
    readonly parameters: unknown
    readonly organizationId?: string
    readonly userId: string
  },
  objects: readonly Opened<unknown>[],
): readonly Facts[] {
  const read = readIntent(
    { type, parameters: anyObject.read(parameters, 'parameters', 'strict') },
    activitiesByType(activities),
    'parameters',
  )
  const request = { ...read, organizationId, timestampMs: 0, fingerprint: '' }
  const rows = rowsFor(request.activity.needs?.(request.newest, undefined) ?? {}, objects)
  return factsOf(request, rows, { prepared: finished(preparedOf(request, rows)), proposerId: userId })
}

/** The objects of each need, as a host would find them. Policies do not depend on taken names. */
function rowsFor(needs: Needs, objects: readonly Opened<unknown>[]): OpenedRows {
  const gathered: Record<string, readonly Opened<unknown>[] | ReadonlySet<string>> = {}
  for (const [name, need] of Object.entries(needs)) {
    if (need.need === 'taken') gathered[name] = new Set()
    else gathered[name] = answersTo(need, objects, gathered)
  }
  return { gathered, all: [], wipe: () => {} }
}

function answersTo(
  need: ObjectsNeed<unknown>,
  objects: readonly Opened<unknown>[],
  gathered: Readonly<Record<string, readonly Opened<unknown>[] | ReadonlySet<string>>>,
): readonly Opened<unknown>[] {
  const followed = 'following' in need.by ? gathered[need.by.following] : undefined
  const earlier = Array.isArray(followed) ? followed.map(({ body }: Opened<unknown>) => body) : []
  return objects.filter(
    ({ kind, objectId, body }) => kind.kind === need.kind.kind && need.answers(objectId, body, earlier),
  )
}
