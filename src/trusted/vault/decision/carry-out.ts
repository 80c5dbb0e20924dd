import { assert } from '../../base/assert.ts'
import { idsAt } from '../../base/ids.ts'
import type { Work } from '../../base/work.ts'
import type { Ms, World } from '../../base/world.ts'
import type { Failure } from '../../base/failure.ts'
import type { Activity, Effect } from '../../catalogue/activity.ts'
import type { Placed } from '../../catalogue/objects.ts'
import type { Service } from '../../catalogue/service.ts'
import type { Charter } from '../../charter/charter.ts'
import type { Keyring } from '../keys/keyring.ts'
import { type Carried, type Changes, changesOf, noChanges } from './changes.ts'
import { nameOf } from './directory-changes.ts'

type Carrying = Carried & {
  readonly activity: Activity
  readonly intent: unknown
  readonly parent: Charter | undefined
  readonly prepared: unknown
  readonly verified: unknown
  readonly waitedSince: Ms | undefined
  readonly work: Work
}

/** With a failure the activity has failed, and its changes are kept anyway. */
export type Outcome = ({ readonly result: unknown } | { readonly failure: Failure }) & {
  readonly changes: Changes
}

type Means = {
  readonly keyring: Keyring
  readonly service: Service
  readonly randomBytes: World['randomBytes']
}

/** Runs the activity's own function, and seals its rows. The effect exists only once the unit is committed. */
export async function carryOut(means: Means, carrying: Carrying): Promise<Outcome> {
  const { activity, charter, now } = carrying
  const effect = await activity.execute({
    intent: carrying.intent,
    charter,
    parent: carrying.parent,
    rows: carrying.rows.gathered,
    verified: carrying.verified,
    prepared: carrying.prepared,
    requester: carrying.requester,
    now,
    waitedSince: carrying.waitedSince,
    work: carrying.work,
    // In the order in which they are made, which is the order of the request.
    newId: idsAt(now, means.randomBytes),
    randomBytes: means.randomBytes,
    service: means.service,
  })
  try {
    refuseHeldClaims(effect.put ?? [], carrying)
    const changes = isOfNoChange(effect)
      ? noChanges(carrying.guarded)
      : await carrying.work.through(changesOf(means, carrying, effect))
    const amended = changes.charters.some((row) => row.organizationId === charter.organizationId)
    assert(activity.amends !== false || !amended, `${activity.operation} says that it amends nothing`)
    return 'failure' in effect ? { failure: effect.failure, changes } : { result: effect.result, changes }
  } finally {
    for (const { secret } of allPlaced(effect)) secret.wipe()
  }
}

function allPlaced({ put = [], established = [] }: Effect<unknown>): readonly Placed[] {
  return [...put, ...established.flatMap((item) => item.put)]
}

/**
 * A name may only be known once the activity has been carried out, such as the public key of an import. The store then
 * detects the conflict first; at the second attempt the holder is known, and the failure names it.
 */
function refuseHeldClaims(put: readonly Placed[], { held, charter }: Carrying): void {
  if (held.length === 0) return
  const holders = new Map(
    held
      .filter(({ scope }) => scope === charter.organizationId)
      .map(({ kind, value, target }) => [nameOf({ kind, value }), target]),
  )
  for (const { objectId, claims, taken } of put) {
    for (const claim of claims) {
      const holder = holders.get(nameOf(claim))
      if (holder !== undefined && holder !== objectId) throw taken(claim, holder)
    }
  }
}

/** As every signature is. */
function isOfNoChange({ charter, put, remove, established, messages, revived }: Effect<unknown>): boolean {
  return [charter, put, remove, established, messages, revived].every((part) => part === undefined)
}
