import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { DecideRequest, Decision, Vault } from '../../src/protocol/vault.ts'
import { testWorld } from '../support/service.ts'
import { openServiceOn, type Outcome, type Sent, type Service, START } from './harness.ts'
import { populate, type Populated, signing, submission } from './populated.ts'

// What a host gains that brings less than a decision needs, or the record of another request.

type Setting = {
  readonly service: Service
  readonly people: Populated
  readonly store: Store
  /** Sends while each decision gets what is brought to it in this form; the first decision, and what was answered. */
  readonly sendBringing: (
    change: (request: DecideRequest) => DecideRequest,
    sent: Sent,
  ) => Promise<{ readonly first: Decision | undefined; readonly outcome: Outcome }>
}

function withMisledHost(promise: string, use: (setting: Setting) => Promise<void>): void {
  test(promise, async () => {
    const store = openSqlite({ path: ':memory:' })
    let change = (request: DecideRequest): DecideRequest => request
    let first: Decision | undefined
    const around = (vault: Vault): Vault => ({
      ...vault,
      decide: async (request) => {
        const decision = await vault.decide(change(request))
        first ??= decision
        return decision
      },
    })
    try {
      const service = await openServiceOn(store, testWorld(1, START), around)
      const people = await populate(service, store)
      await use({
        service,
        people,
        store,
        sendBringing: async (changing, sent) => {
          change = changing
          first = undefined
          const outcome = await service.send(sent)
          return { first, outcome }
        },
      })
    } finally {
      await store.close()
    }
  })
}

withMisledHost(
  'the parent that an activity or a vote looks at is asked for where the host leaves it out',
  async ({ service: { world }, people: { root, sub }, sendBringing }) => {
    const withoutParent = (request: DecideRequest): DecideRequest => ({
      ...request,
      charters: request.charters.slice(0, 1),
    })
    const fingerprint = `sha256:${'0'.repeat(64)}`
    for (const [type, parameters] of [
      ['APPROVE_ACTIVITY', { fingerprint }],
      ['REJECT_ACTIVITY', { fingerprint }],
      ['STAMP_LOGIN', { publicKey: sub.key.publicKey }],
    ] as const) {
      const { first, outcome } = await sendBringing(withoutParent, submission(world, sub, type, parameters))
      assert.ok(first?.kind === 'needs', `${type}: ${first?.kind}`)
      assert.deepEqual(first.charters, [root.organizationId])
      assert.notEqual(outcome.status, 200)
    }
  },
)

withMisledHost(
  'the record of another request is never the answer, also where the host brings it as the one of these bytes',
  async ({ service: { world }, people: { ada, signedId, keyId }, store, sendBringing }) => {
    const other = present(await store.activity(ada.organizationId, signedId), 'the record of another request')
    const { outcome } = await sendBringing(
      (request) => ({ ...request, earlier: other }),
      signing(world, ada, keyId, '07'),
    )
    assert.equal(outcome.status, 500)
    assert.match(String(outcome.bug), /the record that was brought is of these bytes/)
  },
)
