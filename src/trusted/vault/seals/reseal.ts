import { Bug } from '../../base/assert.ts'
import { costs } from '../../base/costs.ts'
import type { Parts } from '../../base/joined.ts'
import type { Work } from '../../base/work.ts'
import type { PassCount, Resealed, ResealRequest } from '../../../protocol/vault.ts'
import type { Keyring } from '../keys/keyring.ts'
import { Older } from '../memory/rollback-guard.ts'
import { renewedCharters } from '../memory/renewed-charters.ts'
import { rootVersionOf } from '../keys/seal-text.ts'
import {
  fitsActivity,
  fitsCharter,
  fitsObject,
  isOwnCount,
  resealedActivity,
  resealedCharter,
  resealedJob,
  resealedObject,
  sealCount,
} from './seals.ts'
import { selfGuardedKey, selfGuardedRevision } from '../memory/self-guarded.ts'
import type { VaultContext } from '../vault-context.ts'

type Means = Pick<VaultContext, 'keyring' | 'memory' | 'world'>

/**
 * Seals the rows of one page anew. A row that this vault has seen in a later state was rolled back and is not resealed,
 * and neither is a row that opens under no version: both are counted and reported. A resealed row keeps its content and
 * its revision (docs/decisions/rotation.md).
 */
export async function reseal(means: Means, request: ResealRequest, work: Work): Promise<Resealed> {
  const { keyring, world } = means
  const before = request.count ?? emptyCount(request.pass, keyring)
  const isOwn = request.count === undefined || isOwnCount(keyring, countParts(before), before.seal)
  if (!isOwn || before.pass !== request.pass || before.to !== keyring.version) return { kind: 'otherPass' }
  const { secrets } = before
  if (secrets?.to !== keyring.serviceVersion('oauth2')) return { kind: 'otherPass' }
  const now = world.now()
  const troubles: string[] = []
  const page = async <Row extends { readonly seal: string }>(
    rows: readonly Row[],
    anew: (row: Row) => string,
  ): Promise<readonly (string | null)[]> => {
    const seals: (string | null)[] = []
    for (const row of rows) {
      await work.step(costs.row * 2 + lengthOf(row) * costs.rowCharacter)
      seals.push(rootVersionOf(row.seal) === keyring.version ? null : sealedAnew(() => anew(row), troubles))
    }
    return seals
  }
  const resealed = {
    charters: await page(request.charters, (row) => {
      const { organizationId, version: revision, seal } = row
      const anew = resealedCharter(keyring, row)
      means.memory.charters.check(organizationId, { revision, seal }, now, (known) =>
        fitsCharter(keyring, row, known),
      )
      return anew
    }),
    activities: await page(request.activities, (row) => {
      const anew = resealedActivity(keyring, row)
      means.memory.records.check(row.activityId, row, now, (known) => fitsActivity(keyring, row, known))
      return anew
    }),
    objects: await page(request.objects, (row) => {
      const anew = resealedObject(keyring, row, world.randomBytes)
      const key = selfGuardedKey(row)
      if (means.memory.rows.knows(key, now)) {
        const state = { revision: selfGuardedRevision(row), seal: row.seal }
        means.memory.rows.check(key, state, now, (known) => fitsObject(keyring, row, known))
      }
      return anew
    }),
    jobs: await page(request.jobs, (row) => resealedJob(keyring, row, world.randomBytes)),
  }
  const renewed = await renewedCharters(means, request.withSecrets, troubles, work)
  const { charters, activities, objects, jobs } = request
  const shown = [
    ...request.seals,
    ...[...charters, ...activities, ...objects, ...jobs].map(({ seal }) => seal),
  ]
  const count = {
    ...before,
    place: request.place,
    rows: before.rows + shown.length + request.unread,
    found: foundWith(before.found, shown, keyring.version),
    unsealed: before.unsealed + request.unread + troubles.length,
    secrets: { ...secrets, left: secrets.left + renewed.length },
  }
  return {
    kind: 'resealed',
    count: { ...count, seal: sealCount(keyring, countParts(count)) },
    ...resealed,
    renewed,
    troubles,
  }
}

function emptyCount(pass: string, keyring: Keyring): PassCount {
  const secrets = { to: keyring.serviceVersion('oauth2'), left: 0 }
  return { pass, to: keyring.version, place: '', rows: 0, found: [], unsealed: 0, secrets, seal: '' }
}

/** Everything but the seal itself. */
export function countParts(count: Omit<PassCount, 'seal'>): Parts {
  const { pass, to, place, rows, found, unsealed, secrets } = count
  return [
    pass,
    to,
    place,
    rows,
    unsealed,
    ...found.flatMap(({ version, rows: under }) => [version, under]),
    // A pass of an earlier version of Claviger did not count them.
    ...(secrets === undefined ? [] : ['client secrets', secrets.to, secrets.left]),
  ]
}

/** A row that does not open, or was rolled back, stays unchanged: its right content is unknown. */
function sealedAnew(anew: () => string, troubles: string[]): string | null {
  try {
    return anew()
  } catch (error) {
    if (!(error instanceof Older) && !(error instanceof Bug)) throw error
    troubles.push(error.message)
    return null
  }
}

function foundWith(before: PassCount['found'], seals: readonly string[], to: number): PassCount['found'] {
  const found = new Map(before.map(({ version, rows }) => [version, rows]))
  for (const seal of seals) {
    const version = rootVersionOf(seal)
    if (version !== undefined && version !== to) found.set(version, (found.get(version) ?? 0) + 1)
  }
  return [...found].map(([version, rows]) => ({ version, rows })).toSorted((a, b) => a.version - b.version)
}

/** About how many characters are read. */
function lengthOf(row: object): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
    0,
  )
}
