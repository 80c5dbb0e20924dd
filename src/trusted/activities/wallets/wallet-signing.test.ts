import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ed25519 } from '@noble/curves/ed25519.js'
import { p256 } from '@noble/curves/nist.js'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { bech32m } from '@scure/base'
import { encryptPrivateKeyToBundle } from '@turnkey/crypto'
import { vectors } from '../../../../test/support/vectors.ts'
import { anEncryptedMnemonic } from '../../../../test/behaviour/imported-wallets.ts'
import { aService, type Member, type TestService } from '../../../../test/support/service.ts'

const SETTLED = 47
const MNEMONIC = 'test test test test test test test test test test test junk'
const FIRST_ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const FIRST_KEY = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'

type Account = {
  readonly curve: string
  readonly pathFormat: string
  readonly path: string
  readonly addressFormat: string
}
type Vector = {
  readonly format: string
  readonly curve: string
  readonly path: string
  readonly publicKey: string
  readonly address: string
  readonly status: string
}
type Signature = { readonly r: string; readonly s: string; readonly v: string }

const accountAt = (path: string, curve: string, addressFormat: string): Account => ({
  curve,
  pathFormat: 'PATH_FORMAT_BIP32',
  path,
  addressFormat,
})
const ethereum = (index: number) =>
  accountAt(`m/44'/60'/0'/0/${index}`, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_ETHEREUM')
const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex')
const DIGEST = '5a'.repeat(32)

async function started(t: TestContext): Promise<TestService> {
  const service = await aService()
  t.after(service.close)
  return service
}

/** The wallet of the mnemonic that every library's examples are made of. */
async function theTestWallet(service: TestService, accounts: readonly object[]) {
  const { root } = service
  return await service.done(root, 'ACTIVITY_TYPE_IMPORT_WALLET', {
    userId: root.userId,
    walletName: 'Test',
    encryptedBundle: await anEncryptedMnemonic({ service, by: root }, MNEMONIC),
    accounts,
  })
}

async function importFirstKey(service: TestService): Promise<string> {
  const { root, organizationId } = service
  const { userId } = root
  const { importBundle } = await service.done(root, 'ACTIVITY_TYPE_INIT_IMPORT_PRIVATE_KEY', { userId })
  const encryptedBundle = await encryptPrivateKeyToBundle({
    privateKey: FIRST_KEY,
    keyFormat: 'HEXADECIMAL',
    importBundle,
    userId,
    organizationId,
    dangerouslyOverrideSignerPublicKey: JSON.parse(importBundle).enclaveQuorumPublic,
  })
  const { privateKeyId } = await service.done(root, 'ACTIVITY_TYPE_IMPORT_PRIVATE_KEY', {
    userId,
    privateKeyName: 'The same key',
    encryptedBundle,
    curve: 'CURVE_SECP256K1',
    addressFormats: ['ADDRESS_FORMAT_ETHEREUM'],
  })
  return privateKeyId
}

const SIGN = 'ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2'

function signing(signWith: string, curve = 'CURVE_SECP256K1') {
  const hashFunction = curve === 'CURVE_ED25519' ? 'HASH_FUNCTION_NOT_APPLICABLE' : 'HASH_FUNCTION_NO_OP'
  return { signWith, payload: DIGEST, encoding: 'PAYLOAD_ENCODING_HEXADECIMAL', hashFunction }
}

/** With another library, under the key that the address or the account names. */
function verifies({ r, s }: Signature, { format, curve, publicKey, address }: Vector): boolean {
  const signature = bytes(r + s)
  const digest = bytes(DIGEST)
  if (curve === 'CURVE_ED25519') return ed25519.verify(signature, digest, bytes(publicKey), { zip215: false })
  if (curve === 'CURVE_P256')
    return p256.verify(signature, digest, bytes(publicKey), { prehash: false, lowS: true })
  if (format.endsWith('_P2TR')) {
    // The words after the version are the output key (BIP-341).
    const { words } = bech32m.decode(address as `${string}1${string}`)
    return schnorr.verify(signature, digest, bech32m.fromWords(words.slice(1)))
  }
  if (format.startsWith('ADDRESS_FORMAT_SPARK'))
    return schnorr.verify(signature, digest, bytes(publicKey).subarray(1))
  return secp256k1.verify(signature, digest, bytes(publicKey), { prehash: false, lowS: true })
}

test('every settled address of the test mnemonic is that of its account, and what the account signs verifies under it', async (t) => {
  const service = await started(t)
  const all = vectors<readonly Vector[]>('facts/address-vectors.json')
  const settled = all.filter(({ status }) => status === 'settled')
  assert.equal(settled.length, SETTLED)
  const accountOf = ({ path, curve, format }: Vector) => accountAt(path, curve, format)
  // Two spellings of a path on Ed25519 are the same account.
  const isSpelledOtherwise = ({ path, curve, format }: Vector, index: number) =>
    curve === 'CURVE_ED25519' &&
    settled.findIndex(
      (other) => other.format === format && other.path.replaceAll("'", '') === path.replaceAll("'", ''),
    ) < index
  const kept = settled.filter((vector, index) => !isSpelledOtherwise(vector, index))
  const derived = settled.filter((vector, index) => isSpelledOtherwise(vector, index))
  const { walletId, addresses } = await theTestWallet(service, kept.map(accountOf))
  assert.deepEqual(
    addresses,
    kept.map(({ address }) => address),
  )
  const more = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
    walletId,
    accounts: derived.map(accountOf),
    persist: false,
  })
  assert.deepEqual(
    more.addresses,
    derived.map(({ address }) => address),
  )
  for (const vector of kept) {
    const signature = await service.done(service.root, SIGN, signing(vector.address, vector.curve))
    assert.ok(verifies(signature, vector), vector.format)
    const { signatures } = await service.done(service.root, 'ACTIVITY_TYPE_SIGN_RAW_PAYLOADS', {
      ...signing(vector.address, vector.curve),
      payload: undefined,
      payloads: [DIGEST, DIGEST],
    })
    assert.deepEqual(signatures, [signature, signature])
  }
})

test('an address that a wallet account shares with a private key signs for neither; the id of the key still does', async (t) => {
  const service = await started(t)
  const { walletId, addresses } = await theTestWallet(service, [ethereum(0), ethereum(1)])
  assert.equal(addresses[0], FIRST_ADDRESS)
  const alone = await service.done(service.root, SIGN, signing(FIRST_ADDRESS))
  const privateKeyId = await importFirstKey(service)
  service.world.advance(1)
  const { status, json } = await service.submit(service.root, SIGN, signing(FIRST_ADDRESS))
  assert.deepEqual([status, json.code], [400, 9])
  assert.match(
    json.message,
    new RegExp(`^both a wallet account and private key ${privateKeyId} have the address`),
  )
  assert.deepEqual(await service.done(service.root, SIGN, signing(privateKeyId)), alone)
  await service.done(service.root, SIGN, signing(addresses[1]))

  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_WALLETS', {
    walletIds: [walletId],
    deleteWithoutExport: true,
  })
  assert.deepEqual(await service.done(service.root, SIGN, signing(FIRST_ADDRESS)), alone)
})

test('an account that is added under the address of a private key is seen at once', async (t) => {
  const service = await started(t)
  await importFirstKey(service)
  const { walletId } = await theTestWallet(service, [])
  await service.done(service.root, SIGN, signing(FIRST_ADDRESS))
  await service.done(service.root, 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
    walletId,
    accounts: [ethereum(0)],
  })
  service.world.advance(1)
  const { status } = await service.submit(service.root, SIGN, signing(FIRST_ADDRESS))
  assert.equal(status, 400)
})

test('an account is signed with as soon as it exists, also after requests that came too early', async (t) => {
  const service = await started(t)
  const { walletId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_WALLET', {
    walletName: 'New',
    accounts: [],
  })
  const add = (persist: boolean) =>
    service.done(service.root, 'ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', {
      walletId,
      accounts: [ethereum(0)],
      persist,
    })
  const { addresses } = await add(false)
  const { status } = await service.submit(service.root, SIGN, signing(addresses[0]))
  assert.equal(status, 404)
  service.world.advance(1)
  assert.deepEqual(await add(true), { addresses })
  service.world.advance(1)
  await service.done(service.root, SIGN, signing(addresses[0]))
})

test('what an address names is looked up once under one version of the organization', async (t) => {
  const service = await started(t)
  const { addresses } = await theTestWallet(service, [ethereum(0)])
  const find = t.mock.method(service.store, 'find')
  const signed = async () => {
    service.world.advance(1)
    await service.done(service.root, SIGN, signing(addresses[0]))
    return find.mock.callCount()
  }
  const once = await signed()
  assert.ok(once > 0)
  assert.equal(await signed(), once)
  await importFirstKey(service)
  await service.submit(service.root, SIGN, signing(addresses[0]))
  assert.ok(find.mock.callCount() > once)
})

test('accounts of one key whose addresses are equal sign alike', async (t) => {
  const service = await started(t)
  const path = "m/84'/1'/0'/0/0"
  const { addresses } = await theTestWallet(service, [
    accountAt(path, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_TESTNET_P2WPKH'),
    accountAt(path, 'CURVE_SECP256K1', 'ADDRESS_FORMAT_BITCOIN_SIGNET_P2WPKH'),
  ])
  assert.equal(addresses[0], addresses[1])
  await service.done(service.root, SIGN, signing(addresses[0]))
})

/** What a request of a user with no rights of their own comes to under this one policy. */
async function underPolicy(
  service: TestService,
  by: Member,
  condition: string,
  [type, parameters]: readonly [string, object],
): Promise<string> {
  const { policyId } = await service.done(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'The policy',
    effect: 'EFFECT_ALLOW',
    condition,
    consensus: `approvers.any(user, user.id == '${by.userId}')`,
    notes: '',
  })
  service.world.advance(1)
  const { status, json } = await service.submit(by, type, parameters)
  await service.done(service.root, 'ACTIVITY_TYPE_DELETE_POLICY', { policyId })
  if (status === 200) return 'done'
  const { policyEvaluations } = json.details.find((detail: object) => 'policyEvaluations' in detail) ?? {}
  return policyEvaluations?.[0]?.outcome ?? json.message
}

test('policies see the wallet as it is now and the address of the account, and nothing of a private key', async (t) => {
  const service = await started(t)
  const clerk = await service.user('Clerk')
  const { walletId, addresses } = await theTestWallet(service, [ethereum(0)])
  const signs = [SIGN, signing(addresses[0])] as const
  const says = (condition: string) => underPolicy(service, clerk, condition, signs)
  const address = addresses[0]
  const rename = (walletName: string) =>
    service.done(service.root, 'ACTIVITY_TYPE_UPDATE_WALLET', { walletId, walletName })

  assert.equal(await says(`wallet.id == '${walletId}'`), 'done')
  assert.equal(await says("wallet.label == 'Test' && wallet.imported && !wallet.exported"), 'done')
  assert.equal(await says(`wallet_account.address == '${address}'`), 'done')
  assert.equal(await says("activity.resource == 'PRIVATE_KEY' && activity.action == 'SIGN'"), 'done')
  assert.equal(await says(`wallet_account.address == '${address.toLowerCase()}'`), 'OUTCOME_DENY_IMPLICIT')
  assert.equal(await says("wallet.id == 'another'"), 'OUTCOME_DENY_IMPLICIT')
  // Both sides are always looked at, and there is no private key.
  assert.equal(await says(`wallet.id == '${walletId}' || private_key.id == 'x'`), 'OUTCOME_ERROR')
  // Where an account stands in its wallet is only shown when it is exported.
  assert.equal(await says('wallet_account.path_indexes.count() == 5'), 'OUTCOME_ERROR')
  assert.equal(await says(`wallet_account.wallet_id == '${walletId}'`), 'OUTCOME_ERROR')
  await rename('Hot')
  assert.equal(await says("wallet.label == 'Test'"), 'OUTCOME_DENY_IMPLICIT')
  assert.equal(await says("wallet.label == 'Hot'"), 'done')
})

test('policies see which wallet gets accounts, which are deleted, and which is renamed', async (t) => {
  const service = await started(t)
  const clerk = await service.user('Clerk')
  const { walletId } = await theTestWallet(service, [ethereum(0), ethereum(1)])
  const { json } = await service.query(service.root, 'list_wallet_accounts', { walletId })
  const walletAccountIds = [json.accounts[0].walletAccountId]
  const says = (condition: string, type: string, parameters: object) =>
    underPolicy(service, clerk, condition, [type, parameters])
  const ofWallet = `wallet.id == '${walletId}' && activity.resource == 'WALLET'`
  const ofAll = `wallets.all(wallet, wallet.id == '${walletId}')`

  const accounts = [ethereum(7)]
  const creates = ['ACTIVITY_TYPE_CREATE_WALLET_ACCOUNTS', { walletId, accounts }] as const
  assert.equal(await says(ofWallet, ...creates), 'done')
  const renames = ['ACTIVITY_TYPE_UPDATE_WALLET', { walletId, walletName: 'New' }] as const
  assert.equal(await says(`activity.params.wallet_id == '${walletId}'`, ...renames), 'done')
  assert.equal(await says("activity.params.wallet_id == 'another'", ...renames), 'OUTCOME_DENY_IMPLICIT')
  const deleteWithoutExport = true
  const deletesAccounts = [
    'ACTIVITY_TYPE_DELETE_WALLET_ACCOUNTS',
    { walletAccountIds, deleteWithoutExport },
  ] as const
  assert.equal(await says(ofAll, ...deletesAccounts), 'done')
  const deletes = ['ACTIVITY_TYPE_DELETE_WALLETS', { walletIds: [walletId], deleteWithoutExport }] as const
  assert.equal(await says("wallets.any(wallet, wallet.label == 'Test')", ...deletes), 'OUTCOME_DENY_IMPLICIT')
  assert.equal(await says(ofAll, ...deletes), 'done')
})

test('the path of an account is no field that a policy may name', async (t) => {
  const service = await started(t)
  const { status, json } = await service.submit(service.root, 'ACTIVITY_TYPE_CREATE_POLICY_V3', {
    policyName: 'By path',
    effect: 'EFFECT_ALLOW',
    condition: "wallet_account.path == 'x'",
    notes: '',
  })
  assert.equal(status, 400)
  assert.match(json.message, /^invalid policy condition: .*field does not exist: path/)
})
