import { costs } from '../../base/costs.ts'
import type { Ms } from '../../base/world.ts'
import type { Work } from '../../base/work.ts'
import type { ActivityRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import type { Erased, EraseRequest } from '../../../protocol/vault.ts'
import { erasedRecord, recordWithoutRequest } from './erased-record.ts'
import { seeCharter } from '../charters/see-charter.ts'
import { AGE_MAX_MS, AHEAD_MAX_MS } from '../memory/request-age.ts'
import { costOfRecord } from '../seals/row-costs.ts'
import { sealCharter } from '../seals/seals.ts'
import { checkPresentRecord } from './present-record.ts'
import type { VaultContext } from '../vault-context.ts'

type Means = Pick<VaultContext, 'keyring' | 'memory' | 'types' | 'world'>

/**
 * Removes personal content from the rows of a deleted organization. The organization's own charter must be marked as
 * deleted, which only its deletion does: records of an existing organization are never erased this way.
 *
 * @throws Tampered, Older
 */
export async function erase(
  means: Means,
  { charter: row, activities, founding }: EraseRequest,
  work: Work,
): Promise<Erased> {
  const { keyring, world } = means
  const now = world.now()
  const charter = seeCharter(means, row, now)
  const { organizationId } = row
  if (!charter.deleted) return { kind: 'living' }
  // Until then the deleting request may be repeated, and its sender must still be known to answer it.
  const until = charter.updatedAt + AGE_MAX_MS + AHEAD_MAX_MS
  if (now < until) return { kind: 'live', until }
  const erased: (ActivityRow | null)[] = []
  for (const activity of activities) {
    await work.step(costs.row + costOfRecord(activity))
    checkPresentRecord(means, activity, now)
    erased.push(activity.organizationId === organizationId ? erasedRecord(keyring, activity, now) : null)
  }
  return {
    kind: 'erased',
    charter: charter.users.length === 0 ? null : sealCharter(keyring, erasedCharter(charter)),
    activities: erased,
    founding: founding === undefined ? null : ofFounding(means, founding, charter, now),
  }
}

/** The charter without its users: every later sender is unknown. */
function erasedCharter(charter: Charter): Charter {
  return {
    ...charter,
    version: charter.version + 1,
    organizationName: '',
    users: [],
    rootQuorum: { threshold: 0, userIds: [] },
  }
}

/**
 * Only the record of the parent that created this organization: its result has this organization's id under its only
 * key.
 */
function ofFounding(means: Means, row: ActivityRow, charter: Charter, now: Ms): ActivityRow | null {
  checkPresentRecord(means, row, now)
  const isMaking =
    row.organizationId === charter.parentId &&
    row.status === 'ACTIVITY_STATUS_COMPLETED' &&
    means.types.get(row.type)?.activity.operation === 'create_sub_organization'
  if (!isMaking || row.result === null) return null
  // The vault writes it in this shape only.
  const made = Object.values(JSON.parse(row.result) as { readonly [key: string]: Made })
  return made[0]?.subOrganizationId === charter.organizationId
    ? recordWithoutRequest(means.keyring, row, now)
    : null
}

type Made = { readonly subOrganizationId?: string }
