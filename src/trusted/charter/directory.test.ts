import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import type { Charter, User } from './charter.ts'
import { getsActivities, lookupsOf, oidcIdentity, walletLogin, webhookTargetsOf } from './directory.ts'

const [ada] = filledCharter.users
const [key] = ada.apiKeys
const [passkey] = ada.authenticators
const [{ isClaimed: _, ...provider }] = ada.oauthProviders
const [wallet] = ada.walletAuthenticators
const [endpoint] = filledCharter.webhookEndpoints

const NOTHING = { proven: undefined }

/** The kinds by which an organization is found whose user differs in this. */
function foundBy(user: Partial<User>, charter: Partial<Charter> = {}): readonly string[] {
  return lookupsOf({ ...filledCharter, users: [{ ...ada, ...user }], ...charter }).map(({ kind }) => kind)
}

test('a login with the id of the parent finds an organization by what its user has proven, and by nothing else', () => {
  const proven = {
    ...ada,
    oauthProviders: [provider],
  }
  const values = lookupsOf({ ...filledCharter, users: [proven] }).flatMap(({ kind, value }) =>
    /PROVEN|VERIFIED|OIDC/.test(kind) ? [[kind, value]] : [],
  )
  assert.deepEqual(values, [
    ['VERIFIED_EMAIL', ada.userEmail],
    ['VERIFIED_PHONE_NUMBER', ada.userPhoneNumber],
    ['OIDC_IDENTITY', oidcIdentity(provider)],
    ['PROVEN_WALLET', walletLogin(wallet)],
    ['PROVEN_PUBLIC_KEY', key.publicKey],
    ['PROVEN_CREDENTIAL_ID', passkey.credentialId],
  ])
  for (const [kind, unproven] of Object.entries({
    VERIFIED_EMAIL: [{ emailVerified: false }, { userEmail: undefined }],
    VERIFIED_PHONE_NUMBER: [{ phoneNumberVerified: false }, { userPhoneNumber: undefined }],
    OIDC_IDENTITY: [{ oauthProviders: ada.oauthProviders }],
    PROVEN_WALLET: [{ walletAuthenticators: [{ ...wallet, ...NOTHING }] }],
    PROVEN_PUBLIC_KEY: [{ apiKeys: [{ ...key, ...NOTHING }] }],
    PROVEN_CREDENTIAL_ID: [{ authenticators: [{ ...passkey, ...NOTHING }] }],
  })) {
    for (const user of unproven) {
      const expected = values.flatMap(([other]) => (other === kind ? [] : [other]))
      const found = foundBy({ ...proven, ...(user as Partial<User>) })
      assert.deepEqual(
        found.filter((other) => /PROVEN|VERIFIED|OIDC/.test(other)),
        expected,
        kind,
      )
    }
  }
})

test('an organization that was deleted, and one without a parent, is found by nothing', () => {
  for (const charter of [{ deleted: true }, { parentId: null }]) assert.deepEqual(foundBy({}, charter), [])
  assert.ok(foundBy({}).includes('SUB_ORGANIZATION'))
})

test('webhooks of an organization go where it has subscribed to activities, and nowhere once it is deleted', () => {
  const feature = { name: 'FEATURE_NAME_WEBHOOK', value: endpoint.url }
  const both: Charter = { ...filledCharter, features: [feature] }
  assert.deepEqual(webhookTargetsOf(both), [feature.name, endpoint.endpointId])
  assert.deepEqual(webhookTargetsOf(filledCharter), [endpoint.endpointId])
  assert.deepEqual(webhookTargetsOf({ ...both, deleted: true }), [])
})

test('an endpoint hears of activities while it and one subscription to them are active', () => {
  const [subscription] = endpoint.subscriptions
  const balances = { ...subscription, eventType: 'BALANCE_CONFIRMED_UPDATES' } as const
  const off = { ...subscription, isActive: false }
  const hears = (isActive: boolean, ...subscriptions: readonly (typeof off | typeof balances)[]) =>
    getsActivities({ ...endpoint, isActive, subscriptions })
  assert.ok(hears(true, balances, off, subscription))
  assert.ok(!hears(false, subscription))
  for (const subscriptions of [[], [balances], [off], [balances, off]])
    assert.ok(!hears(true, ...subscriptions))
})
