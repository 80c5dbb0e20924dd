import { costs } from '../base/costs.ts'
import type { Ms } from '../base/world.ts'
import type { Work } from '../base/work.ts'
import type { ActivityRow } from '../catalogue/unit.ts'
import type { Charter } from '../charter/charter.ts'
import type { Erased, EraseRequest } from '../../protocol/vault.ts'
import { erasedRecord, recordWithoutRequest } from './erased-record.ts'
import { AGE_MAX_MS, AHEAD_MAX_MS } from './request-age.ts'
import { checkActivity, fitsActivity, fitsCharter, openCharter, sealCharter } from './seals.ts'
import type { VaultContext } from './vault-context.ts'

type Means = Pick<VaultContext, 'keyring' | 'memory' | 'types' | 'world'>

/**
 * Rows of a deleted organization without what people said in them. Nothing is erased but by the organization's own charter, which only its
 * deletion has made a deleted one: what a living organization did stays on its records, whoever asks.
 *
 * @throws Tampered, Older
 */
export async function erase(
  means: Means,
  { charter: row, activities, founding }: EraseRequest,
  work: Work,
): Promise<Erased> {
  const { keyring, memory, world } = means
  const now = world.now()
  const charter = openCharter(keyring, row)
  const { organizationId, version: revision, seal } = row
  memory.charters.check(organizationId, { revision, seal }, now, (known) => fitsCharter(keyring, row, known))
  if (!charter.deleted) return { kind: 'living' }
  // Until then the request that deleted it is answered when it is repeated, and its sender has to be known for that.
  const until = charter.updatedAt + AGE_MAX_MS + AHEAD_MAX_MS
  if (now < until) return { kind: 'live', until }
  const erased: (ActivityRow | null)[] = []
  for (const activity of activities) {
    await work.step(2 * costs.row + (activity.intent.length + activity.votes.length) * costs.rowCharacter)
    erased.push(
      activity.organizationId === organizationId ? ofRecord(means, activity, now, erasedRecord) : null,
    )
  }
  return {
    kind: 'erased',
    charter: charter.users.length === 0 ? null : sealCharter(keyring, erasedCharter(charter)),
    activities: erased,
    founding: founding === undefined ? null : ofFounding(means, founding, charter, now),
  }
}

function ofRecord(
  { keyring, memory }: Means,
  row: ActivityRow,
  now: Ms,
  without: typeof erasedRecord,
): ActivityRow | null {
  const erased = without(keyring, row, now)
  if (row.awaited === 1)
    memory.records.check(row.activityId, row, now, (known) => fitsActivity(keyring, row, known))
  return erased
}

/** Who it was is gone: nobody is told from a stranger any more. */
function erasedCharter(charter: Charter): Charter {
  return {
    ...charter,
    version: charter.version + 1,
    organizationName: '',
    users: [],
    rootQuorum: { threshold: 0, userIds: [] },
  }
}

/** Of the record of the parent by which this organization was made, and of no other: its result says so, under its one key. */
function ofFounding(means: Means, row: ActivityRow, charter: Charter, now: Ms): ActivityRow | null {
  checkActivity(means.keyring, row)
  const isMaking =
    row.organizationId === charter.parentId &&
    row.status === 'ACTIVITY_STATUS_COMPLETED' &&
    means.types.get(row.type)?.activity.operation === 'create_sub_organization'
  if (!isMaking || row.result === null) return null
  // The vault has written it in this shape and in no other.
  const made = Object.values(JSON.parse(row.result) as { readonly [key: string]: Made })
  return made[0]?.subOrganizationId === charter.organizationId
    ? ofRecord(means, row, now, recordWithoutRequest)
    : null
}

type Made = { readonly subOrganizationId?: string }
