import assert from 'node:assert/strict'
import { test } from 'node:test'
import { p256Signer } from '../../../trusted/crypto/p256.ts'
import { checkAdoptedUser, checkKeptKey, isAloneIn } from './check-adopted.ts'
import { NO_KEY } from './make-user.ts'
import type { Organization, StoredUser } from './organization.ts'

const [OWN, FOREIGN] = ['02'.padEnd(66, '1'), '02'.padEnd(66, '2')]
const [ADA, AGENT] = ['0198c5a0-7d3c-7000-8000-000000000001', '0198c5a0-7d3c-7000-8000-00000000000a']
const MADE = 1_700_000_000
const created = { seconds: String(MADE), nanos: '0' }
const times = { createdAt: created, updatedAt: created }

type ApiKey = StoredUser['apiKeys'][number]

function keyOf(publicKey: string, more: Partial<ApiKey> = {}): ApiKey {
  const credential = { publicKey, type: 'CREDENTIAL_TYPE_API_KEY_P256' } as const
  return { credential, apiKeyId: ADA, apiKeyName: 'Key', ...times, ...more }
}

function userOf(userId: string, userName: string, ...apiKeys: readonly ApiKey[]): StoredUser {
  const none = {
    authenticators: [],
    oauthProviders: [],
    walletAuthenticators: [],
    mfaPolicies: [],
    userTags: [],
  }
  return { userId, userName, apiKeys, ...none, ...times }
}

/** What somebody else may have beside an API key: each would be a way in, or count where a policy names tags. */
const OTHER_WAYS: Readonly<Record<string, Partial<StoredUser>>> = {
  'a passkey': {
    authenticators: [
      {
        transports: [],
        attestationType: 'none',
        aaguid: '',
        credentialId: 'AA',
        model: '',
        credential: { publicKey: '', type: 'CREDENTIAL_TYPE_WEBAUTHN_AUTHENTICATOR' },
        authenticatorId: ADA,
        authenticatorName: 'Passkey',
        ...times,
      },
    ],
  },
  'an account elsewhere': {
    oauthProviders: [
      { providerId: ADA, providerName: 'P', issuer: 'https://a', audience: 'b', subject: 'c', ...times },
    ],
  },
  'a wallet': {
    walletAuthenticators: [
      {
        walletAuthenticatorId: ADA,
        type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM',
        address: '0x',
        domain: 'example.com',
        ...times,
      },
    ],
  },
  'an address': { userEmail: 'mallory@example.com' },
  'a phone number': { userPhoneNumber: '+15551234567' },
  'a tag': { userTags: [ADA] },
}

test('a user is taken for an agent only where the key of its file is all that it has', () => {
  const adopted = (user: StoredUser, isRoot = false): void =>
    checkAdoptedUser(user, { key: OWN, path: 'shopper.agent.env', isRoot })
  const discarded = keyOf(FOREIGN, { apiKeyName: NO_KEY, expirationSeconds: '1' })
  const agent = userOf(AGENT, 'agent shopper', discarded, keyOf(OWN))
  adopted(agent)
  assert.throws(() => adopted(agent, true), /is in the root quorum/)
  for (const [what, changes] of Object.entries(OTHER_WAYS))
    assert.throws(() => adopted({ ...agent, ...changes }), /has a way in beside an API key, or tags/, what)
  for (const [what, key] of Object.entries({
    'another key': keyOf(FOREIGN),
    'one that has the name of the discarded key, and does not end': keyOf(FOREIGN, { apiKeyName: NO_KEY }),
    'one that has its name, and ends later': keyOf(FOREIGN, { apiKeyName: NO_KEY, expirationSeconds: '10' }),
    'one of another name that ends as soon': keyOf(FOREIGN, { expirationSeconds: '1' }),
  }))
    assert.throws(() => adopted({ ...agent, apiKeys: [...agent.apiKeys, key] }), /has an API key/, what)
})

test('the key in a file is good for the agent that it was made for, until it ends', () => {
  const agent = userOf(AGENT, 'agent shopper', keyOf(OWN, { expirationSeconds: '60' }))
  const kept = (user: StoredUser | undefined, userId: string | undefined, now: number): void =>
    checkKeptKey(user, { key: OWN, userId, path: 'shopper.agent.env', now })
  const end = (MADE + 60) * 1000
  kept(agent, AGENT, end - 1)
  assert.throws(() => kept(agent, AGENT, end), /has expired/)
  for (const [user, userId] of [
    [agent, ADA],
    [agent, undefined],
    [undefined, AGENT],
  ] as const)
    assert.throws(() => kept(user, userId, 0), /has the key of an earlier agent of this name/)
})

test('a sub-organization is the sender’s alone where nobody else can act in it', () => {
  const ada = userOf(ADA, 'Ada', keyOf(OWN))
  const agent = userOf(AGENT, 'agent shopper', keyOf(FOREIGN))
  const organization: Organization = {
    caller: {
      baseUrl: 'https://service.example',
      organizationId: ADA,
      signer: p256Signer(new Uint8Array(32).fill(1), OWN),
    },
    name: 'agent shopper',
    userId: ADA,
    users: [ada, agent],
    policies: [],
    quorum: { threshold: 1, userIds: [ADA] },
  }
  const isAlone = (changes: Partial<Organization>): boolean =>
    isAloneIn({ ...organization, ...changes }, 'agent shopper')
  assert.equal(isAlone({}), true)
  assert.equal(isAlone({ users: [ada] }), true)
  const wrong: Readonly<Record<string, Partial<Organization>>> = {
    'nobody but the agent': { users: [agent] },
    'somebody else beside the sender': { users: [ada, userOf(AGENT, 'Mallory', keyOf(FOREIGN))] },
    'somebody else in the place of the sender': { userId: AGENT, quorum: { threshold: 1, userIds: [AGENT] } },
    'somebody else in the quorum': { quorum: { threshold: 1, userIds: [ADA, AGENT] } },
    'another key of the sender': { users: [{ ...ada, apiKeys: [keyOf(OWN), keyOf(FOREIGN)] }, agent] },
  }
  for (const [what, changes] of Object.entries(wrong)) assert.equal(isAlone(changes), false, what)
  for (const [what, changes] of Object.entries(OTHER_WAYS))
    assert.equal(isAlone({ users: [{ ...ada, ...changes }, agent] }), false, what)
})
