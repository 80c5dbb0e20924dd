import assert from 'node:assert/strict'
import { test } from 'node:test'
import { present } from '../../src/trusted/base/assert.ts'
import { openSqlite } from '../../src/host/store/sqlite/sqlite.ts'
import type { Store } from '../../src/host/store/store.ts'
import type { DecideRequest, Decision, Vault } from '../../src/protocol/vault.ts'
import { testWorld } from '../support/service.ts'
import { createAuthenticator } from '../support/software-authenticator.ts'
import { stampKeyFrom } from '../support/stamper.ts'
import { openServiceOn, type Outcome, type Sent, type Service, START } from './harness.ts'
import { done, type Person, populate, type Populated, signing, submission } from './populated.ts'

// What a host gains that brings less than a decision needs, the record of another request, or the charter of another
// organization.

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

function withoutParent(request: DecideRequest): DecideRequest {
  return { ...request, charters: request.charters.slice(0, 1) }
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
  'the parent whose origins apply to passkeys is asked for, and no parent is where nothing looks at it',
  async ({ service: { world }, people: { root, sub }, sendBringing }) => {
    const origin = 'https://wallet.example'
    const tag = (userTagName: string) => ['CREATE_USER_TAG', { userTagName, userIds: [] }] as const
    const passkey = () => {
      const challenge = Buffer.from(world.randomBytes(16)).toString('base64url')
      const { randomBytes } = world
      const attestation = createAuthenticator({ randomBytes }).register(challenge, origin)
      const authenticators = [{ authenticatorName: 'Passkey', challenge, attestation }]
      return ['CREATE_AUTHENTICATORS_V2', { userId: sub.userId, authenticators }] as const
    }
    const decided = async ([type, parameters]: readonly [string, object]): Promise<unknown> => {
      const { first } = await sendBringing(withoutParent, submission(world, sub, type, parameters))
      return first?.kind === 'needs' ? first.charters : first?.kind
    }
    assert.deepEqual(await decided(tag('One')), 'commit')
    assert.deepEqual(await decided(passkey()), [root.organizationId])
    const own = { name: 'FEATURE_NAME_WEBAUTHN_ORIGINS', value: origin }
    assert.deepEqual(await decided(['SET_ORGANIZATION_FEATURE', own]), 'commit')
    assert.deepEqual(await decided(tag('Two')), 'commit')
    assert.deepEqual(await decided(passkey()), 'commit')
  },
)

withMisledHost(
  'a request is decided for the organization that its bytes name, whichever charter the host brings',
  async ({ service: { world }, people: { root, sub, other }, store, sendBringing }) => {
    const charterOf = async ({ organizationId }: Person) =>
      present(await store.charter(organizationId), 'a charter')
    const [own, parent] = [await charterOf(sub), await charterOf(root)]
    const login = { otpType: 'OTP_TYPE_EMAIL', contact: 'sub@example.com', appName: 'Example' }
    const tag = { userTagName: 'Elsewhere', userIds: [] }
    const session = { publicKey: sub.key.publicKey }
    for (const [by, type, parameters, named] of [
      // What the parent's users may ask for in the sub-organization, and the sub-organization's own may with the
      // parent's id.
      [root, 'INIT_OTP_AUTH_V3', login, root],
      [sub, 'CREATE_USER_TAG', tag, root],
      [sub, 'STAMP_LOGIN', session, other],
    ] as const) {
      const sent = submission(world, by, type, parameters, named.organizationId)
      const { first } = await sendBringing((request) => ({ ...request, charters: [own, parent] }), sent)
      assert.ok(first?.kind === 'refused', `${type}: ${first?.kind}`)
      assert.match(first.error.message, /^organization mismatch/)
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

withMisledHost(
  'the record of the same bytes in another organization is not the answer either',
  async ({ service, people: { root, sub }, store, sendBringing }) => {
    const { publicKey } = sub.key
    const apiKeys = [{ apiKeyName: 'Key', publicKey, curveType: 'API_KEY_CURVE_P256' }]
    const { subOrganizationId: twin } = await done(service, root, 'CREATE_SUB_ORGANIZATION_V7', {
      subOrganizationName: 'Twin',
      rootQuorumThreshold: 1,
      rootUsers: [{ userName: 'Sub', apiKeys, authenticators: [], oauthProviders: [] }],
    })
    const session = stampKeyFrom('SIGNATURE_SCHEME_TK_API_P256', service.world.randomBytes)
    const intent = { publicKey: session.publicKey }
    const login = submission(service.world, sub, 'STAMP_LOGIN', intent, root.organizationId)
    const before = await sendBringing((request) => request, login)
    assert.equal(before.outcome.status, 200, before.outcome.text)
    const { organizationId, id } = JSON.parse(before.outcome.text).activity
    const earlier = present(await store.activity(organizationId, id), 'the record of these bytes')
    const elsewhere = organizationId === twin ? sub.organizationId : twin
    const charters = await Promise.all(
      [elsewhere, root.organizationId].map(async (id) => present(await store.charter(id), 'a charter')),
    )
    const { outcome } = await sendBringing((request) => ({ ...request, charters, earlier }), login)
    assert.equal(outcome.status, 500)
    assert.match(String(outcome.bug), /the record that was brought is of these bytes/)
  },
)

withMisledHost(
  'a vote counts for the activity that its bytes name, whichever waiting record the host brings',
  async ({ service: { world }, people, store, sendBringing }) => {
    const { root, ben, other, waitingForApproval: wanted, waitingForRejection: named } = people
    const target = present(await store.awaitedActivity(root.organizationId, wanted), 'what waits')
    const bringing = (request: DecideRequest): DecideRequest => ({ ...request, target })
    for (const [by, fingerprint] of [
      // One vote of a second person is all that is missing.
      [ben, named],
      [root, named],
      // The root quorum of another organization decides nothing here.
      [other, wanted],
    ] as const)
      for (const type of ['APPROVE_ACTIVITY', 'REJECT_ACTIVITY']) {
        const { first } = await sendBringing(bringing, submission(world, by, type, { fingerprint }))
        assert.ok(first?.kind === 'refused', `${type}: ${first?.kind}`)
        assert.match(first.error.message, /^No activity found with fingerprint/)
      }
    const { first } = await sendBringing(
      bringing,
      submission(world, ben, 'APPROVE_ACTIVITY', { fingerprint: wanted }),
    )
    assert.equal(first?.kind === 'commit' && first.unit.activity?.row.status, 'ACTIVITY_STATUS_COMPLETED')
  },
)

withMisledHost(
  'a row of another organization or kind, or of another id, is signed with by nobody, also where the host brings it',
  async ({ service, people: { root, ada, keyId, spareKeyId, other }, store, sendBringing }) => {
    const { world } = service
    const rowOf = async (kind: string, id: string) =>
      present((await store.objects(root.organizationId, kind, [id]))[0], `the ${kind}`)
    const wallet = { walletName: 'Wallet', accounts: [] }
    const { walletId } = await done(service, root, 'CREATE_WALLET', wallet)
    const itsOwn = /a row is brought for its own organization and kind/
    for (const [by, signWith, row, why] of [
      [other, keyId, await rowOf('private_key', keyId), itsOwn],
      [ada, walletId, await rowOf('wallet', walletId), itsOwn],
      [ada, keyId, await rowOf('private_key', spareKeyId), /was brought, and something else was asked for/],
    ] as const) {
      const { outcome } = await sendBringing(
        (request) => ({ ...request, rows: { ...request.rows, key: [row] } }),
        signing(world, by, signWith, '08'),
      )
      assert.equal(outcome.status, 500, outcome.text)
      assert.match(String(outcome.bug), why)
    }
  },
)
