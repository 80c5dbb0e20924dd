import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filledCharter } from '../../../test/charters/filled-charter.ts'
import { type ApiKey, type Charter, noCredentials, nothingYet, type User } from './charter.ts'
import { isOfHolder, soleKeyOf, withProvenCredential } from './proven-credential.ts'

const [filled] = filledCharter.users
const { userEmail, userPhoneNumber, authenticators, oauthProviders, walletAuthenticators } = filled
const [invitation] = filledCharter.invitations
const { createdAt, updatedAt } = filledCharter
const [{ proven: _, expirationSeconds: __, ...key }] = filled.apiKeys
const [{ proven: ___, ...passkey }] = filled.authenticators

const ada: User = {
  ...noCredentials,
  userId: 'ada',
  userName: 'Ada',
  createdAt,
  updatedAt,
  apiKeys: [{ ...key, apiKeyId: 'first', publicKey: 'hers' }],
}
const ben: User = { ...ada, userId: 'ben', userName: 'Ben', apiKeys: [{ ...key, publicKey: 'his' }] }
const founded: Charter = { ...filledCharter, ...nothingYet, version: 1, users: [ada] }

test('a key is the sole one of an organization only where nobody has ever had another way in', () => {
  assert.equal(soleKeyOf(founded), 'hers')
  const of = (more: Partial<User>): Charter => ({ ...founded, users: [{ ...ada, ...more }] })
  for (const [what, charter] of Object.entries({
    'another version': { ...founded, version: 2 },
    'an invitation': { ...founded, invitations: [invitation] },
    'no user': { ...founded, users: [] },
    'another user': { ...founded, users: [ada, ben] },
    'another key': of({ apiKeys: [...ada.apiKeys, ...ben.apiKeys] }),
    'a passkey': of({ authenticators }),
    'an account elsewhere': of({ oauthProviders }),
    'a wallet': of({ walletAuthenticators }),
    'an address': of({ userEmail }),
    'a telephone': of({ userPhoneNumber }),
  }))
    assert.equal(soleKeyOf(charter), undefined, what)
})

test('a key says whose an organization is where it was proven or is the sole one, and nowhere else', () => {
  const hers = { ...ada, apiKeys: ada.apiKeys.map((item) => ({ ...item, proven: true as const })) }
  const both: Charter = { ...founded, users: [hers, ben] }
  assert.ok(isOfHolder(founded, 'hers'))
  assert.ok(isOfHolder(both, 'hers'))
  assert.ok(!isOfHolder({ ...both, users: [ada, ben] }, 'hers'))
  for (const charter of [founded, both]) assert.ok(!isOfHolder(charter, 'his'))
})

test('a sole key says it only where its holder can log in with it for good', () => {
  // The generator of P-256, which is a point of secp256k1 too, and twice the generator, which is none.
  const wallets = '036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'
  const browsers = '037cf27b188d034f7e8a52380304b51ac3c08969e277f21b35a60b48fc47669978'
  const isHolders = (changes: Partial<ApiKey>, proven: Partial<ApiKey> = {}) => {
    const its: ApiKey = { ...key, publicKey: wallets, ...changes, ...proven }
    return isOfHolder({ ...founded, users: [{ ...ada, apiKeys: [its] }] }, its.publicKey)
  }
  const [asP256, asSecp256k1] = ['P256', 'SECP256K1'].map(
    (curve) => ({ type: `CREDENTIAL_TYPE_API_KEY_${curve}` }) as Pick<ApiKey, 'type'>,
  )
  assert.ok(isHolders({ ...asSecp256k1 }))
  assert.ok(isHolders({ ...asP256, publicKey: browsers }))
  for (const hindered of [{ ...asP256 }, { ...asSecp256k1, expirationSeconds: 600 }]) {
    assert.ok(!isHolders(hindered))
    assert.ok(isHolders(hindered, { proven: true }))
  }
})

test('a request proves the credential that it came with, of its user and in its organization, and no other', () => {
  const second = { ...key, apiKeyId: 'second', publicKey: 'another' }
  const passkeys = ['third', 'fourth'].map((authenticatorId) => ({ ...passkey, authenticatorId }))
  const withMore = { ...ada, apiKeys: [...ada.apiKeys, second], authenticators: passkeys }
  const charter: Charter = { ...founded, users: [ben, withMore] }
  const { organizationId } = charter
  const provenBy = (by: { organizationId?: string; userId?: string; credentialId: string }) => {
    const { users } = withProvenCredential(charter, { organizationId, userId: 'ada', ...by })
    assert.deepEqual(
      users.map(({ userId }) => userId),
      ['ben', 'ada'],
    )
    return users.flatMap(({ apiKeys, authenticators: its }) => [
      ...apiKeys.flatMap(({ apiKeyId, proven }) => (proven ? [apiKeyId] : [])),
      ...its.flatMap(({ authenticatorId, proven }) => (proven ? [authenticatorId] : [])),
    ])
  }
  for (const credentialId of ['first', 'second', 'third', 'fourth'])
    assert.deepEqual(provenBy({ credentialId }), [credentialId])
  for (const by of [
    { credentialId: 'first', organizationId: 'its parent' },
    { credentialId: 'first', userId: 'ben' },
    { credentialId: 'first', userId: 'nobody' },
    { credentialId: 'unknown' },
  ])
    assert.deepEqual(provenBy(by), [])
  const once = withProvenCredential(charter, { organizationId, userId: 'ada', credentialId: 'first' })
  assert.deepEqual(withProvenCredential(once, { organizationId, userId: 'ada', credentialId: 'first' }), once)
})
