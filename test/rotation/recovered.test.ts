import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { noteRecovery, recoveryNoted, renewRecoveries } from '../../src/host/rotation/recovery-notes.ts'
import { tellRecovered } from '../../src/host/rotation/tell-recovered.ts'
import type { Store } from '../../src/host/store/store.ts'
import { recoveryText } from '../../src/trusted/vault/recovery/recovery-events.ts'
import { postgresAvailable, postgresMissing } from '../support/postgres.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { type Database, engines } from '../tampering/database.ts'
import { done, populate } from '../tampering/populated.ts'

const SET = `02${'ab'.repeat(32)}`
const MINUTE_MS = 60_000

for (const [engine, open] of Object.entries(engines)) {
  const skip = engine === 'postgres' && !postgresAvailable() ? postgresMissing : false
  describe(engine, { skip }, () => {
    const setting = async (t: TestContext) => {
      const database = await open()
      t.after(database.close)
      const { root } = await populate(database.service, database.store())
      const { vault, world } = database.service
      const { publicKey } = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
      await done(database.service, root, 'CREATE_SUB_ORGANIZATION_V7', {
        subOrganizationName: 'With an address',
        rootQuorumThreshold: 1,
        rootUsers: [
          {
            userName: 'Mara',
            userEmail: 'mara@example.com',
            apiKeys: [{ apiKeyName: 'key', publicKey, curveType: 'API_KEY_CURVE_P256' }],
            authenticators: [],
            oauthProviders: [],
          },
        ],
      })
      const used = async (at = world.now()) => {
        const challenge = recoveryText({ what: 'used', set: SET, at })
        await noteRecovery(database.store(), { challenge, proof: await vault.proveRoot(challenge) })
      }
      const tell = (by: string, store = database.store()) =>
        tellRecovered({ store, vault, now: world.now, by, onUnread: (id) => unread.push(id) })
      const unread: string[] = []
      return { database, root, world, vault, used, tell, unread }
    }

    test('every root user with an address is told of a recovery once, whichever host comes first', async (t) => {
      const { database, world, used, tell } = await setting(t)
      assert.equal(await tell('a'), undefined)
      await used()
      assert.equal(await tell('a'), 1)
      assert.equal(await tell('a'), undefined)
      assert.equal(await tell('b'), undefined)
      assert.deepEqual(await mails(database), [['mara@example.com', world.now()]])
      world.advance(1)
      await used()
      assert.equal(await tell('b'), 1)
    })

    test('a charter that was changed in the database keeps no other root user from being told', async (t) => {
      const { database, root, used, tell, unread } = await setting(t)
      await database.rows(
        'UPDATE charters SET body = $1 WHERE organization_id = $2',
        '{"users":[]}',
        root.organizationId,
      )
      await used()
      assert.equal(await tell('a'), 1)
      assert.deepEqual(unread, [root.organizationId])
      assert.equal(await tell('a'), undefined)
    })

    test('a host that was killed in the middle is followed by another, and nobody is left out', async (t) => {
      const { database, world, used, tell } = await setting(t)
      await used()
      const killed: Store = {
        ...database.store(),
        commit: async () => {
          throw new Error('killed')
        },
      }
      await assert.rejects(tell('a', killed), /killed/)
      // It may still be at it.
      assert.equal(await tell('b'), undefined)
      world.advance(MINUTE_MS + 1)
      assert.equal(await tell('b'), 1)
    })

    test('a recovery that the root key has not proven is told to nobody, and does not keep a version from retiring', async (t) => {
      const { database, world, vault, tell } = await setting(t)
      const store = database.store()
      const challenge = recoveryText({ what: 'used', set: SET, at: world.now() })
      const other = await vault.proveRoot(`${challenge} `)
      await noteRecovery(store, { challenge, proof: other })
      await noteRecovery(store, { challenge: 'anything', proof: await vault.proveRoot('anything') })
      assert.equal(await tell('a'), undefined)
      assert.deepEqual(await recoveryNoted(store, vault), { sets: [], foreign: 2 })
      const [charter] = (await store.scan('charters', { limit: 1 })).rows
      assert.ok(charter)
      for (const proof of [other, '', await vault.proveRoot('anything')])
        await assert.rejects(
          vault.announceRecovery({ charters: [charter], challenge, proof }),
          /a recovery that is announced was proven by this root key/,
        )
      const rehearsed = recoveryText({ what: 'rehearsed', set: SET, at: 7, shares: [1, 16] })
      const proof = await vault.proveRoot(rehearsed)
      await noteRecovery(store, { challenge: rehearsed, proof })
      // A rehearsal is told to nobody either.
      assert.equal(await tell('a'), undefined)
      await assert.rejects(vault.announceRecovery({ charters: [charter], challenge: rehearsed, proof }))
      assert.equal(await renewRecoveries(store, vault), true)
      assert.deepEqual(await recoveryNoted(store, vault), {
        sets: [{ set: SET, rehearsedAt: 7, usedAt: null }],
        foreign: 0,
      })
    })

    test('a note in which somebody has written what is no note is passed over', async (t) => {
      const { database, used, tell } = await setting(t)
      await used()
      const store = database.store()
      await store.replaceNote('recovery-told', null, '{"of":1}')
      assert.equal(await tell('a'), 1)
      for (let line = 0; line < 120; line++) await noteRecovery(store, { challenge: `${line}`, proof: '' })
      assert.equal((await store.note('recovery'))?.split('\n').length, 101)
    })
  })
}

async function mails({ service, store }: Database): Promise<readonly (readonly unknown[])[]> {
  const jobs = await store().takeJobs({ now: service.world.now() + 1, leaseMs: 1, limit: 100 })
  const opened = await Promise.all(
    jobs.flatMap((job) => (job.kind === 'webhook' ? [] : [service.vault.openJob(job.row)])),
  )
  return opened.flatMap((mail) =>
    mail.channel === 'email' && mail.about === 'recovered' ? [[mail.to, mail.recoveredAt]] : [],
  )
}
