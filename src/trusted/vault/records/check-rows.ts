import type { Work } from '../../base/work.ts'
import type { Checked, CheckRequest } from '../../../protocol/vault.ts'
import { seeCharter } from '../charters/see-charter.ts'
import { outdated } from '../memory/rollback-guard.ts'
import { costOfCharter, costOfObject, costOfRecord } from '../seals/row-costs.ts'
import { openObject } from '../seals/seals.ts'
import type { VaultContext } from '../vault-context.ts'
import { seeRecord } from './see-record.ts'

/** Checks the rows that a query has read: each seal, and that no newer state is known of a charter or a record. */
export async function checkRows(
  { keyring, memory, world }: VaultContext,
  { charters, activities, objects }: CheckRequest,
  work: Work,
): Promise<Checked> {
  const now = world.now()
  try {
    for (const { body, ...row } of charters) {
      await work.step(costOfCharter({ body }))
      const { organizationId, version: revision, seal } = row
      if (body === undefined) memory.charters.check(organizationId, { revision, seal }, now)
      else seeCharter({ keyring, memory }, { ...row, body }, now)
    }
    for (const row of activities) {
      await work.step(costOfRecord(row))
      seeRecord({ keyring, memory }, row, now)
    }
    for (const row of objects) {
      await work.step(costOfObject(row))
      openObject(keyring, row).wipe()
    }
    return { kind: 'checked' }
  } catch (error) {
    return outdated(error)
  }
}

/** Whose query it is. */
export function organizationOf({ charters, activities, objects }: CheckRequest): string | undefined {
  return (charters[0] ?? activities[0] ?? objects[0])?.organizationId
}
