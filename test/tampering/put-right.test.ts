import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { engines } from './database.ts'
import type { JsonAnswer } from '../support/service.ts'
import { populate, signing } from './populated.ts'
import { asked } from './put-back.ts'

// Somebody changes a row, and an operator puts it right, while host and vault go on.

for (const [engine, open] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false
  describe(engine, { skip }, () => {
    const setting = async (t: TestContext) => {
      const database = await open()
      t.after(database.close)
      return { ...database, people: await populate(database.service, database.store()) }
    }

    for (const [table, where] of [
      ['objects', "kind = 'private_key'"],
      ['charters', "organization_id <> ''"],
    ] as const)
      test(`${table} that were changed for a while are signed with again as soon as they are right`, async (t) => {
        const { another, rows, people } = await setting(t)
        await rows(`UPDATE ${table} SET body = body || ' ' WHERE ${where}`)
        const service = await another()
        const sign = async (payload: string) => {
          const { status } = await service.send(signing(service.world, people.root, people.keyId, payload))
          return status
        }
        assert.equal(await sign('70'), 500)
        await rows(`UPDATE ${table} SET body = substr(body, 1, length(body) - 1) WHERE ${where}`)
        assert.equal(await sign('71'), 200)
      })

    test('records are shown again as soon as a text that they share is right', async (t) => {
      const { another, rows, people } = await setting(t)
      await rows("UPDATE record_texts SET body = body || ' '")
      const service = await another()
      const list = async () => {
        const { status, text } = await service.send(asked(people.root, 'list_activities'))
        return status === 200 ? (JSON.parse(text) as JsonAnswer).activities.length : status
      }
      assert.equal(await list(), 500)
      await rows('UPDATE record_texts SET body = substr(body, 1, length(body) - 1)')
      assert.equal(await list(), 10)
    })
  })
}
