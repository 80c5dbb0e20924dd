import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256 } from '@noble/curves/nist.js'
import { eraseOrganization } from '../../src/host/copies/erase-organization.ts'
import { eraseUser } from '../../src/host/copies/erase-user.ts'
import { activityEvent } from '../../src/host/delivery/audit/audit-event.ts'
import { orderResealing } from '../../src/host/rotation/resealing-note.ts'
import { resealStep } from '../../src/host/rotation/reseal-step.ts'
import { proveRootKey } from '../../src/host/rotation/root-proof.ts'
import { redeliver } from '../../src/host/delivery/redelivery.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import { StoreError } from '../../src/host/store/store-error.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { EraseUserRequest } from '../../src/protocol/vault.ts'
import { present } from '../../src/trusted/base/assert.ts'
import { Secret } from '../../src/trusted/base/secret.ts'
import type { ActivityRow, CharterRow, Unit } from '../../src/trusted/catalogue/unit.ts'
import { serviceKeysIn } from '../../src/trusted/vault/keys/keyring.ts'
import { emptyStores, everyRow, longRecords, problemsIn, type StoreWithTexts } from '../support/erasing.ts'
import { type StampKey, stampKeyFrom } from '../support/stamper.ts'
import { type JsonAnswer, testWorld } from '../support/service.ts'
import { openServiceOn, sentBy, type Service, START } from '../tampering/harness.ts'
import { done, newUser, type Person, populate, signing, submission } from '../tampering/populated.ts'

const MINUTE_MS = 60_000

/** What nobody but this user is called. */
const NAMES = [
  'Grace Hopper',
  'Grace M. Hopper',
  'grace@example.com',
  'hopper@example.org',
  '+15557654321',
  'Grace laptop',
  'Grace phone',
]

for (const [engine, open] of Object.entries(emptyStores))
  test(`${engine}: nothing that records say of a deleted user is left, and every record still verifies`, async () => {
    await withGrace(open, async ({ store, texts, service, root, grace, remove }) => {
      await remove()
      service.world.advance(66 * MINUTE_MS)
      const before = await store.activities(root.organizationId, {}, { limit: 200 })
      assert.ok((await saidIn(store)).length > 5)
      assert.ok(
        (await texts()).some(({ body }) => body.includes('Grace')),
        'records have a snapshot in common',
      )

      const { activities, live } = await erased(store, service, grace)

      assert.ok(activities > 5)
      assert.deepEqual(live, [])
      assert.deepEqual(await saidIn(store), [])
      assert.deepEqual(
        (await texts()).filter(({ body }) => NAMES.some((name) => body.includes(name))),
        [],
      )
      assert.deepEqual(await problemsIn(store, service.vault), [])
      const after = await store.activities(root.organizationId, {}, { limit: 200 })
      const lasting = (row: (typeof after)[number]) => [
        row.activityId,
        row.fingerprint,
        row.type,
        row.status,
        row.timestampMs,
        row.createdAt,
        row.updatedAt,
        JSON.parse(row.votes).map((vote: { userId: string; publicKey: string; signature: string }) => [
          vote.userId,
          vote.publicKey,
          vote.signature,
        ]),
      ]
      assert.deepEqual(after.map(lasting), before.map(lasting))
      const made = present(
        after.find(({ type, votes }) => type.endsWith('UPDATE_USER_NAME') && votes.includes('"message":""')),
        'an update without its bytes',
      )
      const { publicKey, signature } = JSON.parse(made.votes)[0]
      const digest = Buffer.from(made.fingerprint.slice('sha256:'.length), 'hex')
      assert.ok(
        p256.verify(Buffer.from(signature, 'hex'), digest, Buffer.from(publicKey, 'hex'), {
          prehash: false,
          format: 'der',
          lowS: false,
        }),
        'the fingerprint and the signature prove which key asked',
      )
      const again = await erased(store, service, grace)
      assert.deepEqual([again.activities, again.snapshots], [0, 0])
    })
  })

for (const [engine, open] of Object.entries(emptyStores))
  test(`${engine}: who asks for something to the address of a deleted user again and again keeps none of that user's snapshots`, async () => {
    await withGrace(open, async ({ store, texts, service, root, grace, remove }) => {
      await remove()
      service.world.advance(66 * MINUTE_MS)
      await done(service, root, 'CREATE_INVITATIONS', {
        invitations: [invitationTo('grace@example.com', root)],
      })
      for (const job of await store.takeJobs({ now: service.world.now(), leaseMs: 1, limit: 10 }))
        await store.finishJob(job.sequence)

      const { live, snapshots } = await erased(store, service, grace)

      assert.equal(live.length, 1)
      assert.ok(snapshots > 0)
      const left = (await texts()).filter(({ body }) => NAMES.some((name) => body.includes(name)))
      assert.deepEqual(left, [])
      assert.deepEqual(await problemsIn(store, service.vault), [])

      service.world.advance(66 * MINUTE_MS)
      const again = await erased(store, service, grace)
      assert.deepEqual(
        [again.activities, again.live],
        [2, []],
        'the invitation, and the record of the address',
      )
      assert.deepEqual(
        (await saidIn(store)).filter((row) => row.startsWith('activities')),
        [],
      )
    })
  })

test('a user who is there, who never was, or who was deleted just now is not erased', async () => {
  await withGrace(sqlite, async ({ store, service, root, other, grace, remove }) => {
    const before = await everyRow(store)
    const never = '01a1fb67-0000-7000-8000-000000000001'
    for (const [organizationId, userId, problem] of [
      [grace.organizationId, grace.userId, /is a user of organization/],
      [grace.organizationId, never, /no activity in the data says that user .* was deleted/],
      [other.organizationId, grace.userId, /no activity in the data says that user .* was deleted/],
      [never, grace.userId, /there is no organization/],
    ] as const)
      await assert.rejects(erased(store, service, { ...grace, organizationId, userId }), problem)
    await remove()
    service.world.advance(64 * MINUTE_MS)
    await assert.rejects(erased(store, service, grace), /was deleted just now/)
    await assert.rejects(
      erased(store, service, { ...grace, organizationId: other.organizationId }),
      /no activity in the data says/,
    )
    assert.deepEqual(
      (await everyRow(store)).filter((row) => before.includes(row)).length,
      before.length - 1,
      'the charter alone is another one',
    )
    const { text } = await service.send(
      sentBy(root.key, 'query/list_users', { organizationId: root.organizationId }),
    )
    assert.ok(!text.includes('Grace'))
  })
})

test('while something waits that names the user nothing is erased', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, ada, remove }) => {
    await done(service, root, 'CREATE_POLICY_V3', {
      policyName: 'Two change users',
      effect: 'EFFECT_ALLOW',
      condition: "activity.kind == 'UPDATE_USER_NAME'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    })
    const change = { userId: grace.userId, userName: NAMES[1] }
    const { text } = await service.send(submission(service.world, ada, 'UPDATE_USER_NAME', change))
    const { id, status, fingerprint } = JSON.parse(text).activity
    assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    await remove()
    service.world.advance(66 * MINUTE_MS)
    const before = await everyRow(store)
    const waits = new RegExp(`1 activities that name the user wait for votes: .* ${id}`)
    await assert.rejects(erased(store, service, grace), waits)
    assert.deepEqual(await everyRow(store), before)
    const waiting = present(await store.activity(root.organizationId, id), 'what waits')
    const answer = await asked(store, service, grace, [waiting])
    assert.deepEqual(answer, { kind: 'erased', activities: [null] }, 'the vault leaves it as it is')

    const rejection = await service.send(submission(service.world, root, 'REJECT_ACTIVITY', { fingerprint }))
    assert.equal(JSON.parse(rejection.text).activity.status, 'ACTIVITY_STATUS_REJECTED')
    await erased(store, service, grace)
    assert.deepEqual(await saidIn(store), [])
    const older = { charters: [], activities: [waiting], objects: [] }
    assert.equal((await service.vault.check(older)).kind, 'outdated', 'what waited does not come back')
    await assert.rejects(asked(store, service, grace, [waiting]), /older than the vault has seen it/)
  })
})

test('what waits in a deleted organization is named with it, and is gone when that is erased', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, remove }) => {
    const sub = await subUser(service, root, 'Her own', 'owner@example.com')
    await done(service, root, 'CREATE_POLICY_V3', {
      policyName: 'Two send codes',
      effect: 'EFFECT_ALLOW',
      condition: "activity.kind == 'INIT_OTP_AUTH'",
      consensus: 'approvers.count() >= 2',
      notes: '',
    })
    const code = { otpType: 'OTP_TYPE_EMAIL', contact: 'owner@example.com', appName: 'App' }
    const asker = { ...grace, organizationId: sub.organizationId }
    const { text } = await service.send(submission(service.world, asker, 'INIT_OTP_AUTH_V3', code))
    const { id, status } = JSON.parse(text).activity
    assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
    await done(service, sub, 'DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
    await remove()
    service.world.advance(66 * MINUTE_MS)

    const advice = new RegExp(`${id}.* claviger organization erase ${sub.organizationId}`)
    await assert.rejects(erased(store, service, grace), advice)
    await eraseOrganization({ store, vault: service.vault, paused: async () => {} }, sub.organizationId)
    await erased(store, service, grace)

    assert.deepEqual(await saidIn(store), [])
    assert.deepEqual(await problemsIn(store, service.vault), [])
  })
})

test('a user can be erased from the moment on at which their last requests are dead, and a record likewise', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, remove }) => {
    const { world } = service
    await remove()
    world.advance(65 * MINUTE_MS - 1)
    const { updatedAt } = (await proofFor(store, grace)).deletion
    assert.deepEqual(await asked(store, service, grace, []), {
      kind: 'live',
      until: updatedAt + 65 * MINUTE_MS,
    })
    world.advance(updatedAt + 65 * MINUTE_MS - world.now())
    assert.equal((await asked(store, service, grace, [])).kind, 'erased')

    const sayings = await store.activities(root.organizationId, {}, { limit: 200 })
    await done(service, root, 'CREATE_INVITATIONS', {
      invitations: [invitationTo('grace@example.com', root)],
    })
    const [invitation] = await store.activities(root.organizationId, {}, { limit: 1 })
    const row = present(invitation, 'the invitation')
    const isErased = async () => {
      const answer = await asked(store, service, grace, [row], { sayings })
      return answer.kind === 'erased' && answer.activities[0] !== null
    }
    world.advance(row.timestampMs + 60 * MINUTE_MS - 1 - world.now())
    assert.equal(await isErased(), false)
    world.advance(1)
    assert.equal(await isErased(), true)
  })
})

test('records are read a few at a time for an erasure, because each may have megabytes', async () => {
  await withGrace(sqlite, async ({ store, service, grace, remove }) => {
    await remove()
    service.world.advance(66 * MINUTE_MS)
    const limits: number[] = []
    const activities: Store['activities'] = (organizationId, filter, page) => {
      limits.push(page.limit)
      return store.activities(organizationId, filter, page)
    }
    await erased({ ...store, activities }, service, grace)
    assert.ok(limits.length > 1, 'the deletion, and what was asked to the address of the user')
    assert.ok(Math.max(...limits) <= 20, `${Math.max(...limits)} at once`)
  })
})

test('others are answered between the long records of which a user is erased', async () => {
  let turns = 0
  await withGrace(
    sqlite,
    async ({ store, service, grace, remove }) => {
      await remove()
      service.world.advance(66 * MINUTE_MS)
      const { deletion } = await proofFor(store, grace)
      const long = longRecords(service.keyring, deletion)
      for (const request of [{ activities: long }, { sayings: long }]) {
        turns = 0
        await asked(store, service, grace, [], request)
        assert.ok(turns >= long.length - 1, `${turns} turns for ${Object.keys(request)[0]}`)
      }
    },
    async () => void turns++,
  )
})

test('what waits for a proof of the user alone is rejected by a root user, and then erased', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, remove }) => {
    await done(service, root, 'CREATE_MFA_POLICY', {
      userId: grace.userId,
      mfaPolicyName: 'Grace proves more',
      condition: 'true',
      requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_PASSKEY' }] }],
      order: 0,
    })
    const { publicKey } = newStampKey(service)
    const apiKeys = [{ apiKeyName: 'Grace phone', publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const asks = submission(service.world, grace, 'CREATE_API_KEYS_V2', { apiKeys, userId: grace.userId })
    const { status, fingerprint } = JSON.parse((await service.send(asks)).text).activity
    assert.equal(status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED')
    await remove()
    service.world.advance(66 * MINUTE_MS)
    await assert.rejects(erased(store, service, grace), /1 activities that name the user wait/)
    const rejection = await service.send(submission(service.world, root, 'REJECT_ACTIVITY', { fingerprint }))
    assert.equal(JSON.parse(rejection.text).activity?.status, 'ACTIVITY_STATUS_REJECTED', rejection.text)
    await erased(store, service, grace)
    assert.deepEqual(await saidIn(store), [])
  })
})

test('the digests of a user who was erased stay when their organization is erased, too', async () => {
  await withGrace(sqlite, async ({ store, service, root }) => {
    const her = await subUser(service, root, 'Her own', 'own@example.org')
    const { organizationId } = her
    const guest = await newUser(service, her, NAMES[0] ?? '')
    await done(service, her, 'DELETE_USERS', { userIds: [guest.userId] })
    service.world.advance(66 * MINUTE_MS)
    await erased(store, service, guest)
    const types = ['ACTIVITY_TYPE_CREATE_USERS_V3']
    const digests = async () => {
      const [row] = await store.activities(organizationId, { types }, { limit: 1 })
      return JSON.parse(present(row, 'her making').evaluations)[0].erasedOf
    }
    const before = await digests()
    assert.equal(before[0].userId, guest.userId)
    assert.deepEqual(Object.keys(before[0].digests), ['intent/users/0', 'votes/0/message'])
    await done(service, her, 'DELETE_SUB_ORGANIZATION', { deleteWithoutExport: true })
    service.world.advance(66 * MINUTE_MS)
    await eraseOrganization({ store, vault: service.vault, paused: async () => {} }, organizationId)
    assert.deepEqual(await digests(), before)
    assert.deepEqual(await problemsIn(store, service.vault), [])
  })
})

test('a host has nothing erased but what is about a user who was deleted', async () => {
  await withGrace(sqlite, async ({ store, service, root, other, grace, mary, remove }) => {
    const { vault } = service
    const { organizationId } = root
    const tag = { userTagName: 'Hoppers', userIds: [grace.userId, mary.userId] }
    await done(service, root, 'CREATE_USER_TAG', tag)
    const early = present(await store.charter(organizationId), 'the charter with her')
    await remove()
    service.world.advance(66 * MINUTE_MS)
    const rows = await store.activities(organizationId, {}, { limit: 200 })
    const by = await proofFor(store, grace)
    const others = rows.filter(({ intent, votes }) => !`${intent}${votes}`.includes(grace.userId))
    const answer = await vault.eraseUser({ ...by, sayings: rows, shared: [], activities: rows })
    assert.ok(answer.kind === 'erased')
    for (const [at, row] of rows.entries()) {
      const changed: ActivityRow | null | undefined = answer.activities[at]
      if (changed === null || changed === undefined) continue
      assert.ok(
        !others.includes(row) || row.type.includes('CREATE_USERS'),
        `${row.type} is about her: ${row.intent}`,
      )
      const votes: JsonAnswer[] = JSON.parse(changed.votes)
      for (const vote of votes) {
        const before: JsonAnswer = JSON.parse(row.votes).find(({ id }: JsonAnswer) => id === vote.id)
        const { user, message } = vote.userId === grace.userId ? before : vote
        assert.deepEqual({ ...before, user, message }, { ...vote, user, message: vote.message || message })
      }
    }
    const makings = answer.activities.filter((row) => row?.intent.includes('mary@example.com'))
    assert.equal(makings.length, 1, 'who was made with her is called as before')
    for (const type of ['CREATE_USER_TAG', 'DELETE_USERS', 'CREATE_POLICY_V3', 'CREATE_PRIVATE_KEYS_V2'])
      assert.ok(
        rows.every((row, at) => !row.type.endsWith(type) || answer.activities[at] === null),
        `${type} mentions her id at most`,
      )

    await newUser(service, other, 'Somebody else')
    const theirs = present(await store.charter(other.organizationId), 'a charter of later')
    const elsewhere = await asked(store, service, grace, rows, { charter: theirs })
    assert.deepEqual(elsewhere, { kind: 'unproven' }, 'she was deleted from another organization')
    for (const userId of [mary.userId, root.userId])
      assert.deepEqual(await asked(store, service, grace, rows, { userId }), { kind: 'member' })
    const making = present(
      rows.find(({ type }) => type.includes('CREATE_USERS_V3')),
      'a record with ids of users',
    )
    const refusedToo = rows.filter(({ type }) => !type.includes('DELETE_USERS'))
    for (const deletion of [making, ...refusedToo])
      assert.deepEqual(
        await asked(store, service, grace, rows, { deletion }),
        { kind: 'unproven' },
        deletion.type,
      )
    for (const forged of [
      { deletion: { ...making, type: by.deletion.type, result: by.deletion.result } },
      {
        deletion: { ...by.deletion, result: by.deletion.result?.replace(grace.userId, mary.userId) ?? null },
      },
      { charter: { ...by.charter, body: early.body } },
      { sayings: [{ ...making, intent: '{}' }] },
      { activities: [{ ...making, intent: '{"a":1}' }] },
    ])
      await assert.rejects(asked(store, service, grace, [], forged), /does not carry the vault's seal/)
    await assert.rejects(
      asked(store, service, grace, rows, { charter: early }),
      /older than the vault has seen it/,
    )
  })
})

test('a host has nothing erased in an organization that it calls the parent, and that is none', async () => {
  await withGrace(sqlite, async ({ store, service, root, other, grace, remove }) => {
    await done(service, other, 'CREATE_INVITATIONS', {
      invitations: [invitationTo('grace@example.com', other)],
    })
    await remove()
    service.world.advance(66 * MINUTE_MS)
    const sayings = await store.activities(root.organizationId, {}, { limit: 200 })
    const theirs = await store.activities(other.organizationId, {}, { limit: 200 })
    const parent = present(await store.charter(other.organizationId), 'the charter of the other')
    assert.ok(theirs.some(({ intent }) => intent.includes('grace@example.com')))
    assert.deepEqual(await asked(store, service, grace, theirs, { sayings, parent }), {
      kind: 'erased',
      activities: theirs.map(() => null),
    })
  })
})

test('after a restart a charter of before the user came proves nothing', async () => {
  await withGrace(sqlite, async ({ store, service, before, grace, remove }) => {
    await remove()
    service.world.advance(66 * MINUTE_MS)
    const restarted = await openServiceOn(store, service.world)
    const answer = await asked(store, restarted, grace, [], { charter: before })
    assert.deepEqual(answer, { kind: 'unproven' })
  })
})

test('a host that keeps a deletion back has records erased by it, and then no user of it any more at this vault', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace }) => {
    const decided: Unit[] = []
    const closed = new StoreError('closed', 'it is said to be dropped')
    service.useStore({
      ...store,
      commit: async (unit) => {
        decided.push(unit)
        throw closed
      },
    })
    const deletes = submission(service.world, root, 'DELETE_USERS', { userIds: [grace.userId] })
    assert.equal((await service.send(deletes)).bug, closed)
    service.useStore(store)
    const { activity, charters } = present(decided[0], 'the unit of the deletion')
    service.world.advance(66 * MINUTE_MS)
    const rows = await store.activities(root.organizationId, {}, { limit: 200 })
    const request = {
      userId: grace.userId,
      charter: present(charters[0], 'the charter without her'),
      deletion: present(activity?.row, 'the record'),
      sayings: rows,
      shared: [],
      activities: rows,
    }
    const answer = await service.vault.eraseUser(request)
    assert.ok(answer.kind === 'erased' && answer.activities.some((row) => row !== null))
    // From then on the deletion has happened: she does nothing more, until the vault is started anew.
    const her = { organizationId: root.organizationId }
    const refused = await service.send(sentBy(grace.key, 'query/whoami', her))
    assert.match(String(refused.bug), /older than the vault has seen it/)
    const restarted = await openServiceOn(store, service.world)
    assert.equal((await restarted.send(sentBy(grace.key, 'query/whoami', her))).status, 200)
    for (const row of answer.activities.filter((one) => one !== null)) {
      const before = present(
        rows.find(({ activityId }) => activityId === row.activityId),
        'the record',
      )
      assert.deepEqual(
        [
          row.fingerprint,
          row.type,
          row.status,
          JSON.parse(row.votes).map(({ publicKey }: JsonAnswer) => publicKey),
        ],
        [
          before.fingerprint,
          before.type,
          before.status,
          JSON.parse(before.votes).map(({ publicKey }: JsonAnswer) => publicKey),
        ],
      )
    }
  })
})

test('a contact that somebody has now is not that of a deleted user', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, mary, remove }) => {
    const invited = { receiverUserName: 'Somebody', receiverUserTags: [], accessType: 'ACCESS_TYPE_ALL' }
    const { invitationIds } = await done(service, root, 'CREATE_INVITATIONS', {
      invitations: ['hopper@example.org', 'grace@example.com'].map((receiverUserEmail) => ({
        ...invited,
        receiverUserEmail,
        senderUserId: root.userId,
      })),
    })
    await done(service, root, 'UPDATE_USER_EMAIL', { userId: mary.userId, userEmail: 'Hopper@Example.org' })
    await remove()
    service.world.advance(66 * MINUTE_MS)
    for (const job of await store.takeJobs({ now: service.world.now(), leaseMs: 1, limit: 10 }))
      await store.deadLetterJob(job.sequence, { failure: 'no' })

    const { invitations, messages, shared } = await erased(store, service, grace)

    assert.equal(shared, 1)

    assert.deepEqual(invitations, [invitationIds[1]])
    assert.equal(messages, 2, 'one that was given up, and that it was handed over')
    const [invitation] = await store.activities(
      root.organizationId,
      { types: ['ACTIVITY_TYPE_CREATE_INVITATIONS'] },
      { limit: 1 },
    )
    const emails = JSON.parse(present(invitation, 'the invitations').intent).invitations.map(
      ({ receiverUserEmail }: { receiverUserEmail: string }) => receiverUserEmail,
    )
    assert.deepEqual(emails, ['hopper@example.org', 'erased@erased.invalid'])
  })
})

test('an erasure that is killed at any step is gone on with by the next', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, remove }) => {
    const { invitationIds } = await done(service, root, 'CREATE_INVITATIONS', {
      invitations: [invitationTo('hopper@example.org', root)],
    })
    for (const job of await store.takeJobs({ now: service.world.now(), leaseMs: 1, limit: 10 }))
      await store.deadLetterJob(job.sequence, { failure: 'no' })
    await done(service, root, 'DELETE_INVITATION', { invitationId: invitationIds[0] })
    await remove()
    service.world.advance(66 * MINUTE_MS)
    const killed = new Error('killed')
    let runs = 0
    for (let last = 1, isDone = false; !isDone; last++, runs++) {
      let at = 0
      const step = async (): Promise<void> => {
        if (++at === last) throw killed
      }
      const stepping: Store = {
        ...store,
        finishJob: async (sequence) => await step().then(() => store.finishJob(sequence)),
      }
      isDone = await erased(stepping, service, grace, step).then(
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

test('an erasure during which the root key is renewed and retired is gone on with by the next', async () => {
  await withGrace(sqlite, async ({ store, service, grace, remove }) => {
    const { vault, world, keyring } = service
    await proveRootKey(store, vault, world)
    await remove()
    world.advance(66 * MINUTE_MS)
    const first = { version: 1, secret: new Secret(new Uint8Array(32).fill(9)) }
    const second = { version: 2, secret: new Secret(new Uint8Array(32).fill(8)) }
    let at = 0
    const renewed = async (): Promise<void> => {
      if (++at !== 2) return
      keyring.adopt({ versions: [first, second], seals: 2, service: [] })
      await orderResealing(store, 'an order', world.now())
      const means = {
        store,
        vault,
        now: world.now,
        by: 'a host',
        rest: async () => {},
        isStopped: () => false,
      }
      let state: string | undefined
      while (state !== 'done') state = (await resealStep(means))?.standing.state
      const service = serviceKeysIn({ versions: [first, second], seals: 2, service: [] })
      keyring.adopt({ versions: [second], seals: 2, service })
    }

    await assert.rejects(erased(store, service, grace, renewed), /version 1/)
    await erased(store, service, grace)

    assert.deepEqual(await saidIn(store), [])
    assert.deepEqual(await problemsIn(store, vault), [])
  })
})

test('what is told late of an erased record is what happened, and an erasure is no event', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, remove }) => {
    const { organizationId } = root
    const [target, value] = ['FEATURE_NAME_WEBHOOK', 'https://example.com/events']
    await done(service, root, 'SET_ORGANIZATION_FEATURE', { name: target, value })
    const quorumOf = (userIds: readonly string[]) => ({ threshold: userIds.length, userIds })
    await done(service, root, 'UPDATE_ROOT_QUORUM', quorumOf([root.userId, grace.userId]))
    await together(service, [root, grace], 'UPDATE_USER_NAME', { userId: grace.userId, userName: 'Grace' })
    await together(service, [root, grace], 'UPDATE_ROOT_QUORUM', quorumOf([root.userId]))
    await remove()
    service.world.advance(66 * MINUTE_MS)
    const now = service.world.now()
    const redelivered = () =>
      redeliver(store, { organizationId, target, from: 0, to: now }, { now, tell: () => {} })
    const due = await redelivered()
    const before = await store.activities(organizationId, {}, { limit: 200 })

    assert.ok((await erased(store, service, grace)).activities > 5)

    const told = async (row: ActivityRow, revision: number) => {
      const eventId = `${row.activityId}-${revision}`
      const { body } = await service.vault.signWebhook({ row, revision, eventId, timestampMs: now })
      const { id, status, updatedAt, votes } = JSON.parse(body)
      const line = activityEvent(row, revision)
      return [[id, status, updatedAt, votes.length], line]
    }
    for (const was of before) {
      const row = present(await store.activity(organizationId, was.activityId), 'the record')
      for (let revision = 1; revision <= was.revision; revision++)
        assert.deepEqual(await told(row, revision), await told(was, revision), `${was.type} ${revision}`)
    }
    assert.deepEqual(await redelivered(), due)
  })
})

test('what is shown of erased records is of the shapes of before, and cannot be tried again', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace, remove }) => {
    await remove()
    service.world.advance(66 * MINUTE_MS)
    await erased(store, service, grace)
    const { organizationId } = root
    const listed = await service.send(sentBy(root.key, 'query/list_activities', { organizationId }))
    assert.equal(listed.status, 200, listed.text)
    assert.ok(listed.text.includes('"userName":"[erased]"'))
    const { activities } = JSON.parse(listed.text)
    for (const { id } of activities)
      for (const query of ['get_activity', 'get_policy_evaluations']) {
        const { status, text } = await service.send(
          sentBy(root.key, `query/${query}`, { organizationId, activityId: id }),
        )
        assert.equal(status, 200, `${query}: ${text}`)
      }
    const { id: activityId } = activities.find(({ type }: JsonAnswer) => type.endsWith('UPDATE_USER_NAME'))
    const explained = await service.send(
      sentBy(root.key, 'query/explain_activity', { organizationId, activityId }),
    )
    assert.equal(explained.status, 404)
    assert.match(explained.text, /the request of activity .* was erased/)
    const draft = { policies: [{ policyName: 'None', effect: 'EFFECT_DENY' }] }
    const replayed = await service.send(sentBy(root.key, 'query/replay_policies', { organizationId, draft }))
    assert.equal(replayed.status, 200, replayed.text)
    const reasons = JSON.parse(replayed.text).unclear.map(({ reason }: JsonAnswer) => reason)
    assert.ok(
      reasons.some((reason: string) => /was erased/.test(reason)),
      replayed.text,
    )
  })
})

test('a user of a sub-organization is erased from the records of the parent, and who asked there stays', async () => {
  await withGrace(sqlite, async ({ store, service, root, grace }) => {
    const [her, heir] = [await subUser(service, root, 'Her own', NAMES[2]), newStampKey(service)]
    const [address, phone] = ['both@example.org', '+15550001111']
    const same = await subUser(service, root, 'Somebody', address)
    await done(service, her, 'UPDATE_USER_PHONE_NUMBER', { userId: her.userId, userPhoneNumber: phone })
    await done(service, her, 'UPDATE_USER_EMAIL', { userId: her.userId, userEmail: address })
    for (const contact of [address, phone])
      await done(service, root, 'INIT_OTP_V3', {
        otpType: contact === phone ? 'OTP_TYPE_SMS' : 'OTP_TYPE_EMAIL',
        contact,
        appName: 'App',
      })
    const users = [userParams('Heir', 'heir@example.com', 'Key', heir)]
    const { userIds } = await done(service, her, 'CREATE_USERS_V3', { users })
    await done(service, her, 'UPDATE_ROOT_QUORUM', { threshold: 1, userIds })
    const { organizationId } = her
    const next = { organizationId, userId: userIds[0], key: heir }
    await done(service, next, 'DELETE_USERS', { userIds: [her.userId] })
    service.world.advance(66 * MINUTE_MS)
    for (const job of await store.takeJobs({ now: service.world.now(), leaseMs: 1, limit: 10 }))
      await store.finishJob(job.sequence)

    const { shared } = await erased(store, service, her)

    assert.equal(shared, 1, 'the address is that of somebody in another sub-organization')
    const ofParent = await store.activities(root.organizationId, {}, { limit: 200 })
    const making = present(
      ofParent.find(({ result }) => result?.includes(organizationId)),
      'its making',
    )
    const { subOrganizationName, rootUsers } = JSON.parse(making.intent)
    assert.deepEqual([subOrganizationName, rootUsers[0].userName], ['Of Her own', '[erased]'])
    assert.equal(JSON.parse(making.votes)[0].user.userName, 'Root')
    const contacts = ofParent
      .filter(({ type }) => type.includes('INIT_OTP'))
      .map(({ intent }) => JSON.parse(intent).contact)
    assert.deepEqual(contacts.toSorted(), ['[erased]', address])
    const others = await store.activities(same.organizationId, {}, { limit: 10 })
    assert.ok(others.every(({ votes }) => !votes.includes('[erased]')))
    const kept = await store.charter(grace.organizationId)
    assert.ok(kept?.body.includes('Grace'), 'a user of the same name elsewhere keeps it')
    assert.deepEqual(await problemsIn(store, service.vault), [])
  })
})

type Ground = StoreWithTexts & {
  readonly service: Service
  readonly root: Person
  readonly other: Person
  readonly ada: Person
  /** The charter before Grace and Mary came, by one request. */
  readonly before: CharterRow
  readonly mary: Person
  /** A user of the organization of `root`, of whom its records say many things. */
  readonly grace: Person
  /** Deletes her. */
  readonly remove: () => Promise<void>
}

async function withGrace(
  open: () => Promise<StoreWithTexts>,
  body: (ground: Ground) => Promise<void>,
  turn: () => Promise<void> = async () => {},
): Promise<void> {
  const { store, texts } = await open()
  try {
    const service = await openServiceOn(store, testWorld(1, START), (vault) => vault, turn)
    const { root, other, ada, keyId } = await populate(service, store)
    const before = present(await store.charter(root.organizationId), 'the charter')
    const key = newStampKey(service)
    const marys = newStampKey(service)
    const { userIds } = await done(service, root, 'CREATE_USERS_V3', {
      users: [
        userParams('Grace Hopper', 'grace@example.com', 'Grace laptop', key),
        userParams('Mary Keller', 'mary@example.com', 'Her laptop', marys),
      ],
    })
    const userId = present(userIds[0], 'her id')
    const grace = { organizationId: root.organizationId, userId, key }
    await done(service, root, 'UPDATE_USER', { userId, userPhoneNumber: '+15557654321' })
    await done(service, root, 'UPDATE_USER_NAME', { userId, userName: 'Grace M. Hopper' })
    await done(service, root, 'UPDATE_USER_EMAIL', { userId, userEmail: 'hopper@example.org' })
    const phone = newStampKey(service)
    await done(service, grace, 'CREATE_API_KEYS_V2', {
      apiKeys: [{ apiKeyName: 'Grace phone', publicKey: phone.publicKey, curveType: 'API_KEY_CURVE_P256' }],
      userId,
    })
    for (const payload of ['0a', '0b', '0c'])
      await service.send(signing(service.world, grace, keyId, payload))
    await body({
      store,
      texts,
      service,
      root,
      other,
      ada,
      before,
      grace,
      mary: { organizationId: root.organizationId, userId: userIds[1], key: marys },
      remove: async () => {
        await done(service, root, 'DELETE_USERS', { userIds: [userId] })
      },
    })
  } finally {
    await store.close()
  }
}

/** The first asks, and the second agrees. */
async function together(
  service: Service,
  [first, second]: readonly Person[],
  type: string,
  parameters: object,
) {
  const [by, other] = [present(first, 'who asks'), present(second, 'who agrees')]
  const { text } = await service.send(submission(service.world, by, type, parameters))
  const { status, fingerprint } = JSON.parse(text).activity
  assert.equal(status, 'ACTIVITY_STATUS_CONSENSUS_NEEDED')
  await service.send(submission(service.world, other, 'APPROVE_ACTIVITY', { fingerprint }))
}

function invitationTo(receiverUserEmail: string, { userId }: Person) {
  const to = { receiverUserName: 'Somebody', receiverUserEmail, receiverUserTags: [] }
  return { ...to, accessType: 'ACCESS_TYPE_ALL', senderUserId: userId }
}

function newStampKey({ world }: Service): StampKey {
  return stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', world.randomBytes)
}

/** The root user of a new sub-organization in which codes may be asked for. */
async function subUser(service: Service, root: Person, userName: string, userEmail = ''): Promise<Person> {
  const key = newStampKey(service)
  const { userTags: _, ...user } = userParams(userName, userEmail, 'Key', key)
  for (const name of ['FEATURE_NAME_OTP_EMAIL_AUTH', 'FEATURE_NAME_SMS_AUTH'])
    await done(service, root, 'SET_ORGANIZATION_FEATURE', { name, value: '' })
  const made = await done(service, root, 'CREATE_SUB_ORGANIZATION_V7', {
    subOrganizationName: `Of ${userName}`,
    rootQuorumThreshold: 1,
    rootUsers: [user],
  })
  return { organizationId: made.subOrganizationId, userId: made.rootUserIds[0], key }
}

function userParams(userName: string, userEmail: string, apiKeyName: string, { publicKey }: StampKey) {
  const apiKeys = [{ apiKeyName, publicKey, curveType: 'API_KEY_CURVE_P256' }]
  return { userName, userEmail, apiKeys, authenticators: [], oauthProviders: [], userTags: [] }
}

async function erased(
  store: Store,
  { vault, world }: Service,
  { organizationId, userId }: Person,
  paused: () => Promise<void> = async () => {},
) {
  return await eraseUser({ store, vault, now: world.now, paused }, { organizationId, userId })
}

/** What a host shows the vault to have a user erased. */
async function proofFor(store: Store, { organizationId, userId }: Person) {
  const types = ['ACTIVITY_TYPE_DELETE_USERS']
  const [deletion] = await store.activities(organizationId, { types }, { limit: 1 })
  const charter = present(await store.charter(organizationId), 'the charter')
  return { userId, charter, deletion: present(deletion, 'the deletion') }
}

/** The vault's answer to a host that says these things instead. */
async function asked(
  store: Store,
  { vault }: Service,
  of: Person,
  activities: readonly ActivityRow[],
  instead: Partial<EraseUserRequest> = {},
) {
  const by = await proofFor(store, of)
  return await vault.eraseUser({ ...by, sayings: [], shared: [], activities, ...instead })
}

const sqlite = async (): Promise<StoreWithTexts> => ({
  store: openSqlite({ path: ':memory:' }),
  texts: async () => [],
})

/** The rows that say one of the names. */
async function saidIn(store: Store): Promise<readonly string[]> {
  return (await everyRow(store)).filter((row) => NAMES.some((name) => row.includes(name)))
}
