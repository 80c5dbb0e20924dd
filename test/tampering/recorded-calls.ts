import assert from 'node:assert/strict'
import { present } from '../../src/trusted/base/assert.ts'
import { nextPage } from '../../src/host/rotation/pass.ts'
import { snapshotSource } from '../../src/host/copies/row-source.ts'
import { newVerifyState } from '../../src/host/copies/verify-state.ts'
import { verifyRows } from '../../src/host/copies/verify-rows.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { VaultMethod } from '../../src/protocol/methods.ts'
import type { Vault } from '../../src/protocol/vault.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, sentBy } from './harness.ts'
import { populate, signing } from './populated.ts'

/** A call that an honest host has made, and what it was answered. */
export type Recorded = { readonly method: VaultMethod; readonly input: unknown; readonly output: unknown }

/** Every call that populating a service, and asking it a few things, takes, at this instant. */
export async function recordedCalls(startAt: number): Promise<readonly Recorded[]> {
  const said: Recorded[] = []
  const store = openSqlite({ path: ':memory:' })
  const service = await openServiceOn(store, testWorld(1, startAt), (vault) => recording(vault, said))
  const { root, keyId, signedId } = await populate(service, store)
  const { organizationId } = root
  const asked = {
    type: 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2',
    parameters: JSON.parse(signing(service.world, root, keyId, '07').body).parameters,
  }
  for (const [route, parameters] of [
    ['query/whoami', {}],
    ['query/get_activity', { activityId: signedId }],
    ['query/try_activity', asked],
  ] as const) {
    const { status, text } = await service.send(sentBy(root.key, route, { organizationId, ...parameters }))
    assert.equal(status, 200, text)
  }
  await service.vault.rereadRootKey()
  await nextPage({ store, vault: service.vault }, { pass: 'a pass', count: undefined, to: 2 })
  const state = newVerifyState('salt')
  await verifyRows(snapshotSource(store), service.vault, {
    state,
    pauseAfterRows: 100,
    paused: async () => {},
  })
  await service.vault.copyKey({ salt: 'salt' })
  const charter = present(await store.charter(organizationId), 'the charter')
  const activities = await store.activities(organizationId, {}, { limit: 2 })
  const [deletion] = activities
  await service.vault.eraseUser({
    userId: root.userId,
    charter,
    deletion: present(deletion, 'a record'),
    sayings: activities,
    shared: ['somebody@example.com'],
    activities,
  })
  await service.vault.erase({ charter, activities })
  await store.close()
  return said
}

/** A call that any vault with this root key answers the same at any time. */
export function proofIn(recorded: readonly Recorded[]): Recorded {
  const proof = recorded.find(({ method }) => method === 'proveRoot')
  assert.ok(proof !== undefined)
  return proof
}

function recording(vault: Vault, said: Recorded[]): Vault {
  const noted =
    <Name extends VaultMethod>(method: Name) =>
    async (input?: unknown) => {
      const copy: unknown = structuredClone(input)
      // It is given on as it came.
      const output = await (vault[method] as (input: unknown) => Promise<unknown>)(input)
      said.push({ method, input: copy, output: structuredClone(output) })
      return output as never
    }
  return {
    settled: (units) => vault.settled(units),
    decide: noted('decide'),
    identify: noted('identify'),
    check: noted('check'),
    establish: noted('establish'),
    openJob: noted('openJob'),
    signWebhook: noted('signWebhook'),
    rehearse: noted('rehearse'),
    verify: noted('verify'),
    copyKey: noted('copyKey'),
    restored: noted('restored'),
    announceRestore: noted('announceRestore'),
    announceRecovery: noted('announceRecovery'),
    heartbeat: noted('heartbeat'),
    serviceKeys: noted('serviceKeys'),
    proveRoot: noted('proveRoot'),
    checkRootProof: noted('checkRootProof'),
    rereadRootKey: noted('rereadRootKey'),
    reseal: noted('reseal'),
    erase: noted('erase'),
    eraseUser: noted('eraseUser'),
  }
}
