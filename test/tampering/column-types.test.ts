import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { openPostgres } from '../../src/host/store/postgres/postgres.ts'
import type { CharterRow } from '../../src/trusted/catalogue/unit.ts'
import { freshDatabase, postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, START } from './harness.ts'
import { done, established, newKey, newUser, signing } from './populated.ts'

const skip = postgresAvailable() ? false : postgresMissing

// Versions 9 and 10 in the order of texts are the other way round.
const OLD_VERSION = 9

for (const type of ['numeric', 'text', 'double precision', 'money'] as const)
  test(`after the type of the version column was changed to ${type}, a deleted user still cannot sign`, {
    skip,
  }, async () => {
    const url = await freshDatabase()
    const store = await openPostgres({ url })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const service = await openServiceOn(store, testWorld(1, START))
      const root = await established(service, store, 'First')
      const leaver = await newUser(service, root, 'Leaver')
      const { privateKeyId } = await newKey(service, root, 'Treasury')
      await done(service, root, 'CREATE_POLICY_V3', {
        policyName: 'Anybody signs',
        effect: 'EFFECT_ALLOW',
        condition: "activity.action == 'SIGN'",
        notes: '',
      })
      const read = async () =>
        (await client.query('SELECT version::text::int AS version, body, seal FROM charters')).rows[0]
      while ((await read()).version < OLD_VERSION)
        await done(service, root, 'CREATE_USER_TAG', {
          userTagName: `tag ${(await read()).version}`,
          userIds: [],
        })
      const old = await read()
      await done(service, root, 'DELETE_USERS', { userIds: [leaver.userId] })

      await client.query(`ALTER TABLE charters ALTER COLUMN version TYPE ${type} USING version::${type}`)
      await assert.rejects(openPostgres({ url }), { name: 'StoreError', kind: 'foreign' })
      // A store that has not noticed, with a statement that was prepared for no other type, and a new vault.
      const unaware = async (): Promise<CharterRow> =>
        (await client.query('SELECT organization_id AS "organizationId", version, body, seal FROM charters'))
          .rows[0]
      const later = await openServiceOn({ ...store, charter: unaware }, service.world)
      await later.send(signing(service.world, root, privateKeyId, '01'))
      await client.query(`UPDATE charters SET version = ${OLD_VERSION}::${type}, body = $1, seal = $2`, [
        old.body,
        old.seal,
      ])
      const { status } = await later.send(signing(service.world, leaver, privateKeyId, '02'))
      assert.ok(status === 500 || status === 401, String(status))
    } finally {
      await client.end()
      await store.close()
    }
  })
