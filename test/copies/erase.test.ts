import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseOrganization } from '../../src/host/copies/erase-organization.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { present } from '../../src/trusted/base/assert.ts'
import type { ActivityRow } from '../../src/trusted/catalogue/unit.ts'
import { sealActivity } from '../../src/trusted/vault/seals/seals.ts'
import { emptyStores, everyRow, longRecords, problemsIn } from '../support/erasing.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, sentBy, type Service, START } from '../tampering/harness.ts'
import { done, newKey, newUser, type Person, populate, submission } from '../tampering/populated.ts'

const MINUTE_MS = 60_000

/** What nobody but this customer is called. */
const NAMES = ['Grace Hopper', 'grace@example.com', 'Flow-Matic', 'Grace laptop', 'Navy purse']

for (const [engine, open] of Object.entries(emptyStores))
  test(`${engine}: nothing that people said in a deleted organization is left, and every record still verifies`, async () => {
    const { store: opened, texts: allTexts } = await open()
    const texts = async (id: string) =>
      (await allTexts()).filter(({ organizationId }) => organizationId === id).length
    await withCustomer(
      async () => opened,
      async ({ store, service, root, customer, remove }) => {
        const { organizationId } = customer
        await remove()
        service.world.advance(65 * MINUTE_MS)
        const before = await store.activities(organizationId, {}, { limit: 100 })
        const others = await rowsBut(store, organizationId)
        assert.ok((await saidIn(store)).length > 0)
        assert.ok((await texts(organizationId)) > 0)

        const { activities, founding } = await erased(store, service, organizationId)

        assert.equal(activities, before.length)
        assert.equal(founding, true)
        assert.deepEqual(await saidIn(store), [])
        assert.equal(await texts(organizationId), 0)
        assert.deepEqual(await problemsIn(store, service.vault), [])
        const kept = await store.activities(organizationId, {}, { limit: 100 })
        const lasting = (row: (typeof kept)[number]) => [
          row.activityId,
          row.fingerprint,
          row.type,
          row.status,
          row.timestampMs,
          row.createdAt,
          row.updatedAt,
        ]
        assert.deepEqual(kept.map(lasting), before.map(lasting))
        const digests = kept.flatMap(({ evaluations }) =>
          Object.values(JSON.parse(evaluations)[0].erased.digests),
        )
        assert.equal(
          new Set(digests).size,
          digests.length,
          'the same text has another digest in another record',
        )
        assert.deepEqual((await rowsBut(store, organizationId)).length, others.length)
        const made = await madeBy(store, root, organizationId)
        const asked = { organizationId: root.organizationId, activityId: made.activityId }
        const view = await service.send(sentBy(root.key, 'query/get_activity', asked))
        assert.equal(view.status, 200, view.text)
        const { activity } = JSON.parse(view.text)
        assert.deepEqual(activity.intent, {})
        assert.equal(activity.votes[0].user.userName, 'Root', 'who asked for it stays')

        const again = await erased(store, service, organizationId)
        assert.deepEqual(again, { activities: 0, founding: false, rest: 0 })
      },
    )
  })

test('an organization that lives, or was deleted just now, is not erased', async () => {
  await withCustomer(sqlite, async ({ store, service, root, customer, remove }) => {
    const before = await everyRow(store)
    for (const { organizationId } of [root, customer])
      await assert.rejects(erased(store, service, organizationId), /is not deleted/)
    await assert.rejects(erased(store, service, 'none'), /there is no organization none/)
    assert.deepEqual(await everyRow(store), before)

    const deletion = await remove()
    service.world.advance(64 * MINUTE_MS)
    await assert.rejects(erased(store, service, customer.organizationId), /deleted just now/)
    service.world.advance(-5 * MINUTE_MS)
    const repeated = await service.send(deletion)
    assert.equal(repeated.status, 200, 'the request that deleted it is still answered')
  })
})

test('a host has nothing erased of a living organization by the charter of a deleted one', async () => {
  await withCustomer(sqlite, async ({ store, service, root, customer, remove }) => {
    const { vault } = service
    const living = present(await store.charter(customer.organizationId), 'the charter before')
    await remove()
    service.world.advance(65 * MINUTE_MS)
    const charter = present(await store.charter(customer.organizationId), 'the charter')
    const own = await store.activities(root.organizationId, {}, { limit: 100 })
    const founding = await madeBy(store, root, customer.organizationId)
    assert.ok(own.length > 5)

    const asked = await vault.erase({ charter, activities: own })
    assert.ok(asked.kind === 'erased')
    assert.ok(
      asked.activities.every((row) => row === null),
      'records of another organization',
    )
    for (const row of own.filter(({ activityId }) => activityId !== founding.activityId)) {
      const other = await vault.erase({ charter, activities: [], founding: row })
      assert.ok(other.kind === 'erased' && other.founding === null, row.type)
    }
    const theirs = await store.charter(root.organizationId)
    assert.deepEqual(await vault.erase({ charter: present(theirs, 'theirs'), activities: own }), {
      kind: 'living',
    })
    const forged = { ...present(theirs, 'theirs'), body: charter.body, seal: charter.seal }
    await assert.rejects(vault.erase({ charter: forged, activities: own }), /does not carry the vault's seal/)
    await assert.rejects(vault.erase({ charter: living, activities: [] }), /older than the vault has seen it/)

    const [row] = await store.activities(customer.organizationId, {}, { limit: 1 })
    const changed = { ...present(row, 'a record'), intent: '{"a":1}' }
    await assert.rejects(vault.erase({ charter, activities: [changed] }), /does not carry the vault's seal/)
    const other = { ...founding, votes: founding.votes.replaceAll(NAMES[0] ?? '', 'Somebody else') }
    await assert.rejects(
      vault.erase({ charter, activities: [], founding: other }),
      /does not carry the vault's seal/,
    )
  })
})

test('only a completed record of the parent that created the organization is erased with it', async () => {
  await withCustomer(sqlite, async ({ store, service, root, customer, remove }) => {
    await remove()
    service.world.advance(65 * MINUTE_MS)
    const charter = present(await store.charter(customer.organizationId), 'the charter')
    const { seal: _, ...founding } = await madeBy(store, root, customer.organizationId)
    const changes: readonly Partial<ActivityRow>[] = [
      { organizationId: customer.organizationId },
      { status: 'ACTIVITY_STATUS_FAILED' },
      { type: 'ACTIVITY_TYPE_CREATE_USERS_V3' },
      { result: null },
    ]
    for (const change of changes) {
      const sealed = sealActivity(service.keyring, { ...founding, ...change })
      const asked = await service.vault.erase({ charter, activities: [], founding: sealed })
      assert.ok(asked.kind === 'erased' && asked.founding === null, JSON.stringify(change))
    }
  })
})

test('a record that has been rejected since is not erased as it waited', async () => {
  await withCustomer(sqlite, async ({ store, service, customer, remove }) => {
    const { organizationId } = customer
    const user = await newUser(service, customer, 'Ada')
    await done(service, customer, 'CREATE_POLICY_V3', {
      policyName: 'Two tag',
      effect: 'EFFECT_ALLOW',
      condition: "activity.kind == 'CREATE_USER_TAG'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    })
    const tag = { userTagName: 'Tag', userIds: [] }
    const { text } = await service.send(submission(service.world, user, 'CREATE_USER_TAG', tag))
    const { id, fingerprint } = JSON.parse(text).activity
    const waiting = present(await store.activity(organizationId, id), 'what waits')
    await service.send(submission(service.world, customer, 'REJECT_ACTIVITY', { fingerprint }))
    await remove()
    service.world.advance(65 * MINUTE_MS)
    const charter = present(await store.charter(organizationId), 'the charter')
    await assert.rejects(
      service.vault.erase({ charter, activities: [waiting] }),
      /older than the vault has seen it/,
    )
  })
})

test('others are answered between the long records that are erased', async () => {
  let turns = 0
  await withCustomer(
    sqlite,
    async ({ store, service, customer, remove }) => {
      await remove()
      service.world.advance(65 * MINUTE_MS)
      const charter = present(await store.charter(customer.organizationId), 'the charter')
      const [row] = await store.activities(customer.organizationId, {}, { limit: 1 })
      const activities = longRecords(service.keyring, present(row, 'a record'))
      turns = 0
      await service.vault.erase({ charter, activities })
      assert.ok(turns >= activities.length - 1, `${turns} turns`)
    },
    async () => void turns++,
  )
})

test('a record that was erased does not come back', async () => {
  await withCustomer(sqlite, async ({ store, service, customer, remove }) => {
    const { organizationId } = customer
    await remove()
    service.world.advance(65 * MINUTE_MS)
    const before = present(await store.charter(organizationId), 'the charter')
    await erased(store, service, organizationId)
    const now = present(await store.charter(organizationId), 'the charter')
    await service.vault.check({ charters: [now], activities: [], objects: [] })
    await assert.rejects(
      service.vault.erase({ charter: before, activities: [] }),
      /older than the vault has seen it/,
    )
  })
})

test('an erasure that is killed at any step is gone on with by the next', async () => {
  await withCustomer(sqlite, async ({ store, service, customer, remove }) => {
    await remove()
    service.world.advance(65 * MINUTE_MS)
    const killed = new Error('killed')
    let runs = 0
    for (let last = 1, isDone = false; !isDone; last++, runs++) {
      let at = 0
      isDone = await erased(store, service, customer.organizationId, async () => {
        if (++at === last) throw killed
      }).then(
        () => true,
        (error) => {
          assert.equal(error, killed)
          return false
        },
      )
    }
    assert.ok(runs > 2)
    assert.deepEqual(await saidIn(store), [])
    assert.deepEqual(await problemsIn(store, service.vault), [])
  })
})

test('what waits to be delivered is waited for', async () => {
  await withCustomer(sqlite, async ({ store, service, customer, remove }) => {
    await remove()
    service.world.advance(65 * MINUTE_MS)
    const { organizationId } = customer
    const told = { scope: organizationId, target: 'x', organizationId, activityId: 'a', revision: 1 }
    await store.addWebhooks([told], START)
    await assert.rejects(erased(store, service, organizationId), /1 deliveries about .* wait/)
    const [job] = await store.takeJobs({ now: START, leaseMs: 1, limit: 1 })
    await store.deadLetterJob(present(job, 'the job').sequence, { failure: 'no' })
    await erased(store, service, organizationId)
    assert.deepEqual(await store.deadLetters({ limit: 10 }), [])
  })
})

type Customer = {
  readonly store: Store
  readonly service: Service
  readonly root: Person
  /** Root of a sub-organization that has done a few things. */
  readonly customer: Person
  /** Deletes it; the request for it. */
  readonly remove: () => Promise<ReturnType<typeof submission>>
}

const sqlite = async (): Promise<Store> => openSqlite({ path: ':memory:' })

async function withCustomer(
  open: () => Promise<Store>,
  body: (customer: Customer) => Promise<void>,
  turn: () => Promise<void> = async () => {},
): Promise<void> {
  const store = await open()
  try {
    const service = await openServiceOn(store, testWorld(1, START), (vault) => vault, turn)
    const { root } = await populate(service, store)
    const key = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
    const apiKeys = [{ apiKeyName: NAMES[3], publicKey: key.publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const { subOrganizationId, rootUserIds } = await done(service, root, 'CREATE_SUB_ORGANIZATION_V7', {
      subOrganizationName: NAMES[2],
      rootQuorumThreshold: 1,
      rootUsers: [
        { userName: NAMES[0], userEmail: NAMES[1], apiKeys, authenticators: [], oauthProviders: [] },
      ],
    })
    const customer = { organizationId: subOrganizationId, userId: rootUserIds[0], key }
    await newKey(service, customer, 'Navy purse')
    await newKey(service, customer, 'Navy purse 2')
    await body({
      store,
      service,
      root,
      customer,
      remove: async () => {
        const deletion = submission(service.world, customer, 'DELETE_SUB_ORGANIZATION', {
          deleteWithoutExport: true,
        })
        const { status, text } = await service.send(deletion)
        assert.equal(status, 200, text)
        return deletion
      },
    })
  } finally {
    await store.close()
  }
}

async function erased(
  store: Store,
  { vault }: Service,
  organizationId: string,
  paused: () => Promise<void> = async () => {},
) {
  return await eraseOrganization({ store, vault, paused }, organizationId)
}

/** The rows that say one of the names. */
async function saidIn(store: Store): Promise<readonly string[]> {
  return (await everyRow(store)).filter((row) => NAMES.some((name) => row.includes(name)))
}

async function rowsBut(store: Store, organizationId: string): Promise<readonly string[]> {
  return (await everyRow(store)).filter((row) => !row.includes(organizationId))
}

async function madeBy(store: Store, { organizationId }: Person, subOrganizationId: string) {
  const rows = await store.activities(organizationId, {}, { limit: 100 })
  return present(
    rows.find(({ result }) => result?.includes(subOrganizationId)),
    'the record of its making',
  )
}
