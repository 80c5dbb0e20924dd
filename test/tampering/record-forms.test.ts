import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { Tampered } from '../../src/trusted/vault/seals/seals.ts'
import type { JsonAnswer } from '../support/service.ts'
import { aCache, onFile, sentBy, type Service, START } from './harness.ts'
import { type Person, populate, signing } from './populated.ts'
import { putPlain, recordIn } from '../support/stored-record.ts'

// A record is stored with what many records say kept apart, under digests. The database tells the service nothing by it
// that was not sealed.

const cache = aCache()
after(() => cache.clear())
const original = cache.path('original.db')
const people = await onFile(original, async (service, store) => {
  const populated = await populate(service, store)
  for (const by of [populated.root, populated.other])
    for (let n = 0; n < 4; n++) await service.send(signing(service.world, by, ownKey(by, populated), `a${n}`))
  return populated
})
const NOW = START + 60_000

function ownKey(by: Person, { root, keyId, otherKeyId }: Awaited<ReturnType<typeof populate>>): string {
  return by === root ? keyId : otherKeyId
}

const { root, other } = people

test('records of both forms stand beside each other, and are told as if there were one', async () => {
  const told = await onFile(copy(), listed, NOW)
  const ids = named(copy(), root)
  assert.ok(ids.length >= 4, `${ids.length} records name texts`)
  const every = (nth: number) => (db: DatabaseSync) => {
    for (const [at, id] of ids.entries())
      if (at % nth === 0) putPlain(db, recordIn(db, 'activity_id = ?', id))
  }
  for (const nth of [1, 2, 3])
    assert.deepEqual(await onFile(cache.changed(original, every(nth)), listed, NOW), told)
})

test('a text that is changed, exchanged or gone makes its records not open, and no others', async () => {
  const id = present(named(copy(), root)[0], 'a record')
  const plain = recordWithoutTexts(root)
  const own = 'organization_id = ?'
  const changes: readonly ((db: DatabaseSync) => void)[] = [
    (db) => run(db, `UPDATE record_texts SET body = replace(body, 'Root', 'Boss') WHERE ${own}`),
    (db) => run(db, `UPDATE record_texts SET body = body || ' ' WHERE ${own}`),
    (db) => run(db, `DELETE FROM record_texts WHERE ${own}`),
    (db) => {
      const bodies = texts(db, root)
      for (const [at, { digest }] of bodies.entries())
        run(
          db,
          `UPDATE record_texts SET body = ?2 WHERE organization_id = ?1 AND digest = ?3`,
          bodyAt(bodies, at + 1),
          digest,
        )
    },
  ]
  for (const change of changes) {
    const path = cache.changed(original, change)
    await onFile(
      path,
      async (service) => {
        await assertTampered(service, root, id)
        assert.equal((await got(service, root, plain)).status, 200)
        assert.equal((await got(service, other, present(named(path, other)[0], 'a record'))).status, 200)
      },
      NOW,
    )
  }
})

test('a digest leads to no text of another tenant, and a text that is put in its place does not open the record', async () => {
  const id = present(named(copy(), root)[0], 'a record')
  const foreign = texts(undefined, other)
  const mine = digestsOf(id)
  const digests = foreign.map(({ digest }) => digest)
  const pointed = (db: DatabaseSync) => {
    for (const [at, digest] of mine.entries())
      run(
        db,
        `UPDATE activities SET votes = replace(votes, ?2, ?3), evaluations = replace(evaluations, ?2, ?3) WHERE activity_id = ?4
          AND organization_id = ?1`,
        digest,
        digests[at % digests.length] ?? '',
        id,
      )
  }
  const copied = (db: DatabaseSync) => {
    pointed(db)
    for (const { digest, body } of foreign)
      run(db, 'INSERT INTO record_texts (organization_id, digest, body) VALUES (?1, ?2, ?3)', digest, body)
  }
  for (const change of [pointed, copied])
    await onFile(
      cache.changed(original, change),
      async (service) => {
        const { text } = await assertTampered(service, root, id)
        assert.ok(!text.includes(other.userId))
      },
      NOW,
    )
})

test('a text that stands there already under the digest of a new one spoils no record', async () => {
  const spoiled = cache.changed(original, (db) =>
    run(db, "UPDATE record_texts SET body = '{}' WHERE organization_id = ?1"),
  )
  await onFile(
    spoiled,
    async (service) => {
      for (let n = 0; n < 4; n++) {
        const { text } = await service.send(signing(service.world, root, people.keyId, `b${n}`))
        const { activity } = JSON.parse(text) as JsonAnswer
        assert.equal((await got(service, root, activity.id)).status, 200)
      }
    },
    NOW,
  )
  await onFile(
    spoiled,
    async (service) =>
      assert.equal((await got(service, other, present(named(spoiled, other)[0], 'a record'))).status, 200),
    NOW,
  )
})

test('a record that names one text a hundred thousand times is not told, and takes no room', async () => {
  const id = present(named(copy(), root)[0], 'a record')
  const path = cache.changed(original, (db) => {
    const { votes } = db.prepare('SELECT votes FROM activities WHERE activity_id = ?').get(id) ?? {}
    const vote = String(votes).slice(1)
    run(
      db,
      'UPDATE activities SET votes = ?2 WHERE activity_id = ?3 AND organization_id = ?1',
      `1${vote.repeat(100_000)}`,
      id,
    )
  })
  await onFile(path, async (service) => await assertTampered(service, root, id), NOW)
})

function copy(): string {
  return cache.changed(original, () => {})
}

function run(db: DatabaseSync, sql: string, ...values: string[]): void {
  const { changes } = db.prepare(sql).run(root.organizationId, ...values)
  assert.ok(Number(changes) > 0, sql)
}

type Text = { readonly digest: string; readonly body: string }

function texts(db: DatabaseSync | undefined, { organizationId }: Person): readonly Text[] {
  let found: readonly Text[] = []
  const read = (from: DatabaseSync) => {
    found = from
      .prepare('SELECT digest, body FROM record_texts WHERE organization_id = ? ORDER BY digest')
      .all(organizationId)
      .map(({ digest, body }) => ({ digest: String(digest), body: String(body) }))
  }
  if (db === undefined) cache.changed(original, read)
  else read(db)
  assert.ok(found.length > 1, 'texts stand apart')
  return found
}

function bodyAt(bodies: readonly Text[], at: number): string {
  return present(bodies[at % bodies.length], 'a text').body
}

/** Ids of records that name texts. */
function named(path: string, by: Person): readonly string[] {
  return idsWhere(path, by, "votes LIKE '%' || char(31) || '@%' AND evaluations LIKE '%' || char(31) || '@%'")
}

function recordWithoutTexts(by: Person): string {
  const without = "votes NOT LIKE '%' || char(31) || '@%' AND evaluations NOT LIKE '%' || char(31) || '@%'"
  return present(idsWhere(copy(), by, without)[0], 'a record that names no text')
}

function idsWhere(path: string, { organizationId }: Person, condition: string): readonly string[] {
  let ids: readonly string[] = []
  cache.changed(path, (db) => {
    ids = db
      .prepare(
        `SELECT activity_id FROM activities WHERE organization_id = ? AND ${condition} ORDER BY activity_id`,
      )
      .all(organizationId)
      .map((row) => String(row['activity_id']))
  })
  return ids
}

function digestsOf(activityId: string): readonly string[] {
  let found: readonly string[] = []
  cache.changed(original, (db) => {
    const row =
      db.prepare('SELECT votes, evaluations FROM activities WHERE activity_id = ?').get(activityId) ?? {}
    found = [...`${String(row['votes'])}${String(row['evaluations'])}`.matchAll(/@([\w-]{32})/g)].map(
      ([, digest = '']) => digest,
    )
  })
  return found
}

async function listed(service: Service): Promise<readonly string[]> {
  const answers: string[] = []
  for (const by of [root, other]) {
    const body = { organizationId: by.organizationId, paginationOptions: { limit: '100' } }
    const { status, text } = await service.send(sentBy(by.key, 'query/list_activities', body))
    assert.equal(status, 200, text)
    answers.push(text)
  }
  return answers
}

async function got(service: Service, { organizationId, key }: Person, activityId: string) {
  return await service.send(sentBy(key, 'query/get_activity', { organizationId, activityId }))
}

async function assertTampered(service: Service, by: Person, activityId: string) {
  const outcome = await got(service, by, activityId)
  assert.deepEqual([outcome.status, outcome.bug instanceof Tampered], [500, true], outcome.text)
  return outcome
}
