import assert from 'node:assert/strict'
import { test } from 'node:test'
import { costs } from '../../trusted/base/costs.ts'
import { activities } from '../../trusted/activities/list.ts'
import type { RehearsalCase } from '../../trusted/catalogue/rehearsal.ts'
import { quietHost } from '../../../test/support/quiet.ts'
import { aService, type TestService } from '../../../test/support/service.ts'
import type { Vault } from '../../protocol/vault.ts'
import type { Host } from './host.ts'
import { openHost } from './open-host.ts'
import { rehearse } from './rehearse.ts'

test('what the host reads of a replay is not counted against what the request may cost', async (t) => {
  const service = await aService()
  const { vault, organizationId, close } = service
  t.after(close)
  const host = hostOf(service, vault.rehearse)
  function* cases(): Iterable<RehearsalCase> {
    for (let at = 0; at < 24; at++)
      yield { body: longRequest(organizationId, at, 900_000), approvers: [], at: 0 }
  }
  const of = { organizationId, askedFrom: organizationId }
  const outcome = await rehearse(host, of, { cases: cases(), explain: false, usage: 'metered' })
  assert.equal(outcome.cases.length, 24)
})

test('long cases are taken as they are needed, and others have turns of the event loop between them', async (t) => {
  const service = await aService()
  const { vault, organizationId, close } = service
  t.after(close)
  const asked: number[] = []
  let taken = 0
  const host = hostOf(service, async (request) => {
    asked.push(taken)
    return await vault.rehearse(request)
  })
  function* cases(): Iterable<RehearsalCase> {
    for (; taken < 30; taken++)
      yield { body: longRequest(organizationId, taken, 100_000), approvers: [], at: 0 }
  }
  let turns = 0
  let isOver = false
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  turn()
  const of = { organizationId, askedFrom: organizationId }
  const outcome = await rehearse(host, of, { cases: cases(), explain: false, usage: 'metered' })
  isOver = true
  assert.equal(outcome.cases.length, 30)
  assert.deepEqual(
    asked.map((before) => before < 30),
    asked.map((_, at) => at < asked.length - 1),
  )
  assert.ok(asked.length > 2, `${asked.length} parts`)
  // Each is taken and read, at more than two slices a part.
  assert.ok(turns > 30, `${turns} turns`)
})

test('the vault is shown the interfaces of contracts of a few cases at a time', async (t) => {
  const service = await aService()
  const { vault, organizationId, close } = service
  t.after(close)
  const contract = '0000000000000000000000000000000000001001'
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_SMART_CONTRACT_INTERFACE', {
    smartContractAddress: `0x${contract}`,
    smartContractInterface: '[]',
    type: 'SMART_CONTRACT_INTERFACE_TYPE_ETHEREUM',
    label: 'Called',
  })
  const parts: number[] = []
  const host = hostOf(service, async (request) => {
    parts.push(request.cases.reduce((sum, { rows }) => sum + (rows['interfaces']?.length ?? 0), 0))
    return await vault.rehearse(request)
  })
  const parameters = {
    signWith: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    unsignedTransaction: `02df0180010282520894${contract}8080c0`,
    type: 'TRANSACTION_TYPE_ETHEREUM',
  }
  const type = 'ACTIVITY_TYPE_SIGN_TRANSACTION_V2'
  const cases = Array.from({ length: 50 }, (_, at): RehearsalCase => {
    const body = JSON.stringify({ type, timestampMs: String(at), organizationId, parameters })
    return { body, approvers: [], at: 0 }
  })
  const of = { organizationId, askedFrom: organizationId }
  const outcome = await rehearse(host, of, { cases, explain: false, usage: 'metered' })
  assert.equal(outcome.cases.length, 50)
  assert.deepEqual(parts, [20, 20, 10])
})

test('two drafts of an organization are compiled at once, and requests without a draft do not wait for them', async (t) => {
  const service = await aService()
  const { vault, organizationId, close } = service
  t.after(close)
  let underWay = 0
  let most = 0
  const withoutDraft = Promise.withResolvers<void>()
  const host = hostOf(service, async (request) => {
    if (request.draft === undefined) return await vault.rehearse(request)
    most = Math.max(most, ++underWay)
    await withoutDraft.promise
    const answer = await vault.rehearse(request)
    underWay--
    return answer
  })
  const of = { organizationId, askedFrom: organizationId }
  const how = { cases: [], explain: false, usage: 'metered' } as const
  const drafts = Array.from({ length: 5 }, () =>
    rehearse(host, of, { ...how, draft: { put: [], remove: [] } }),
  )
  await rehearse(host, of, how)
  withoutDraft.resolve()
  await Promise.all(drafts)
  assert.equal(most, 2)
})

test('a rehearsal costs something by itself, and each of its requests costs its characters', async (t) => {
  const service = await aService()
  const { vault, organizationId, close } = service
  t.after(close)
  let cost = 0
  const host = hostOf(service, async (request) => {
    const answer = await vault.rehearse(request)
    cost = answer.cost
    return answer
  })
  const costOf = async (...lengths: readonly number[]): Promise<number> => {
    const bodies = lengths.map((length, at) => longRequest(organizationId, at, length))
    const cases = bodies.map((body): RehearsalCase => ({ body, approvers: [], at: 0 }))
    const of = { organizationId, askedFrom: organizationId }
    await rehearse(host, of, { cases, explain: false, usage: 'metered' })
    return cost
  }
  // The vault then knows the charter.
  await costOf(1)
  const one = await costOf(1)
  const two = await costOf(1, 1)
  assert.ok(two - one >= costs.request && one - (two - one) >= costs.request, `${one}, then ${two}`)
  const long = await costOf(100_001)
  const characters = 100_000 * costs.bodyCharacter
  assert.ok(long - one >= characters && long - one < 2 * characters, `${one}, then ${long}`)
})

test('a vault that was started anew asks for the charter that the one before knew', async (t) => {
  const service = await aService()
  // With the same root key, and without what the other remembers.
  const anew = await aService()
  const { organizationId } = service
  t.after(service.close)
  t.after(anew.close)
  let { vault } = service
  const answers: string[] = []
  const host = hostOf(service, async (request) => {
    const answer = await vault.rehearse(request)
    answers.push(answer.kind)
    return answer
  })
  const rehearsed = async () => {
    const cases: readonly RehearsalCase[] = [
      { body: longRequest(organizationId, 0, 1), approvers: [], at: 0 },
    ]
    const of = { organizationId, askedFrom: organizationId }
    return (await rehearse(host, of, { cases, explain: false, usage: 'metered' })).cases
  }
  const before = await rehearsed()
  vault = anew.vault
  assert.deepEqual(await rehearsed(), before)
  assert.deepEqual(answers, ['rehearsed', 'needs', 'rehearsed'])
})

/** A host of the service whose vault rehearses like this. */
function hostOf({ store, world, vault }: TestService, rehearses: Vault['rehearse']): Host {
  return openHost({ ...quietHost, store, world, activities, vault: { ...vault, rehearse: rehearses } })
}

function longRequest(organizationId: string, at: number, characters: number): string {
  return JSON.stringify({
    type: 'ACTIVITY_TYPE_CREATE_USER_TAG',
    timestampMs: String(at),
    organizationId,
    parameters: { userTagName: 'x'.repeat(characters), userIds: [] },
  })
}
