import { costs } from '../../base/costs.ts'
import type { Work } from '../../base/work.ts'
import type { LookupKey } from '../../catalogue/objects.ts'
import type { DirectoryEntry, ObjectRow } from '../../catalogue/unit.ts'
import { objectKinds } from '../../objects/list.ts'
import type { Verified, VerifyRequest } from '../../../protocol/vault.ts'
import { entriesOf } from '../authentication/directory-entries.ts'
import type { Keyring } from '../keys/keyring.ts'
import { isOwnSecret } from '../keys/own-secret.ts'
import { costOfCharter, costOfRecord } from './row-costs.ts'
import { checkActivity, openCharter, openJob, openObject, Tampered } from './seals.ts'
import { missedUntil } from '../memory/self-guarded.ts'

type Found = {
  readonly problems: { readonly what: string; readonly problem: string }[]
  readonly claims: DirectoryEntry[]
  readonly directory: DirectoryEntry[]
}

/**
 * Verifies rows: each seal, each public key from its sealed secret, and the time from which a row may be removed; and
 * computes their claims and directory entries. The rows are not noted as known states, because they may be an old copy.
 */
export async function verifyRows(
  keyring: Keyring,
  { charters, activities, objects, jobs }: VerifyRequest,
  work: Work,
): Promise<Verified> {
  const found: Found = { problems: [], claims: [], directory: [] }
  const look = (what: string, verify: () => string | undefined): void => {
    const problem = problemIn(verify)
    if (problem !== undefined) found.problems.push({ what, problem })
  }
  for (const row of charters) {
    await work.step(costOfCharter(row))
    look(`charter of organization ${row.organizationId}, version ${row.version}`, () => {
      found.directory.push(...entriesOf(openCharter(keyring, row)))
      return undefined
    })
  }
  for (const row of activities) {
    await work.step(costOfRecord(row))
    look(`activity ${row.activityId} of organization ${row.organizationId}`, () => {
      checkActivity(keyring, row)
      return undefined
    })
  }
  for (const row of objects) {
    await work.step(row.kind === 'wallet' ? costs.seed : costs.row + costs.curvePoint)
    look(`${row.kind} ${row.objectId} of organization ${row.organizationId}`, () =>
      verifiedObject(keyring, row, found),
    )
  }
  for (const row of jobs) {
    await work.step(costs.row)
    look(`job ${row.jobId} of organization ${row.organizationId}`, () => {
      openJob(keyring, row)
      return undefined
    })
  }
  return found
}

function verifiedObject(keyring: Keyring, row: ObjectRow, found: Found): string | undefined {
  const secret = openObject(keyring, row)
  try {
    const kind = objectKinds.get(row.kind)
    if (kind === undefined) return 'no kind of object has this name'
    const body = kind.parse(row.body)
    const entries = (keys: readonly LookupKey[]): readonly DirectoryEntry[] =>
      [...new Map(keys.map((key) => [`${key.kind} ${key.value}`, key])).values()].map(
        ({ kind: of, value }) => ({
          scope: row.organizationId,
          kind: of,
          value,
          target: row.objectId,
        }),
      )
    found.claims.push(...entries(kind.claims(body)))
    // Removed expired rows leave their entries behind, so these entries cannot be checked.
    if (kind.expiresAt === undefined) found.directory.push(...entries(kind.entries(body)))
    if (!isOwnSecret(row.kind, body, secret)) return 'its public key is not the one of its sealed secret'
    if (row.expiresAt !== null && row.expiresAt < missedUntil(kind, body))
      return 'it may be swept away before the time that its body says'
    return undefined
  } finally {
    secret.wipe()
  }
}

/** The expected problems: an invalid seal, or a body that this version cannot read. */
function problemIn(verify: () => string | undefined): string | undefined {
  try {
    return verify()
  } catch (error) {
    return error instanceof Tampered ? 'its seal does not hold' : `it cannot be read: ${String(error)}`
  }
}
