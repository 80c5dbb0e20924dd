import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { apply, type Change, everyChange } from './changes.ts'
import { aCache, onFile, type Service, START } from './harness.ts'
import { type Answered, violations } from './judge.ts'
import { populate } from './populated.ts'
import { BEYOND, type Probe, probesOf } from './probes.ts'

const NOW = START + 60_000

const cache = aCache()
after(() => cache.clear())
const original = cache.path('original.db')
const populated = await onFile(original, populate)
const probes = probesOf(populated, NOW)
const knownIds = new Set(dumped(original).match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))

test('a change to any column of any row is noticed or harmless to a service that starts on it', async () => {
  const untouched = await cold(undefined)
  assertWholeService(untouched)
  const found: string[] = []
  let tried = 0
  for (const change of changes()) {
    const answers = await cold(change)
    if (answers === undefined) continue
    tried += 1
    report(change, violations(answers, untouched ?? [], knownIds), found)
  }
  assert.equal(found.length, 0, found.slice(0, 20).join('\n'))
  assert.ok(tried > 500, `${tried} changes were tried`)
})

test('a change to any column of any charter or sealed row is noticed or harmless while the service runs', async () => {
  const untouched = await warm(undefined)
  assertWholeService(untouched)
  const found: string[] = []
  for (const [at, change] of changes().entries()) {
    const isSealed = /^(charters|objects)\./.test(change.what)
    const isRecord = change.what.startsWith('activities.')
    // The columns of activities meet no cache; of those a part is enough here.
    if (!isSealed && !(isRecord && at % 8 === 0)) continue
    const answers = await warm(change)
    if (answers !== undefined) report(change, violations(answers, untouched ?? [], knownIds), found)
  }
  assert.equal(found.length, 0, found.slice(0, 20).join('\n'))
})

/**
 * The answers of a service that starts on the changed data; none when it does not start, undefined when the change is
 * impossible.
 */
async function cold(change: Change | undefined): Promise<readonly Answered[] | undefined> {
  const path = changed(change)
  if (path === undefined) return undefined
  try {
    return await onFile(path, (service) => asked(service, probes), NOW)
  } catch {
    return []
  } finally {
    cache.drop(path)
  }
}

/** The answers of a service that has done all this on the untouched data, and meets the changed data then. */
async function warm(change: Change | undefined): Promise<readonly Answered[] | undefined> {
  const path = changed(change)
  if (path === undefined) return undefined
  const untouched = cache.changed(original, () => {})
  try {
    return await onFile(untouched, async (service, first) => await met(service, path, first), NOW)
  } finally {
    cache.drop(path)
    cache.drop(untouched)
  }
}

async function met(service: Service, path: string, first: Store): Promise<readonly Answered[]> {
  await asked(service, earlier)
  const store = openSqlite({ path })
  service.useStore(store)
  try {
    return await asked(service, probes)
  } finally {
    service.useStore(first)
    await store.close()
  }
}

/**
 * The first of the probes, which change nothing but leave signatures. They are requests of their own: the data that is
 * met afterwards has no records of them, and the vault would say of the very same bytes that their record is hidden.
 */
const earlier = probesOf(populated, NOW - 30_000).slice(
  0,
  probes.findIndex(({ name }) => name === 'one of two signs'),
)

function changed(change: Change | undefined): string | undefined {
  let isPossible = true
  const path = cache.changed(original, (db) => {
    if (change !== undefined) isPossible = apply(db, change)
  })
  return isPossible ? path : undefined
}

async function asked(service: Service, these: readonly Probe[]): Promise<readonly Answered[]> {
  const answers: Answered[] = []
  for (const probe of these) answers.push({ probe, outcome: await service.send(probe.sent) })
  return answers
}

function changes(): readonly Change[] {
  const db = new DatabaseSync(original, { readOnly: true })
  try {
    return everyChange(db)
  } finally {
    db.close()
  }
}

/** The probes are worth something: what should succeed does, and nothing is a bug. */
function assertWholeService(answers: readonly Answered[] | undefined): void {
  const failed = (answers ?? []).filter(({ outcome }) => outcome.status >= 400).map(({ probe }) => probe.name)
  assert.deepEqual(failed, [
    'key of another',
    'wallet, asked by another',
    'activity, asked by another',
    'refused, again',
    'root signs with the key of another',
    'the other signs with the account',
    'the other signs with the key of the first',
    'a root of the parent signs in the sub-organization',
    'a stranger signs',
    BEYOND,
    'a stranger approves',
    'the other approves',
    'a name that is taken',
  ])
  for (const { probe, outcome } of answers ?? []) assert.notEqual(outcome.status, 500, probe.name)
}

function report(change: Change, found: readonly string[], into: string[]): void {
  const isMeterWithheld = WITHHOLDS_METER.test(change.what)
  for (const item of found)
    if (!isMeterWithheld || !item.startsWith(BEYOND)) into.push(`${change.what}\n  ${item}`)
}

/** Nobody finds it under its name any more. */
const WITHHOLDS_METER = /^objects\.(organization_id|kind|object_id) of \S+ usage_meter /

function dumped(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true })
  try {
    return ['charters', 'activities', 'objects']
      .map((table) => JSON.stringify(db.prepare(`SELECT * FROM ${table}`).all()))
      .join()
  } finally {
    db.close()
  }
}
