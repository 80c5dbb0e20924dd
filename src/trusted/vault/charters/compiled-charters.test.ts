import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../../test/charters/filled-charter.ts'
import { costs } from '../../base/costs.ts'
import { Secret } from '../../base/secret.ts'
import { workAlone } from '../../base/testing/work-alone.ts'
import { Pace, REQUEST_COST_MAX, SLICE, Work } from '../../base/work.ts'
import type { CharterRow } from '../../catalogue/unit.ts'
import type { Charter } from '../../charter/charter.ts'
import { limits } from '../../charter/limits.ts'
import { checkPolicyTerms, compilePolicy } from '../../policy/compile-policy.ts'
import { PARTS_MAX, SOURCE_LENGTH_MAX } from '../../policy/limits.ts'
import { openKeyring } from '../keys/keyring.ts'
import { Memory } from '../memory/memory.ts'
import { Older } from '../memory/rollback-guard.ts'
import { sealCharter } from '../seals/seals.ts'
import { CompiledCharters } from './compiled-charters.ts'
import { KnownCharters, weightOf } from './known-charters.ts'
import { compiledChartersOf } from './compiled-charters-of.ts'

const roots = [1, 2].map((version) => ({ version, secret: new Secret(new Uint8Array(32).fill(version)) }))
const keyring = openKeyring(roots)
const now = 0

/** The charters of a vault, the newest states that it knows, and the work of what is asked of them. */
function aVault() {
  const memory = new Memory({ randomBytes: (length) => new Uint8Array(length) }, 10)
  const compiledCharters = new CompiledCharters(keyring, {}, memory)
  const during = () => ({ work: workAlone(), now })
  const get = async (row: CharterRow | Omit<CharterRow, 'body'>) => await compiledCharters.get(row, during())
  return { memory, compiledCharters, during, get }
}

const atVersion = (version: number, more: Partial<Charter> = {}): CharterRow =>
  sealCharter(keyring, { ...filledCharter, version, ...more })

function withoutBody({ body: _, ...row }: CharterRow) {
  return row
}

test('a charter is asked for once, and then known by its seal and version', async () => {
  const { get } = aVault()
  const row = atVersion(1)
  assert.equal(await get(withoutBody(row)), undefined)
  const compiled = await get(row)
  assert.deepEqual(compiled?.charter, { ...filledCharter, version: 1 })
  assert.equal(await get(withoutBody(row)), compiled)
  assert.equal(await get({ ...withoutBody(row), seal: atVersion(2).seal }), undefined)
  assert.equal(await get({ ...withoutBody(row), version: 2 }), undefined)
})

test('reading a charter is charged by its length, and knowing it costs nothing', async () => {
  const { compiledCharters, during } = aVault()
  const row = atVersion(1, { policies: [] })
  for (const cost of [row.body.length * costs.charterCharacter, 0]) {
    const reading = during()
    await compiledCharters.get(row, reading)
    assert.equal(reading.work.spent, cost)
  }
})

test('a charter of the longest policies is opened in turns, and takes nothing of what its request may cost', async () => {
  const { compiledCharters } = aVault()
  const [policy] = filledCharter.policies
  const long = (text: string) => text.padEnd(SOURCE_LENGTH_MAX)
  const policies = Array.from({ length: limits.policies }, (_, at) => ({
    ...policy,
    policyId: `${at}`,
    condition: long('false'),
    consensus: long('true'),
    time: long("time.now >= Timestamp('2026-01-01T00:00:00Z')"),
  }))
  const row = atVersion(1, { policies })
  let turns = 0
  const work = new Work(new Pace(async () => void turns++), '')
  assert.equal((await compiledCharters.get(row, { work, now }))?.policies.length, policies.length)
  assert.ok(work.spent > REQUEST_COST_MAX, `${work.spent}`)
  assert.equal(work.left, REQUEST_COST_MAX)
  assert.ok(turns > work.spent / (10 * SLICE), `${turns} turns`)
})

test('of requests that come while a charter is being opened, each waits for that, and none opens it again', async () => {
  const { compiledCharters } = aVault()
  const [policy] = filledCharter.policies
  const policies = Array.from({ length: limits.policies }, (_, at) => ({
    ...policy,
    policyId: `${at}`,
    condition: 'false'.padEnd(SOURCE_LENGTH_MAX / 4),
  }))
  const row = atVersion(1, { policies })
  const pace = new Pace(async () => {})
  const asked = [row, row, withoutBody(row)].map((offered) => {
    const work = new Work(pace, '')
    return { work, compiled: compiledCharters.get(offered, { work, now }) }
  })
  const [first, ...others] = asked
  const compiled = await first?.compiled
  assert.equal(compiled?.policies.length, policies.length)
  for (const { work, compiled: same } of others) {
    assert.equal(await same, compiled)
    assert.equal(work.spent, 0)
  }
})

test('large charters take their room from one another, and from no small one', async () => {
  const { get } = aVault()
  const named = (organizationId: string, notes: string) =>
    atVersion(1, { organizationId, policies: [{ ...filledCharter.policies[0], notes }] })
  const small = named('small', '')
  const large = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => named(name, 'x'.repeat(5_000_000)))
  await get(small)
  for (const row of large) await get(row)
  assert.ok(await get(withoutBody(small)))
  const kept = await Promise.all(large.map(async (row) => (await get(withoutBody(row))) !== undefined))
  assert.deepEqual(kept, [false, true, true, true, true, true])
  // One that has become small, and large again, has one place.
  const [, less] = [1, 2].map((version) => atVersion(version, { organizationId: 'b', policies: [] }))
  assert.ok(less && (await get(less)) && (await get(withoutBody(less))))
})

test('a compiled charter weighs as much as the parts of its policies, scopes and conditions of MFA policies', () => {
  const policies = [
    { condition: 'false', consensus: 'approvers.count() > 1', time: '' },
    { condition: `[${'1,'.repeat(4_000)}1].count() == 1` },
  ].map((terms, at) => compilePolicy({ policyId: `${at}`, effect: 'EFFECT_ALLOW', ...terms }, {}))
  const [user] = filledCharter.users
  const [mfaPolicy] = user.mfaPolicies
  const mfaPolicies = ['!'.repeat(4_096), '1 == 1'].map((condition) => ({ ...mfaPolicy, condition }))
  const scope = '1 == 1'
  const apiKeys = [1, 2].map(() => ({ ...user.apiKeys[0], session: { sessionProfileId: '', scope } }))
  const of = (...users: Charter['users']) => ({ charter: { ...filledCharter, users }, policies })
  const member = { ...user, mfaPolicies, apiKeys }
  assert.equal(weightOf('', of()), 16 * (1 + 4 + 4_005))
  assert.equal(weightOf('x'.repeat(100_000), of()), 100_000)
  // Each text is read once.
  assert.equal(weightOf('', of(member, member)), 16 * (1 + 4 + 4_005 + 4_096 + 6))
})

test('the charter with the most parts that can be written is kept', () => {
  const longest = `[${'1,'.repeat(PARTS_MAX - 6)}1].count() > 1`
  const terms = { condition: longest, consensus: longest, time: longest }
  checkPolicyTerms(terms, {})
  const policy = compilePolicy({ policyId: '', effect: 'EFFECT_ALLOW', ...terms }, {})
  const policies = Array.from({ length: limits.policies }, () => policy)
  const [user] = filledCharter.users
  const [mfaPolicy] = user.mfaPolicies
  const condition = (at: number) => `${at} == 0 && `.padEnd(4_092, '!')
  const users = Array.from({ length: limits.users }, (_, at) => ({
    ...user,
    mfaPolicies: [{ ...mfaPolicy, condition: condition(at) }],
  }))
  const charters = new KnownCharters<{ readonly weight: number }>()
  charters.set('', { weight: weightOf('', { charter: { ...filledCharter, users }, policies }) })
  assert.ok(charters.get(''))
})

test('a charter that is larger than the room for large ones is not kept, and pushes out none', () => {
  const charters = new KnownCharters<{ readonly weight: number }>()
  charters.set('small', { weight: 1 })
  charters.set('large', { weight: 6_000_000 })
  charters.set('larger', { weight: 30_000_000 })
  charters.set('small', { weight: 30_000_000 })
  const kept = ['small', 'large', 'larger'].map((id) => charters.get(id)?.weight)
  assert.deepEqual(kept, [undefined, 6_000_000, undefined])
})

test('a charter of a mebibyte takes the room of no small one, and one as large as the room is kept', () => {
  const MEBI = 1024 * 1024
  const charters = new KnownCharters<{ readonly weight: number }>()
  charters.set('small', { weight: 1 })
  for (let n = 0; n < 8; n++) charters.set(`large ${n}`, { weight: MEBI })
  charters.set('largest', { weight: 26 * MEBI })
  assert.ok(charters.get('small') && charters.get('largest'))
})

test('a charter that does not open keeps nobody from opening the true one of its seal', async () => {
  const { get } = aVault()
  const row = atVersion(1)
  const [wrong, right] = await Promise.allSettled([get({ ...row, body: `${row.body} ` }), get(row)])
  assert.equal(wrong.status, 'rejected')
  assert.equal(right.status === 'fulfilled' && right.value?.charter.version, 1)
})

test('an older charter than the vault has seen is refused before it is asked for, known or not', async () => {
  const { get, memory } = aVault()
  const known = atVersion(2)
  await get(known)
  memory.seeCharter({ ...filledCharter, version: 3 }, atVersion(3).seal, now, () => false)
  for (const row of [known, atVersion(1), atVersion(2)]) {
    await assert.rejects(get(withoutBody(row)), Older)
    await assert.rejects(get(row), Older)
  }
})

test('a charter that is in use is known again, however many others were seen since, and no older one is taken', async () => {
  const { get, memory } = aVault()
  const known = atVersion(2)
  await get(known)
  for (let other = 0; other < 10; other++)
    memory.seeCharter({ ...filledCharter, organizationId: `other ${other}` }, 'seal', now, () => false)
  assert.equal(memory.charters.knows(known.organizationId, now), false)

  await get(withoutBody(known))

  await assert.rejects(get(atVersion(1)), Older)
})

test('of two charters of one version the first is kept, and the same one is taken under a newer root key', async () => {
  const { get } = aVault()
  const resealed = atVersion(1)
  const row = sealCharter(openKeyring(roots.slice(0, 1)), { ...filledCharter, version: 1 })
  const compiled = await get(row)
  await assert.rejects(get(atVersion(1, { organizationName: 'Another' })), Older)
  assert.deepEqual((await get(resealed))?.charter, compiled?.charter)
  await assert.rejects(get(row), Older)
})

test('a request is decided with the charter of its organization and that of the parent, and both are asked for', async () => {
  const { compiledCharters, during } = aVault()
  const own = atVersion(1)
  const parent = atVersion(1, { organizationId: filledCharter.parentId, parentId: null })
  const other = atVersion(1, { organizationId: filledCharter.users[0].userId })
  const { organizationId } = own
  const of = async (...offered: Parameters<typeof compiledChartersOf>[2]) =>
    await compiledChartersOf({ compiledCharters }, organizationId, offered, during())
  assert.deepEqual(await of(), { kind: 'needs', charters: [organizationId] })
  assert.deepEqual(await of(parent, withoutBody(own)), { kind: 'needs', charters: [organizationId] })
  assert.deepEqual(await of(own, withoutBody(parent)), { kind: 'needs', charters: [filledCharter.parentId] })
  const both = await of(other, parent, own)
  assert.ok(both.kind === 'compiled')
  assert.equal(both.own.charter.organizationId, organizationId)
  assert.equal(both.parent?.charter.organizationId, filledCharter.parentId)
  const alone = await of(other, withoutBody(own))
  assert.ok(alone.kind === 'compiled')
  assert.equal(alone.own, both.own)
  assert.equal(alone.parent, undefined)
})
