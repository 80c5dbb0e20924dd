import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { base58 } from '@scure/base'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { privateKeyToAccount } from 'viem/accounts'
import {
  anEthereumWallet,
  aSessionKey,
  aSolanaWallet,
  DOMAIN,
  type OwnWallet,
  type Said,
  signIn,
} from '../../../../test/support/sign-in.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'
import { openSqlite } from '../../../host/store/sqlite/sqlite.ts'
import type { StampKey } from '../../../../test/support/stamper.ts'
import { curves } from '../../crypto/curves.ts'
import {
  aSubOrganizationOf,
  refused,
  sessionClaims,
  submitAttested,
  userOf,
} from '../sessions/testing/logins.ts'

const VERIFY = 'ACTIVITY_TYPE_VERIFY_WALLET_AUTHENTICATOR'
const CREATE = 'ACTIVITY_TYPE_CREATE_WALLET_AUTHENTICATORS'
const DELETE = 'ACTIVITY_TYPE_DELETE_WALLET_AUTHENTICATORS'
const LOGIN = 'ACTIVITY_TYPE_STAMP_LOGIN'

const service: TestService = await aService()
const { world, root } = service
after(() => service.close())

async function ada(): Promise<Member> {
  const [member] = await aSubOrganizationOf(service, [{ userName: 'Ada' }])
  assert.ok(member)
  return member
}

function registered(wallet: OwnWallet, more: object = {}) {
  return { type: wallet.type, address: wallet.address, domain: DOMAIN, ...more }
}

async function register(by: Member, ...walletAuthenticators: readonly object[]): Promise<readonly string[]> {
  const made = await service.done(by, CREATE, { userId: by.userId, walletAuthenticators })
  return made.walletAuthenticatorIds
}

type Token = { readonly token: string; readonly key: StampKey }

async function verified(wallet: OwnWallet, said: Said = {}, by: Member = root): Promise<Token> {
  const key = aSessionKey(world)
  const { verificationToken } = await service.done(by, VERIFY, await signIn(world, wallet, { key, ...said }))
  return { token: verificationToken, key }
}

async function logIn({ token, key }: Token, organizationId: string, parameters: object = {}) {
  const by = { token, key, organizationId }
  return await submitAttested(service, by, LOGIN, { publicKey: key.publicKey, ...parameters })
}

for (const walletOf of [anEthereumWallet, aSolanaWallet]) {
  const { chain } = walletOf(world)

  test(`a user logs in with a wallet of ${chain} that is registered, and the session is theirs`, async () => {
    const member = await ada()
    const wallet = walletOf(world)
    const [walletAuthenticatorId] = await register(member, registered(wallet))
    const proof = await verified(wallet)

    const { status, json, text } = await logIn(proof, member.organizationId)
    assert.equal(status, 200, text)
    const { session } = json.activity.result.stampLoginResult
    const claims = await sessionClaims(service, session)
    assert.deepEqual([claims.user_id, claims.public_key], [member.userId, proof.key.publicKey])
    const own = { ...member, key: proof.key }
    assert.equal((await service.query(own, 'whoami')).json.userId, member.userId)

    const { json: told } = await service.query(own, 'get_wallet_authenticators', { userId: member.userId })
    const [only, ...more] = told.walletAuthenticators
    assert.deepEqual(more, [])
    const { createdAt: _, updatedAt: __, ...rest } = only
    assert.deepEqual(rest, { walletAuthenticatorId, ...registered(wallet) })
    assert.deepEqual((await userOf(service, member)).walletAuthenticators, told.walletAuthenticators)
  })

  test(`a signature of ${chain} by another wallet, of another message or of another form is refused`, async () => {
    const wallet = walletOf(world)
    const sent = await signIn(world, wallet)
    const stranger = walletOf(world)
    const wrong = [
      { ...sent, signature: await stranger.sign(sent.message) },
      { ...sent, message: sent.message.replace('Authorize', 'Authorise') },
      { ...sent, signature: `${sent.signature}00` },
      { ...sent, signature: sent.signature.slice(2) },
      { ...sent, signature: `00${sent.signature.slice(2)}` },
      { ...sent, signature: 'zz' },
      { ...sent, signature: '0'.repeat(sent.signature.length) },
      { ...sent, signature: 'f'.repeat(sent.signature.length) },
    ]
    for (const item of wrong) {
      const { status, message } = await refused(service, root, VERIFY, item)
      assert.equal(status, 400)
      assert.match(message, /^invalid wallet signature: /)
    }
    assert.ok(await service.done(root, VERIFY, { ...sent, signature: `0x${sent.signature}` }))
  })
}

test('a nonce serves once, whichever message it stands in, also on another host of the same database', async () => {
  const wallet = anEthereumWallet(world)
  const key = aSessionKey(world)
  const sent = await signIn(world, wallet, { key })
  await service.done(root, VERIFY, sent)
  world.advance(1_000)
  for (const again of [
    sent,
    await signIn(world, wallet, { key }),
    await signIn(world, anEthereumWallet(world), { key }),
    { ...sent, publicKey: sent.publicKey.toUpperCase().replace('0X', '0x') },
  ]) {
    const { status, message } = await refused(service, root, VERIFY, again)
    assert.equal(status, 400)
    assert.match(message, /its nonce has been used already/)
  }
})

test('of many requests with one nonce at once one gets a token', async () => {
  const sent = await signIn(world, anEthereumWallet(world))
  const now = world.now()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, at) => service.submit(root, VERIFY, sent, { timestampMs: now + at })),
  )
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(7).fill(400)])
})

test('a refused signature uses no nonce up', async () => {
  const sent = await signIn(world, anEthereumWallet(world))
  await refused(service, root, VERIFY, { ...sent, signature: '00'.repeat(65) })
  assert.ok((await service.done(root, VERIFY, sent)).verificationToken)
})

test('a message that has expired, is issued in the future, or is good for more than a day is refused', async () => {
  const wallet = anEthereumWallet(world)
  const now = Math.ceil(world.now() / 1_000) * 1_000
  world.advance(now - world.now())
  const bad: readonly (readonly [Said, RegExp])[] = [
    [{ issuedAt: now - 7_200_000, expiresAt: now }, /it has expired$/],
    [{ issuedAt: now + 120_000 }, /it was issued in the future$/],
    [{ issuedAt: now, expiresAt: now + 86_401_000 }, /it is valid for more than a day$/],
    [{ issuedAt: now + 1_000, expiresAt: now - 1_000 }, /it has expired$/],
  ]
  for (const [said, why] of bad) {
    const { status, message } = await refused(service, root, VERIFY, await signIn(world, wallet, said))
    assert.equal(status, 400)
    assert.match(message, why)
  }
  // A clock that is a little ahead, and the longest time.
  const ahead = world.now() + 50_000
  const issuedAt = ahead - (ahead % 1_000)
  assert.ok(await verified(wallet, { issuedAt, expiresAt: issuedAt + 86_400_000 }))
})

test('a token lasts no longer than its message, and an hour at most', async () => {
  const member = await ada()
  const wallet = anEthereumWallet(world)
  await register(member, registered(wallet))
  const short = await verified(wallet, { expiresAt: world.now() + 60_000 })
  world.advance(61_000)
  assert.match((await logIn(short, member.organizationId)).json.message, /it has expired/)
  const long = await verified(wallet, { expiresAt: world.now() + 7_200_000 })
  world.advance(3_600_000)
  assert.match((await logIn(long, member.organizationId)).json.message, /it has expired/)
})

test('a wallet that signed for another domain logs nobody in: neither with that token nor with a changed message', async () => {
  const member = await ada()
  const wallet = anEthereumWallet(world)
  await register(member, registered(wallet))
  const elsewhere = await verified(wallet, { domain: 'evil.example' })
  const { status, json } = await logIn(elsewhere, member.organizationId)
  assert.deepEqual([status, json.turnkeyErrorCode], [401, 'CREDENTIAL_NOT_FOUND'])
  const port = await verified(wallet, { domain: `${DOMAIN}:3000` })
  assert.equal((await logIn(port, member.organizationId)).status, 401)

  const sent = await signIn(world, wallet, { domain: 'evil.example' })
  const changed = sent.message.replaceAll('evil.example', DOMAIN)
  assert.equal((await refused(service, root, VERIFY, { ...sent, message: changed })).status, 400)
})

test('where an organization says from which pages passkeys come, messages come from those alone', async () => {
  const founder = await service.newOrganization()
  const wallet = anEthereumWallet(world)
  const value = `https://${DOMAIN}`
  await service.done(founder, 'ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE', {
    name: 'FEATURE_NAME_WEBAUTHN_ORIGINS',
    value,
  })
  for (const said of [{ domain: 'evil.example' }, { uri: `http://${DOMAIN}/` }]) {
    const { status, message } = await refused(service, founder, VERIFY, await signIn(world, wallet, said))
    assert.equal(status, 400)
    assert.match(message, /not one of the origins/)
  }
  assert.ok(await verified(wallet, {}, founder))
})

test('a message that was signed for another purpose, or another key, is refused', async () => {
  const wallet = anEthereumWallet(world)
  const key = aSessionKey(world)
  const other = aSessionKey(world).publicKey
  const protocol = 'urn:turnkey:wallet-protocol:siwe'
  const own = `urn:turnkey:session-key:${key.publicKey}`
  const wrong: readonly Said[] = [
    // What a page's own sign-in looks like.
    { nonce: 'kR2p0o7ySPI1gHbm', resources: [] },
    { resources: [] },
    { resources: [own] },
    { resources: [protocol] },
    { resources: [own, protocol] },
    { resources: [protocol, `urn:turnkey:session-key:${other}`] },
    { resources: [protocol, own, 'https://app.example.com/everything'] },
    { resources: ['urn:turnkey:wallet-protocol:siws', own] },
    { nonce: other },
    { nonce: key.publicKey.toUpperCase() },
  ]
  for (const said of wrong) {
    const { status, message } = await refused(
      service,
      root,
      VERIFY,
      await signIn(world, wallet, { key, ...said }),
    )
    assert.equal(status, 400, JSON.stringify(said))
    assert.match(message, /^invalid wallet sign-in message: /)
  }
  // Somebody who sees the request on its way has a key of their own let in by nothing.
  const sent = await signIn(world, wallet, { key })
  const stolen = await refused(service, root, VERIFY, { ...sent, publicKey: other })
  assert.match(stolen.message, /its nonce must be the publicKey/)
})

test('a wallet of one chain does not pass for one of another', async () => {
  const ethereum = anEthereumWallet(world)
  const solana = aSolanaWallet(world)
  const wrong: readonly (readonly [OwnWallet, Said])[] = [
    [ethereum, { chain: 'Solana' }],
    [ethereum, { address: solana.address }],
    [ethereum, { chainId: 'solana' }],
    [ethereum, { chainId: '0x1' }],
    [ethereum, { chainId: '0' }],
    [ethereum, { chainId: '01' }],
    [ethereum, { address: ethereum.address.toLowerCase() }],
    [solana, { chain: 'Ethereum' }],
    [solana, { address: ethereum.address }],
    [solana, { chainId: '1' }],
    [solana, { address: '11111111111111111111111111111111' }],
  ]
  for (const [wallet, said] of wrong) {
    const { status, message } = await refused(service, root, VERIFY, await signIn(world, wallet, said))
    assert.equal(status, 400, JSON.stringify(said))
    assert.match(message, /^invalid wallet sign-in message: /)
  }
  const member = await ada()
  for (const item of [
    { ...registered(ethereum), type: solana.type },
    { ...registered(solana), type: ethereum.type },
    { ...registered(ethereum), address: flipped(ethereum.address) },
    { ...registered(ethereum), domain: 'App.Example.com' },
    { ...registered(ethereum), domain: 'https://app.example.com' },
    { ...registered(ethereum), domain: 'app.example.com:443' },
    { ...registered(ethereum), domain: 'app.example.com/login' },
    { ...registered(ethereum), domain: 'äpp.example.com' },
  ]) {
    const parameters = { userId: member.userId, walletAuthenticators: [item] }
    assert.equal((await refused(service, member, CREATE, parameters)).status, 400, JSON.stringify(item))
  }
  await register(member, { ...registered(ethereum), address: ethereum.address.toLowerCase() })
  assert.equal((await userOf(service, member)).walletAuthenticators[0].address, ethereum.address)
})

/** With the case of its last letter turned, so that its checksum is wrong. */
function flipped(address: string): string {
  return address.replace(/[a-fA-F](?=[^a-fA-F]*$)/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
}

test('a token of another tenant, or without its session key, logs nobody in', async () => {
  const member = await ada()
  const wallet = anEthereumWallet(world)
  await register(member, registered(wallet))
  const stranger = await service.newOrganization()
  const sent = await signIn(world, wallet, { key: aSessionKey(world) })

  // The same message is taken in another organization: the token it gives there is good there alone.
  const foreign = await service.done(stranger, VERIFY, sent)
  const ours = await service.done(root, VERIFY, sent)
  const key = aSessionKey(world)
  for (const token of [foreign.verificationToken, ours.verificationToken])
    assert.equal((await logIn({ token, key }, member.organizationId)).status, 401)
  const proof = await verified(wallet, {}, stranger)
  assert.equal((await logIn(proof, member.organizationId)).status, 401)
})

test('a token logs in once', async () => {
  const member = await ada()
  const wallet = anEthereumWallet(world)
  await register(member, registered(wallet))
  const proof = await verified(wallet)
  assert.equal((await logIn(proof, member.organizationId)).status, 200)
  const again = await logIn(proof, member.organizationId, { expirationSeconds: '901' })
  assert.match(again.json.message, /it has been used already/)
})

test('a stranger who registers my wallet gets none of my logins, and finds no organization for me', async () => {
  const mine = await ada()
  const theirs = await ada()
  const wallet = anEthereumWallet(world)
  const taken = await verified(wallet)
  // With a token that they have seen, and without one.
  await register(theirs, registered(wallet, { verificationToken: taken.token }))
  const parentId = root.organizationId
  const first = await verified(wallet)
  assert.equal((await logIn(first, parentId)).status, 401)

  await register(mine, registered(wallet))
  assert.equal((await logIn(first, mine.organizationId)).status, 200)
  const byParent = await logIn(await verified(wallet), parentId)
  assert.equal(byParent.status, 200, byParent.text)
  assert.equal(byParent.json.activity.organizationId, mine.organizationId)
})

test('where a holder has logged in to two organizations, the parent’s id finds neither', async () => {
  const wallet = aSolanaWallet(world)
  for (const member of [await ada(), await ada()]) {
    await register(member, registered(wallet))
    assert.equal((await logIn(await verified(wallet), member.organizationId)).status, 200)
  }
  const { status, json } = await logIn(await verified(wallet), root.organizationId)
  assert.deepEqual([status, json.turnkeyErrorCode], [401, 'CREDENTIAL_CONFLICT'])
})

test('a token that comes with a registration says what is registered, and comes once', async () => {
  const member = await ada()
  const wallet = anEthereumWallet(world)
  const { token: verificationToken } = await verified(wallet)
  const other = anEthereumWallet(world)
  const stranger = await service.newOrganization()
  const foreign = await verified(wallet, {}, stranger)
  const wrong = [
    { ...registered(other), verificationToken },
    { ...registered(wallet), domain: 'evil.example', verificationToken },
    { ...registered(wallet), verificationToken: foreign.token },
    { ...registered(wallet), verificationToken: `${verificationToken.slice(0, -4)}AAAA` },
    { ...registered(wallet), verificationToken: 'x' },
  ]
  for (const item of wrong) {
    const parameters = { userId: member.userId, walletAuthenticators: [item] }
    assert.equal((await refused(service, member, CREATE, parameters)).status, 400)
  }
  const [id = ''] = await register(member, registered(wallet, { verificationToken }))
  await service.done(member, DELETE, { userId: member.userId, walletAuthenticatorIds: [id] })
  const again = { userId: member.userId, walletAuthenticators: [registered(wallet, { verificationToken })] }
  assert.match((await refused(service, member, CREATE, again)).message, /it has been used already/)
})

test('the token of a wallet proves no contact and signs nobody up, and the token of a code is no wallet’s', async () => {
  const member = await ada()
  const wallet = anEthereumWallet(world)
  await register(member, registered(wallet))
  const { token: verificationToken, key } = await verified(wallet)
  const { userId, organizationId } = member
  const login = { verificationToken, publicKey: key.publicKey }
  const email = { userId, userEmail: 'ada@example.com', verificationToken }
  const attempts: readonly (readonly [Member, string, object])[] = [
    [root, 'ACTIVITY_TYPE_OTP_LOGIN', login],
    [member, 'ACTIVITY_TYPE_UPDATE_USER_EMAIL', email],
  ]
  for (const [by, type, parameters] of attempts) {
    const { status, message } = await refused(service, by, type, parameters, { organizationId })
    assert.equal(status, 400)
    assert.match(message, /^invalid verification token: malformed/)
  }
})

test('one wallet at one domain belongs to one user of an organization, and ten to one user', async () => {
  const [first, second] = await aSubOrganizationOf(service, [{ userName: 'Ada' }, { userName: 'Ben' }])
  assert.ok(first !== undefined && second !== undefined)
  const wallet = anEthereumWallet(world)
  await register(first, registered(wallet), registered(wallet, { domain: 'other.example' }))
  const twice = { userId: second.userId, walletAuthenticators: [registered(wallet)] }
  assert.match((await refused(service, second, CREATE, twice)).message, /credential must be unique/)
  const many = Array.from({ length: 9 }, () => registered(anEthereumWallet(world)))
  const tooMany = { userId: first.userId, walletAuthenticators: many }
  assert.match((await refused(service, first, CREATE, tooMany)).message, /maximum wallet authenticators/)
  await register(first, ...many.slice(1))
})

test('a wallet is a lasting way in, and the last one is not taken', async () => {
  const member = await ada()
  const { userId } = member
  const wallet = anEthereumWallet(world)
  const [id] = await register(member, registered(wallet))
  const { apiKeys } = await userOf(service, member)
  await service.done(member, 'ACTIVITY_TYPE_DELETE_API_KEYS', { userId, apiKeyIds: [apiKeys[0].apiKeyId] })
  const proof = await verified(wallet)
  assert.equal((await logIn(proof, member.organizationId)).status, 200)
  const own = { ...member, key: proof.key }
  const gone = await refused(service, own, DELETE, { userId, walletAuthenticatorIds: [id] })
  assert.match(gone.message, /user missing valid credential/)
})

test('in a top-level organization a wallet lets in only while somebody is left who can have its message verified', async () => {
  const founder = await service.newOrganization()
  const { userId } = founder
  const [id] = await register(founder, registered(anEthereumWallet(world)))
  const { json } = await service.query(founder, 'get_api_keys', { userId })
  const alone = { userId, apiKeyIds: [json.apiKeys[0].apiKeyId] }
  const gone = await refused(service, founder, 'ACTIVITY_TYPE_DELETE_API_KEYS', alone)
  assert.match(gone.message, /user missing valid credential/)

  // A wallet is one more way in beside the key, and may go.
  await service.done(founder, DELETE, { userId, walletAuthenticatorIds: [id] })
})

test('a member who has registered the wallet of another first is parted from it by the root quorum', async () => {
  const ben = await service.user('Ben who is first')
  const owner = await service.user('Cleo whose wallet it is')
  const wallet = anEthereumWallet(world)
  const [id] = await register(ben, registered(wallet))
  const { token: verificationToken } = await verified(wallet)
  const own = {
    userId: owner.userId,
    walletAuthenticators: [registered(wallet, { verificationToken })],
  }
  assert.match((await refused(service, owner, CREATE, own)).message, /credential must be unique/)
  const gone = { userId: ben.userId, walletAuthenticatorIds: [id] }
  assert.equal((await refused(service, owner, DELETE, gone)).status, 403)
  await service.done(root, DELETE, gone)
  await service.done(owner, CREATE, own)
  const { json } = await logIn(await verified(wallet), root.organizationId)
  assert.equal(
    (await sessionClaims(service, json.activity.result.stampLoginResult.session)).user_id,
    owner.userId,
  )
})

test('nobody without rights registers a wallet for somebody else; for oneself everybody may', async () => {
  const ben = await service.user('Ben without rights')
  const parameters = { userId: root.userId, walletAuthenticators: [registered(anEthereumWallet(world))] }
  assert.equal((await refused(service, ben, CREATE, parameters)).status, 403)
  assert.equal((await register(ben, registered(anEthereumWallet(world)))).length, 1)
  assert.equal(
    (await refused(service, ben, VERIFY, await signIn(world, anEthereumWallet(world)))).status,
    403,
  )
})

test('a wallet that is held here is no way in, and a wallet that is a way in is not imported', async () => {
  const member = await ada()
  const account = {
    curve: 'CURVE_SECP256K1',
    pathFormat: 'PATH_FORMAT_BIP32',
    path: "m/44'/60'/0'/0/0",
    addressFormat: 'ADDRESS_FORMAT_ETHEREUM',
  }
  const solana = { ...account, curve: 'CURVE_ED25519', path: "m/44'/501'/0'/0'" }
  const accounts = [
    account,
    { ...solana, addressFormat: 'ADDRESS_FORMAT_SOLANA' },
    { ...solana, addressFormat: 'ADDRESS_FORMAT_SUI', path: "m/44'/784'/0'/0'/0'" },
  ]
  const { walletId, addresses } = await service.done(member, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'Own',
    accounts,
  })
  const { json } = await service.query(member, 'list_wallet_accounts', { walletId })
  const sui = json.accounts.find(
    (item: { addressFormat: string }) => item.addressFormat === 'ADDRESS_FORMAT_SUI',
  )
  const { privateKeys } = await service.done(member, 'ACTIVITY_TYPE_CREATE_PRIVATE_KEYS_V2', {
    privateKeys: [
      {
        privateKeyName: 'Own',
        curve: 'CURVE_SECP256K1',
        privateKeyTags: [],
        addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
      },
    ],
  })
  const { address: ofPrivateKey } = privateKeys[0].addresses[0]
  const held = [
    { type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM', address: ofPrivateKey, domain: DOMAIN },
    { type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM', address: addresses[0], domain: DOMAIN },
    { type: 'WALLET_AUTHENTICATOR_TYPE_ETHEREUM', address: addresses[0].toLowerCase(), domain: DOMAIN },
    { type: 'WALLET_AUTHENTICATOR_TYPE_SOLANA', address: addresses[1], domain: DOMAIN },
    // The key of an account whose own address is of another form.
    {
      type: 'WALLET_AUTHENTICATOR_TYPE_SOLANA',
      address: base58.encode(Buffer.from(sui.publicKey, 'hex')),
      domain: DOMAIN,
    },
  ]
  for (const item of held) {
    const parameters = { userId: member.userId, walletAuthenticators: [item] }
    const { status, message } = await refused(service, member, CREATE, parameters)
    assert.equal(status, 400)
    assert.match(message, /^invalid wallet authenticator: /)
  }
})

test('a private key that is a wallet of a user here is not imported', async () => {
  const ofSolana = (secret: string) =>
    base58.encode(Buffer.from(curves.CURVE_ED25519.publicKeyOf(Buffer.from(secret, 'hex')), 'hex'))
  const ofEthereum = (secret: string) => privateKeyToAccount(`0x${secret}`).address
  for (const [type, curve, addressOf] of [
    ['WALLET_AUTHENTICATOR_TYPE_ETHEREUM', 'CURVE_SECP256K1', ofEthereum],
    ['WALLET_AUTHENTICATOR_TYPE_SOLANA', 'CURVE_ED25519', ofSolana],
  ] as const) {
    const member = await ada()
    const privateKey = Buffer.from(world.randomBytes(32)).toString('hex')
    await register(member, { type, address: addressOf(privateKey), domain: DOMAIN })
    const { userId, organizationId } = member
    const { importBundle } = await service.done(member, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId })
    const encryptedBundle = await encryptPrivateKeyToBundle({
      privateKey,
      keyFormat: 'HEXADECIMAL',
      importBundle,
      userId,
      organizationId,
      dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
    })
    const { status, message } = await refused(service, member, 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
      userId,
      privateKeyName: 'Wallet',
      encryptedBundle,
      curve,
      addressFormats: [],
    })
    assert.equal(status, 400, type)
    assert.match(message, /is a wallet with which a user of this organization logs in/)
  }
})

test('a nonce, and a token, that one host has taken are taken by no other, and by none after a restart', async (t) => {
  const store = openSqlite({ path: ':memory:' })
  const first = await aService({ store })
  const second = await aService({ store, seed: 2 })
  t.after(async () => await Promise.all([first.close(), second.close()]))
  t.after(async () => await store.close())
  const wallet = anEthereumWallet(world)
  const by = first.root
  await first.done(by, CREATE, { userId: by.userId, walletAuthenticators: [registered(wallet)] })
  const key = aSessionKey(world)
  const sent = await signIn(first.world, wallet, { key })
  const { verificationToken: token } = await first.done(by, VERIFY, sent)
  second.world.advance(first.world.now() - second.world.now() + 1_000)
  assert.match((await refused(second, by, VERIFY, sent)).message, /its nonce has been used already/)

  const { organizationId } = by
  const login = { publicKey: key.publicKey }
  const loggedIn = await submitAttested(second, { token, key, organizationId }, LOGIN, login)
  assert.equal(loggedIn.status, 200, loggedIn.text)
  first.world.advance(5_000)
  const again = await submitAttested(first, { token, key, organizationId }, LOGIN, login)
  assert.match(again.json.message, /it has been used already/)
})

test('a login waits for the MFA policy of its user, which a wallet may satisfy', async () => {
  const member = await ada()
  const wallet = anEthereumWallet(world)
  const [id] = await register(member, registered(wallet))
  await service.done(member, 'ACTIVITY_TYPE_CREATE_MFA_POLICY', {
    userId: member.userId,
    mfaPolicyName: 'By wallet',
    condition: "activity.action == 'EXPORT' || activity.resource == 'AUTH'",
    requiredAuthenticationMethods: [{ any: [{ type: 'AUTHENTICATION_TYPE_WALLET', id }] }],
    order: 1,
  })
  const { publicKey } = service.newKey()
  const byKey = await service.submit(member, LOGIN, { publicKey })
  assert.equal(byKey.json.activity.status, 'ACTIVITY_STATUS_AUTHENTICATORS_NEEDED')
  assert.equal((await logIn(await verified(wallet), member.organizationId)).status, 200)
})
