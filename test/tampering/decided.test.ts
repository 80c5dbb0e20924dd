import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import type { Unit } from '../../src/trusted/catalogue/unit.ts'
import { policyDigest } from '../../src/trusted/charter/policy-text.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import { charterDigest } from '../../src/trusted/vault/seals/charter-digest.ts'
import type { Decided } from '../../src/trusted/vault/decision/decision-basis.ts'
import { Tampered } from '../../src/trusted/vault/seals/seals.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { type JsonAnswer, testWorld } from '../support/service.ts'
import { aCache, onFile, openServiceOn, sentBy, type Service, START } from './harness.ts'
import { putPlain, recordIn } from '../support/stored-record.ts'
import { done, newUser, type Person, populate, signing, submission } from './populated.ts'

// What a record says of how it came about, long after policies and members are others.

const cache = aCache()
after(() => cache.clear())

test('a record names the charter and the text of each policy that counted, at each vote, and keeps doing so', async () => {
  const store = openSqlite({ path: ':memory:' })
  const service = await openServiceOn(store, testWorld(1, START))
  const { root, ada, ben, policyId, keyId } = await populate(service, store)
  const { organizationId } = root

  const before = await charterOf(store, organizationId)
  const asked = signing(service.world, ada, keyId, '11')
  const waiting = (JSON.parse((await service.send(asked)).text) as JsonAnswer).activity
  const next = await updated(service, root, policyId, "activity.action in ['SIGN', 'EXPORT']")
  const later = await charterOf(store, organizationId)
  await done(service, ben, 'APPROVE_ACTIVITY', { fingerprint: waiting.fingerprint })

  const [first, second] = await decidedOf(store, organizationId, waiting.id)
  assert.deepEqual(first?.charter, { version: before.version, digest: charterDigest(before.body) })
  assert.deepEqual(second?.charter, { version: later.version, digest: charterDigest(later.body) })
  assert.ok(later.version > before.version)
  const old = policyIn(before.body, policyId)
  const newer = policyIn(later.body, policyId)
  assert.deepEqual(first.policies, [
    { policyId, outcome: 'OUTCOME_REQUIRES_CONSENSUS', digest: policyDigest(old) },
  ])
  assert.deepEqual(second.policies, [{ policyId, outcome: 'OUTCOME_ALLOW', digest: policyDigest(newer) }])
  assert.notEqual(policyDigest(old), policyDigest(newer))
  assert.equal(next, policyId)

  await done(service, root, 'DELETE_POLICY', { policyId })
  for (const policy of [old, newer]) {
    const text = await textUnder(store, organizationId, policyDigest(policy))
    assert.deepEqual(text, pick(policy, ['policyId', 'effect', 'condition', 'consensus']))
    assert.equal(policyDigest(text), policyDigest(policy))
  }
  await store.close()
})

test('a record of a refused request names the policy that denied it, and its text', async () => {
  const store = openSqlite({ path: ':memory:' })
  const service = await openServiceOn(store, testWorld(1, START))
  const { root, ada, keyId } = await populate(service, store)
  const { organizationId } = root
  const { policyId } = await done(service, root, 'CREATE_POLICY_V3', {
    policyName: 'Nobody signs',
    effect: 'EFFECT_DENY',
    condition: "activity.action == 'SIGN'",
    notes: '',
  })
  assert.equal((await service.send(signing(service.world, ada, keyId, '13'))).status, 403)
  const [newest] = await store.activities(organizationId, {}, { limit: 1 })
  const [decided] = await decidedOf(store, organizationId, present(newest, 'its record').activityId)
  const digest = policyDigest(policyIn((await charterOf(store, organizationId)).body, policyId))
  assert.deepEqual(
    decided?.policies.filter((policy) => policy.policyId === policyId),
    [{ policyId, outcome: 'OUTCOME_DENY_EXPLICIT', digest }],
  )
  await store.close()
})

test('where the parent was looked at its charter is named too, and what the root quorum decides names no policy', async () => {
  const store = openSqlite({ path: ':memory:' })
  const service = await openServiceOn(store, testWorld(1, START))
  const { root, sub } = await populate(service, store)
  const parent = await charterOf(store, root.organizationId)
  const own = await charterOf(store, sub.organizationId)
  await newUser(service, sub, 'Ada')
  const [newest] = await store.activities(sub.organizationId, {}, { limit: 1 })
  const [decided] = await decidedOf(store, sub.organizationId, present(newest, 'a record').activityId)
  assert.deepEqual(decided, {
    charter: { version: own.version, digest: charterDigest(own.body) },
    parent: { version: parent.version, digest: charterDigest(parent.body) },
    policies: [],
  })
  await store.close()
})

test('signing writes no text: only an amendment does, for the policies that come or go with it', async () => {
  const units: Unit[] = []
  const store = openSqlite({ path: ':memory:' })
  const service = await openServiceOn(store, testWorld(1, START), (vault) => noting(vault, units))
  const { root, keyId, policyId, ada, ben } = await populate(service, store)
  const texts = () => units.flatMap(({ objects }) => objects.put.filter(({ kind }) => kind === 'policy_text'))
  const written = texts().length
  const signed = (
    JSON.parse((await service.send(signing(service.world, ada, keyId, '12'))).text) as JsonAnswer
  ).activity
  await service.send(submission(service.world, ben, 'APPROVE_ACTIVITY', { fingerprint: signed.fingerprint }))
  await done(service, root, 'CREATE_USER_TAG', { userTagName: 'No policy', userIds: [] })
  assert.equal(texts().length, written)
  await updated(service, root, policyId, "activity.action == 'EXPORT'")
  assert.equal(new Set(texts().map(({ objectId }) => objectId)).size, written + 1)
  await store.close()
})

test('what a record says it was decided on cannot be changed, taken away or put in', async () => {
  const original = cache.path('original.db')
  const { root, signedId } = await onFile(original, populate)
  const changes: readonly ((decided: JsonAnswer) => void)[] = [
    ({ decided }) => (decided.charter.version += 1),
    ({ decided }) => (decided.charter.version = String(decided.charter.version)),
    ({ decided }) => (decided.charter.digest = '0'.repeat(64)),
    ({ decided }) => (decided.parent = decided.charter),
    ({ decided }) => decided.policies.push({ policyId: 'p', outcome: 'OUTCOME_ALLOW', digest: '00' }),
    (evaluation) => delete evaluation['decided'],
  ]
  for (const change of changes) {
    const path = cache.changed(original, (db) => {
      const record = recordIn(db, 'activity_id = ?', signedId)
      const list = JSON.parse(record.evaluations) as JsonAnswer[]
      change(present(list[0], 'an evaluation'))
      putPlain(db, { ...record, evaluations: JSON.stringify(list) })
    })
    await onFile(path, async (service) => {
      const body = { organizationId: root.organizationId, activityId: signedId }
      const { status, bug } = await service.send(sentBy(root.key, 'query/get_policy_evaluations', body))
      assert.deepEqual([status, bug instanceof Tampered], [500, true])
    })
  }
})

test('policies are told apart by what decides, to the byte, and not by their names and notes', () => {
  const policy = {
    policyId: 'p',
    policyName: 'One',
    effect: 'EFFECT_ALLOW',
    condition: 'a',
    notes: '',
    createdAt: 1,
    updatedAt: 1,
  } as const
  const renamed = { ...policy, policyName: 'Two', notes: 'x', updatedAt: 2 }
  assert.equal(policyDigest(policy), policyDigest(renamed))
  const others = [
    { ...policy, policyId: 'q' },
    { ...policy, effect: 'EFFECT_DENY' as const },
    { ...policy, condition: 'a ' },
    { ...policy, consensus: '' },
    { ...policy, time: '' },
    { ...policy, condition: '', consensus: 'a' },
    { ...policy, consensus: 'a', condition: '' },
  ]
  const digests = new Set([policy, ...others].map((item) => policyDigest(item)))
  assert.equal(digests.size, others.length)
})

type Stored = { readonly version: number; readonly body: string }

async function charterOf(store: Store, organizationId: string): Promise<Stored> {
  return present(await store.charter(organizationId), 'the charter')
}

async function decidedOf(store: Store, organizationId: string, activityId: string): Promise<Decided[]> {
  const row = present(await store.activity(organizationId, activityId), 'the record')
  return (JSON.parse(row.evaluations) as { decided: Decided }[]).map(({ decided }) => decided)
}

function policyIn(body: string, policyId: string): JsonAnswer {
  return present(
    (JSON.parse(body) as JsonAnswer).policies.find((item: JsonAnswer) => item.policyId === policyId),
    'the policy',
  )
}

async function textUnder(store: Store, organizationId: string, digest: string): Promise<JsonAnswer> {
  const [row] = await store.objects(organizationId, 'policy_text', [digest])
  return JSON.parse(present(row, 'the text of a policy').body)
}

async function updated(service: Service, root: Person, policyId: string, condition: string): Promise<string> {
  const changed = await done(service, root, 'UPDATE_POLICY_V2', { policyId, policyCondition: condition })
  return changed.policyId
}

function pick(from: JsonAnswer, names: readonly string[]): JsonAnswer {
  return Object.fromEntries(names.map((name) => [name, from[name]]))
}

function noting(vault: Vault, units: Unit[]): Vault {
  return {
    ...vault,
    decide: async (request) => {
      const decision = await vault.decide(request)
      if (decision.kind === 'commit') units.push(decision.unit)
      return decision
    },
  }
}
